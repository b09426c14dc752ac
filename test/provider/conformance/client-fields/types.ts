/** Where the client has the fields of the data. */
export interface ClientFields {
  /** In its input, by the name of the field in the request. */
  readonly takes: Readonly<Record<string, string>>;
  /** In its value, by the path of the field in the answer; `raw` for what only the answer as it came has. */
  readonly gives: Readonly<Record<string, string>>;
  /** What it asks for although the description leaves open whether the provider does. */
  readonly demands?: readonly string[];
}

/** A page that stands at a path of the answer and of the value. */
export function page(
  answer: string,
  value: string,
  records: Readonly<Record<string, string>>,
): Record<string, string> {
  const own = {
    content: 'records',
    pageable: 'pageable',
    'pageable.pageNumber': 'pageable.pageNumber',
    'pageable.pageSize': 'pageable.pageSize',
    'pageable.offset': 'pageable.offset',
    'pageable.paged': 'pageable.paged',
    'pageable.unpaged': 'pageable.unpaged',
    'pageable.sort': 'pageable.sort',
    'pageable.sort.empty': 'pageable.sort.empty',
    'pageable.sort.sorted': 'pageable.sort.sorted',
    'pageable.sort.unsorted': 'pageable.sort.unsorted',
    totalElements: 'totalElements',
    totalPages: 'totalPages',
    last: 'last',
    first: 'first',
    size: 'size',
    number: 'number',
    numberOfElements: 'numberOfElements',
    empty: 'empty',
    sort: 'sort',
    'sort.empty': 'sort.empty',
    'sort.sorted': 'sort.sorted',
    'sort.unsorted': 'sort.unsorted',
  };
  const ofRecords = Object.entries(records).map(([path, name]) => [`content[].${path}`, `records[].${name}`]);
  const all = [...Object.entries(own), ...ofRecords];
  return Object.fromEntries(all.map(([path, name]) => [`${answer}${path}`, `${value}${name}`]));
}
