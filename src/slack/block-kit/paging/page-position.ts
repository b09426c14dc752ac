import type { Button } from '@slack/types';
import { z } from 'zod';
import { button } from '../build.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** Where one stands in a list: on the provider's page, from the record that is shown first. */
export const pagePositionSchema = z.object({ page: z.int().min(0), from: z.int().min(0) });
export type PagePosition = z.infer<typeof pagePositionSchema>;

export const firstPosition: PagePosition = { page: 0, from: 0 };

/** What a view shows of a page, and where one gets from there. */
export interface ViewPage<T> {
  shown: readonly T[];
  previous?: PagePosition;
  next?: PagePosition;
}

/**
 * As much of a page as a view has room for: a provider that knows no paging, or pages longer than a view, gives more.
 */
export function viewPageOf<T>(
  records: readonly T[],
  { page, from }: PagePosition,
  { last, most }: { last: boolean; most: number },
): ViewPage<T> {
  const rest = records.length > from + most;
  return {
    shown: records.slice(from, from + most),
    ...(from > 0 && { previous: { page, from: Math.max(0, from - most) } }),
    ...(from === 0 && page > 0 && { previous: { page: page - 1, from: 0 } }),
    ...(rest && { next: { page, from: from + most } }),
    ...(!rest && !last && { next: { page: page + 1, from: 0 } }),
  };
}

/** *Previous* and *Next*, as far as there is one. Their value is the position they lead to. */
export function pagingButtons(
  { previous, next }: ViewPage<unknown>,
  actionIds: { previous: string; next: string },
): Button[] {
  return [
    ...(previous ? [button(actionIds.previous, 'Previous', { value: JSON.stringify(previous) })] : []),
    ...(next ? [button(actionIds.next, 'Next', { value: JSON.stringify(next) })] : []),
  ];
}

/** “Page 2 of 8 · 120 in all”, as far as it is known. */
export function pageIndicator(page: { number: number; totalPages?: number; totalElements?: number }): Markup {
  const { number, totalPages, totalElements } = page;
  const of = totalPages === undefined ? '' : ` of ${Math.max(1, totalPages)}`;
  return mrkdwn`Page ${number + 1}${of}${totalElements === undefined ? '' : ` · ${totalElements} in all`}`;
}
