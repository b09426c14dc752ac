import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Outcome, ProviderFailure } from '../errors.ts';
import { omitUndefined, optionalBoolean, optionalCount, optionalObject, record } from './fields.ts';

export const pageQuery = {
  /** Zero-based. */
  page: z.int('must be a whole number').min(0, 'must be 0 or more').optional(),
  size: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(1000, 'must be 1000 at most')
    .optional(),
};

const pageQueryInput = z.object(pageQuery);

/** Which page to fetch. The provider chooses absent values. */
export type PageQuery = z.input<typeof pageQueryInput>;

/** Query parameters of a page. Not documented for every list; `page` and `size` are what public clients use. */
export function pageParameters({ page, size }: PageQuery): Record<string, string> {
  return omitUndefined({ page: page?.toString(), size: size?.toString() });
}

/** Whether the records are sorted; the provider does not say by which field. */
const sort = optionalObject({ empty: optionalBoolean, sorted: optionalBoolean, unsorted: optionalBoolean });

const pageFields = {
  number: optionalCount,
  size: optionalCount,
  numberOfElements: optionalCount,
  totalElements: optionalCount,
  totalPages: optionalCount,
  first: optionalBoolean,
  last: optionalBoolean,
  empty: optionalBoolean,
  sort,
  /** The page request as the provider understood it. */
  pageable: optionalObject({
    pageNumber: optionalCount,
    pageSize: optionalCount,
    /** Number of records before this page. */
    offset: optionalCount,
    paged: optionalBoolean,
    unpaged: optionalBoolean,
    sort,
  }),
};

/** Reads the records of a list, and the entries that are unreadable, so that those don't hide the rest. */
export function readableRecords<T>(ofRecord: z.ZodType<T>) {
  return z.array(z.unknown()).transform((entries) => {
    const records: T[] = [];
    const unreadable: unknown[] = [];
    for (const entry of entries) {
      const read = ofRecord.safeParse(entry);
      if (read.success) {
        records.push(read.data);
      } else {
        unreadable.push(entry);
      }
    }
    return { records, unreadable };
  });
}

/** One page of a list (API §2.1). Its `raw` is the whole envelope. */
export type Page<T> = z.output<ReturnType<typeof page<T>>>;

/** The paging envelope. Only the records are required; absent fields are derived from them. */
export function page<T>(ofRecord: z.ZodType<T>, asked: PageQuery) {
  const envelope = record({ content: readableRecords(ofRecord), ...pageFields });
  return envelope.transform(({ content, number = asked.page ?? 0, ...read }) => {
    const { records, unreadable } = content;
    const length = records.length + unreadable.length;
    const size = read.size ?? asked.size ?? length;
    // In doubt another page follows: a fetch finds out, while stopping early would lose records.
    const last = read.totalPages === undefined ? length < Math.max(size, 1) : number + 1 >= read.totalPages;
    return {
      ...read,
      records,
      /** The other entries on this page, as the provider sent them: they lack a required field. */
      unreadable,
      /** Zero-based index of this page. */
      number,
      size,
      /** Number of records on this page. */
      numberOfElements: read.numberOfElements ?? length,
      first: read.first ?? number === 0,
      /** Whether no page follows. */
      last: read.last ?? last,
      /** Whether no record is on this page. */
      empty: read.empty ?? length === 0,
    };
  });
}

/**
 * Iterates over the pages from the query's page to the last, fetching each on demand. Stops if the provider
 * repeats a page, as one that ignores `page` would. Throws a `ProviderFailure` if a page isn't accepted.
 */
export async function* eachPage<T, Query extends PageQuery>(
  fetchPage: (query: Query & { readonly page: number }) => Promise<Outcome<Page<T>>>,
  query: Query,
): AsyncGenerator<Page<T>, void, undefined> {
  const numbers = new Set<number>();
  const contents = new Set<string>();
  for (let page = query.page ?? 0; ; page += 1) {
    const outcome = await fetchPage({ ...query, page });
    if (outcome.kind !== 'accepted') {
      throw new ProviderFailure(outcome);
    }
    const { records, unreadable, number, last } = outcome.value;
    const content = createHash('sha256')
      .update(JSON.stringify([records, unreadable]))
      .digest('base64');
    if (records.length + unreadable.length === 0 || numbers.has(number) || contents.has(content)) {
      return;
    }
    numbers.add(number);
    contents.add(content);
    yield outcome.value;
    if (last) {
      return;
    }
  }
}
