import type { Button } from '@slack/types';
import { z } from 'zod';
import { button } from '../build.ts';

/**
 * Where one stands in a list that goes on by cursors: after which of its entries, and the pages one came by. Empty:
 * from the beginning.
 */
export const cursorPositionSchema = z.object({ after: z.string(), by: z.array(z.string()) });
export type CursorPosition = z.infer<typeof cursorPositionSchema>;

export const firstCursor: CursorPosition = { after: '', by: [] };

/** Of all cursors together. Slack: 3,000 characters of private metadata. */
const longest = 2_000;

export function nextCursor({ after, by }: CursorPosition, next: string): CursorPosition {
  const longer = [...by, after];
  while (JSON.stringify([next, ...longer]).length > longest) {
    longer.shift();
  }
  return { after: next, by: longer };
}

/** Where what one came by is no longer known, this leads to the beginning. */
export function previousCursor({ by }: CursorPosition): CursorPosition {
  return { after: by.at(-1) ?? '', by: by.slice(0, -1) };
}

/** *Newest*, *Previous* and *Next*, as far as there is one. The value of *Next* is the cursor it goes on from. */
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
