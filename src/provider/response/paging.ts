import { z } from 'zod';
import { omitUndefined, optionalBoolean, optionalCount, optionalObject, record } from './fields.ts';

/** One page of a list (API §2.1). */
export interface Page<T> {
  readonly records: readonly T[];
  /** Zero-based index of this page. */
  readonly number: number;
  readonly size: number;
  /** Number of records on this page. */
  readonly numberOfElements: number;
  readonly totalElements?: number | undefined;
  readonly totalPages?: number | undefined;
  readonly first: boolean;
  /** Whether no page follows. */
  readonly last: boolean;
  /** Whether no record is on this page. */
  readonly empty: boolean;
  readonly sort?: Sort | undefined;
  readonly pageable?: Pageable | undefined;
  /** The whole envelope, unchanged. */
  readonly raw: unknown;
}

/** Whether the records are sorted; the provider does not say by which field. */
export interface Sort {
  readonly empty?: boolean | undefined;
  readonly sorted?: boolean | undefined;
  readonly unsorted?: boolean | undefined;
}

/** The page request as the provider understood it. */
export interface Pageable {
  readonly pageNumber?: number | undefined;
  readonly pageSize?: number | undefined;
  /** Number of records before this page. */
  readonly offset?: number | undefined;
  readonly paged?: boolean | undefined;
  readonly unpaged?: boolean | undefined;
  readonly sort?: Sort | undefined;
}

/** Which page to fetch. The provider chooses what is absent. */
export interface PageQuery {
  /** Zero-based. */
  readonly page?: number | undefined;
  readonly size?: number | undefined;
}

export const pageQuery = {
  page: z.int('must be a whole number').min(0, 'must be 0 or more').optional(),
  size: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(1000, 'must be 1000 at most')
    .optional(),
};

/** Query parameters of a page. Not documented for every list; `page` and `size` are what public clients use. */
export function pageParameters({ page, size }: PageQuery): Record<string, string> {
  return omitUndefined({ page: page?.toString(), size: size?.toString() });
}

const sort = optionalObject({ empty: optionalBoolean, sorted: optionalBoolean, unsorted: optionalBoolean });

const pageable = optionalObject({
  pageNumber: optionalCount,
  pageSize: optionalCount,
  offset: optionalCount,
  paged: optionalBoolean,
  unpaged: optionalBoolean,
  sort,
});

/** The paging envelope. Only the records are required; absent fields are derived from them. */
export function page<T>(ofRecord: z.ZodType<T>, asked: PageQuery): z.ZodType<Page<T>> {
  const envelope = {
    content: z.array(ofRecord),
    number: optionalCount,
    size: optionalCount,
    numberOfElements: optionalCount,
    totalElements: optionalCount,
    totalPages: optionalCount,
    first: optionalBoolean,
    last: optionalBoolean,
    empty: optionalBoolean,
    sort,
    pageable,
  };
  return record(envelope, ({ content, number = asked.page ?? 0, totalElements, totalPages, ...read }) => {
    const size = read.size ?? asked.size ?? content.length;
    // In doubt another page follows: a fetch finds out, while stopping early would lose records.
    const last = totalPages === undefined ? content.length < Math.max(size, 1) : number + 1 >= totalPages;
    return omitUndefined({
      records: content,
      number,
      size,
      numberOfElements: read.numberOfElements ?? content.length,
      totalElements,
      totalPages,
      first: read.first ?? number === 0,
      last: read.last ?? last,
      empty: read.empty ?? content.length === 0,
      sort: read.sort,
      pageable: read.pageable,
    });
  });
}
