import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';

const integer = z
  .string()
  .regex(/^\d{1,6}$/, 'must be a whole number')
  .transform(Number);

/** Facts: the number of the page, from zero, and its size. */
export const pagingFields = {
  page: integer.exactOptional(),
  size: integer.refine((size) => size >= 1, 'must be at least 1').exactOptional(),
};

/** Returns one page of records in the envelope of API §2.1. */
export function pageOf(
  records: JsonObject[],
  { page = 0, size = 15 }: { page?: number; size?: number },
): JsonObject {
  const content = records.slice(page * size, (page + 1) * size);
  const totalPages = Math.ceil(records.length / size);
  const sort = { empty: false, sorted: true, unsorted: false };
  return {
    content,
    pageable: { sort, offset: page * size, pageNumber: page, pageSize: size, paged: true, unpaged: false },
    totalElements: records.length,
    totalPages,
    last: page >= totalPages - 1,
    first: page === 0,
    size,
    number: page,
    numberOfElements: content.length,
    empty: content.length === 0,
    sort,
  };
}
