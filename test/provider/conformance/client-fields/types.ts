/** Where an operation of the client has the documented fields. */
export interface ClientFields {
  /** Path in the input, by the name of the request field. */
  readonly takes: Readonly<Record<string, string>>;
  /** Path in the value, by the path of the response field; `raw` for a field that only the raw response has. */
  readonly gives: Readonly<Record<string, string>>;
  /** Fields that the client requires although the API does not document whether they are required. */
  readonly demands?: readonly string[];
  /** Fields whose form the provider checks, as it depends on the account. */
  readonly leaves?: readonly string[];
}

/** Maps the fields of a page. */
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
