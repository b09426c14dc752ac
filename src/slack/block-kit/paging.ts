import type { Button } from '@slack/types';
import { z } from 'zod';
import { unreadableNote } from '../../services/workspaces/account-list-cache.ts';
import { button, present } from './build.ts';
import { formatCount } from './plural.ts';
import { type Markup, mrkdwn } from './text.ts';

/** The action ids of the buttons that page a list. `newest` is for lists that are paged by cursors. */
export interface PagingActions {
  newest?: string;
  previous: string;
  next: string;
}

/** The positions in a list that its buttons lead to, each where there is one. */
export interface Neighbours<Position> {
  newest?: Position | undefined;
  previous?: Position | undefined;
  next?: Position | undefined;
}

/** *Newest*, *Previous* and *Next*. The value of each is its position as JSON. */
export function pagingButtons<Position extends object>(
  { newest, previous, next }: Neighbours<Position>,
  actionIds: PagingActions,
): Button[] {
  const steps = [
    [actionIds.newest, 'Newest', newest],
    [actionIds.previous, 'Previous', previous],
    [actionIds.next, 'Next', next],
  ] as const;
  return steps.flatMap(([actionId, text, to]) =>
    actionId === undefined || to === undefined ? [] : [button(actionId, text, { value: JSON.stringify(to) })],
  );
}

/** A position in a list paged by cursors: the cursor it starts after, and the cursors of the pages before it. */
export const cursorPositionSchema = z.object({ after: z.string(), by: z.array(z.string()) });
export type CursorPosition = z.infer<typeof cursorPositionSchema>;

export const firstCursor: CursorPosition = { after: '', by: [] };

/** Of a position as JSON: it is the value of a button. */
const maxLength = 2_000;

/** Returns the neighbours of a position. What it has beside its cursors, such as a filter, they have too. */
export function cursorPages<Position extends CursorPosition>(
  position: Position,
  next: string | undefined,
): Neighbours<Position> {
  const { after, by } = position;
  return {
    newest: by.length > 1 ? { ...position, ...firstCursor } : undefined,
    previous: after === '' ? undefined : { ...position, after: by.at(-1) ?? '', by: by.slice(0, -1) },
    next: next === undefined ? undefined : shortened({ ...position, after: next, by: [...by, after] }),
  };
}

/** The position without the earliest cursors where all of them would be too long. */
function shortened<Position extends CursorPosition>(position: Position): Position {
  return position.by.length > 0 && JSON.stringify(position).length > maxLength
    ? shortened({ ...position, by: position.by.slice(1) })
    : position;
}

/** A position in a list of the provider: its page, and the record on it that is shown first. */
export const pagePositionSchema = z.object({ page: z.int().min(0), from: z.int().min(0) });
export type PagePosition = z.infer<typeof pagePositionSchema>;

export const firstPosition: PagePosition = { page: 0, from: 0 };

/**
 * Returns as much of a page as a view has room for, with the neighbours: a provider without paging, or with pages longer
 * than a view, returns more. `most` is by default the whole page.
 */
export function viewPageOf<T>(
  records: readonly T[],
  { page, from }: PagePosition,
  { last, most = Number.POSITIVE_INFINITY }: { last: boolean; most?: number },
): Neighbours<PagePosition> & { shown: readonly T[] } {
  const before = from > 0 ? { page, from: Math.max(0, from - most) } : { page: page - 1, from: 0 };
  const after = records.length > from + most ? { page, from: from + most } : { page: page + 1, from: 0 };
  return {
    shown: records.slice(from, from + most),
    previous: before.page < 0 ? undefined : before,
    next: last && after.page > page ? undefined : after,
  };
}

/**
 * `Page 2 of 8 · 120 total`, with any note, and how many entries are hidden because they are unreadable. A
 * single page has no number.
 */
export function pageIndicator(page: {
  number: number;
  totalPages?: number | undefined;
  totalElements?: number | undefined;
  unreadable?: readonly unknown[] | undefined;
}): Markup {
  const { number, totalPages, totalElements, unreadable = [] } = page;
  const isOnlyPage =
    number === 0 && totalPages !== undefined && totalPages <= 1 && totalElements !== undefined;
  const of = totalPages === undefined ? '' : ` of ${Math.max(1, totalPages)}`;
  const parts = present(
    !isOnlyPage && `Page ${number + 1}${of}`,
    totalElements !== undefined && `${formatCount(totalElements)} total`,
    unreadableNote(unreadable.length),
  );
  return mrkdwn`${parts.join(' · ')}`;
}
