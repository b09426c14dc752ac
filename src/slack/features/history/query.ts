import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { filterStates, type HistoryFilter } from '../../../services/history/history.ts';
import { choiceFilter, readFilterDays } from '../../block-kit/inputs/filters.ts';
import { cursorPositionSchema, firstCursor } from '../../block-kit/paging.ts';
import { byChoice, byDay, byPerson, type Filter, filterSet } from '../../kit/filters.ts';
import { stateWords } from '../../notifier/history-line.ts';

const byState: Filter<(typeof filterStates)[number]> = {
  schema: z.enum(filterStates),
  element: (action, chosen) => choiceFilter(action, 'All states', stateTitles, chosen),
};

const { accepted, ...otherWords } = stateWords;
const stateTitles = Object.fromEntries(
  Object.entries({ accepted, not_delivered: 'not delivered', ...otherWords }).map(([state, word]) => [
    state,
    `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  ]),
);

const ownFilters = {
  kind: byChoice('All kinds', {
    sms: 'Messages',
    campaign: 'Campaigns',
    otp: 'One-time codes',
    sender_id: 'Sender IDs',
    contact: 'Contacts',
    esim: 'eSIMs',
  }),
  state: byState,
  from: byDay('From'),
  to: byDay('To'),
};
const own = filterSet('history', ownFilters);
export const filters = filterSet('history', { person: byPerson, ...ownFilters });

/** What a user has chosen, as it is on the screen. */
export type ShownFilter = ReturnType<typeof filters.read>;

/** The menus of the filters: that of a person is for admins. */
export function filterBlocks(filter: ShownFilter, isAdmin: boolean): KnownBlock[] {
  return (isAdmin ? filters : own).blocks(filter);
}

export const shownFilterSchema = z.object({ filter: z.unknown().transform(filters.read) });

/** What of the history is shown. */
export const historyQuerySchema = cursorPositionSchema.extend(shownFilterSchema.shape);
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

export function firstPageOf(filter: ShownFilter): HistoryQuery {
  return { filter, ...firstCursor };
}

export function toHistoryFilter({ person, kind, state, ...days }: ShownFilter, zone: string): HistoryFilter {
  return { userId: person, subject: kind, state, ...readFilterDays(days, zone) };
}
