import { z } from 'zod';
import { optionalBoolean, optionalCount } from './fields.ts';

/** One page of a list (API §2.1). */
export interface Page<T> {
  readonly records: readonly T[];
  /** Zero-based index of this page. */
  readonly number: number;
  readonly size: number;
  readonly totalElements?: number;
  readonly totalPages?: number;
  /** Whether no page follows. */
  readonly last: boolean;
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

/** The paging envelope: the records are needed, all the rest may be missing and is then worked out. */
export function page<T>(record: z.ZodType<T>, asked: PageQuery): z.ZodType<Page<T>> {
  const envelope = z.looseObject({
    content: z.array(record),
    number: optionalCount,
    size: optionalCount,
    totalElements: optionalCount,
    totalPages: optionalCount,
    last: optionalBoolean,
  });
  return envelope.transform(
    ({ content, number = asked.page ?? 0, totalElements, totalPages, last, ...rest }) => {
      const size = rest.size ?? asked.size ?? content.length;
      return {
        records: content,
        number,
        size,
        ...(totalElements !== undefined && { totalElements }),
        ...(totalPages !== undefined && { totalPages }),
        // In doubt another page may follow: asking shows, while stopping early would lose records.
        last:
          last ?? (totalPages === undefined ? content.length < Math.max(size, 1) : number + 1 >= totalPages),
      };
    },
  );
}
