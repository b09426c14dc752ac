import type { Button } from '@slack/types';
import { z } from 'zod';
import { button } from '../build.ts';

/** A position in a list that is paged by cursors: the cursor it starts after, and those of the pages before it. */
export const cursorPositionSchema = z.object({ after: z.string(), by: z.array(z.string()) });
export type CursorPosition = z.infer<typeof cursorPositionSchema>;

export const firstCursor: CursorPosition = { after: '', by: [] };

/** Of the position as JSON. Slack: 3,000 characters of private metadata. */
const maxLength = 2_000;

/** Returns the next page's position, without the earliest cursors where all of them would be too long. */
export function nextCursor({ after, by }: CursorPosition, next: string): CursorPosition {
  const path = [...by, after];
  while (JSON.stringify([next, ...path]).length > maxLength) {
    path.shift();
  }
  return { after: next, by: path };
}

/** Returns the previous page's position; the first one, where the cursors before it are no longer known. */
export function previousCursor({ by }: CursorPosition): CursorPosition {
  return { after: by.at(-1) ?? '', by: by.slice(0, -1) };
}

/** *Newest*, *Previous* and *Next*, where there is one. The value of *Next* is the cursor it continues from. */
export function cursorButtons(
  { after, by }: CursorPosition,
  next: string | undefined,
  actionIds: { newest: string; previous: string; next: string },
): Button[] {
  return [
    ...(by.length > 1 ? [button(actionIds.newest, 'Newest')] : []),
    ...(after === '' ? [] : [button(actionIds.previous, 'Previous')]),
    ...(next === undefined ? [] : [button(actionIds.next, 'Next', { value: next })]),
  ];
}
