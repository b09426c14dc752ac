import { z } from 'zod';
import { omitUndefined, optionalBoolean, optionalCount, optionalObject, record } from './fields.ts';

/** One page of a list (API §2.1). */
export interface Page<T> {
  readonly records: readonly T[];
  /** Zero-based index of this page. */
  readonly number: number;
  readonly size: number;
  /** How many records are on this page. */
  readonly numberOfElements: number;
  readonly totalElements?: number;
  readonly totalPages?: number;
  readonly first: boolean;
  /** Whether no page follows. */
  readonly last: boolean;
  /** Whether no record is on this page. */
  readonly empty: boolean;
  readonly sort?: Sort;
  readonly pageable?: Pageable;
  /** The whole envelope as it came. */
  readonly raw: unknown;
}

/** Whether, not by what, the records are sorted. */
export interface Sort {
  readonly empty?: boolean;
  readonly sorted?: boolean;
  readonly unsorted?: boolean;
}

/** What the provider understood was asked for. */
export interface Pageable {
  readonly pageNumber?: number;
  readonly pageSize?: number;
  /** Records before this page. */
  readonly offset?: number;
  readonly paged?: boolean;
  readonly unpaged?: boolean;
  readonly sort?: Sort;
}

/** Which page to ask for; what is left out is the provider's choice. */
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

/** The query parameters for a page. Not described for every list; `page` and `size` is what public clients use. */
export function pageParameters({ page, size }: PageQuery): Record<string, string> {
  return {
    ...(page !== undefined && { page: String(page) }),
    ...(size !== undefined && { size: String(size) }),
  };
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

/** The paging envelope: the records are needed, all the rest may be missing and is then worked out. */
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
    // In doubt another page may follow: asking shows, while stopping early would lose records.
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
