import { z } from 'zod';
import type { HistoryReader } from '../../../services/history/history.ts';
import { type CursorPosition, firstCursor } from '../../block-kit/paging/cursor-position.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { shownFilterSchema } from './filter.ts';

/** What of the history is shown. */
export const historyQuerySchema = z.object({
  filter: shownFilterSchema,
  after: z.string(),
  by: z.array(z.string()),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

export function firstPageOf(filter: HistoryQuery['filter']): HistoryQuery {
  return { filter, ...firstCursor };
}

/** Of a query as JSON: it is the value of a button. */
const maxLength = 2_000;

/** The query as the value of a button, without the earliest pages where all of them would be too long. */
export function writeQuery({ filter, after, by }: HistoryQuery): string {
  const value = JSON.stringify({ filter, after, by });
  return value.length > maxLength ? writeQuery({ filter, after, by: by.slice(1) }) : value;
}

/** What no button of ours has as its value is the first page. */
export function readQuery(value: string): HistoryQuery {
  try {
    return historyQuerySchema.parse(JSON.parse(value));
  } catch {
    return firstPageOf({});
  }
}

export function pageAfter({ filter, after, by }: HistoryQuery, next: string): HistoryQuery {
  return { filter, after: next, by: [...by, after] };
}

export function pageBefore({ filter, by }: HistoryQuery): HistoryQuery {
  const position: CursorPosition = { after: by.at(-1) ?? '', by: by.slice(0, -1) };
  return { filter, ...position };
}

/** Only an admin reads everyone's history, whatever the view says. */
export function historyReader({ workspaceId, userId, permissions }: Viewer): HistoryReader {
  return { workspaceId, userId, scope: permissions.has('administer') ? 'everyone' : 'own' };
}
