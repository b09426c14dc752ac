import type { Button } from '@slack/types';
import { z } from 'zod';
import { button } from '../build.ts';
import { formatCount } from '../plural.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** A position in a list: the provider's page, and the record on it that is shown first. */
export const pagePositionSchema = z.object({ page: z.int().min(0), from: z.int().min(0) });
export type PagePosition = z.infer<typeof pagePositionSchema>;

export const firstPosition: PagePosition = { page: 0, from: 0 };

/** The part of a page that a view shows, and the positions before and after it. */
export interface ViewPage<T> {
  shown: readonly T[];
  previous?: PagePosition | undefined;
  next?: PagePosition | undefined;
}

/**
 * Returns as much of a page as a view has room for: a provider without paging, or with pages longer than a view, returns
 * more.
 */
export function viewPageOf<T>(
  records: readonly T[],
  { page, from }: PagePosition,
  { last, most }: { last: boolean; most: number },
): ViewPage<T> {
  return {
    shown: records.slice(from, from + most),
    previous: previousPosition({ page, from }, most),
    next: nextPosition({ page, from }, { count: records.length, last, most }),
  };
}

function previousPosition({ page, from }: PagePosition, most: number): PagePosition | undefined {
  if (from > 0) {
    return { page, from: Math.max(0, from - most) };
  }
  return page > 0 ? { page: page - 1, from: 0 } : undefined;
}

function nextPosition(
  { page, from }: PagePosition,
  { count, last, most }: { count: number; last: boolean; most: number },
): PagePosition | undefined {
  if (count > from + most) {
    return { page, from: from + most };
  }
  return last ? undefined : { page: page + 1, from: 0 };
}

/** *Previous* and *Next*, where there is one. The value of each is its position. */
export function pagingButtons(
  { previous, next }: ViewPage<unknown>,
  actionIds: { previous: string; next: string },
): Button[] {
  return [
    ...(previous ? [button(actionIds.previous, 'Previous', { value: JSON.stringify(previous) })] : []),
    ...(next ? [button(actionIds.next, 'Next', { value: JSON.stringify(next) })] : []),
  ];
}

/** `Page 2 of 8 · 120 in all`, with what of it is known. A single page is not numbered. */
export function pageIndicator(page: {
  number: number;
  totalPages?: number | undefined;
  totalElements?: number | undefined;
}): Markup {
  const { number, totalPages, totalElements } = page;
  const total = totalElements === undefined ? undefined : `${formatCount(totalElements)} in all`;
  if (number === 0 && totalPages !== undefined && totalPages <= 1 && total !== undefined) {
    return mrkdwn`${total}`;
  }
  const of = totalPages === undefined ? '' : ` of ${Math.max(1, totalPages)}`;
  return mrkdwn`Page ${number + 1}${of}${total === undefined ? '' : ` · ${total}`}`;
}
