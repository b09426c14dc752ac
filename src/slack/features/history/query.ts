import type { ActionsBlock } from '@slack/types';
import { z } from 'zod';
import {
  type HistoryFilter,
  type HistoryReader,
  type HistorySubject,
  historyStates,
  historySubjects,
} from '../../../services/history/history.ts';
import { actions, button } from '../../block-kit/build.ts';
import {
  changeFilter,
  choiceFilter,
  dateFilter,
  filterDays,
  isFiltered,
  personFilter,
  readFilterDays,
} from '../../block-kit/inputs/filters.ts';
import { cursorPositionSchema, firstCursor } from '../../block-kit/paging.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { stateWords } from '../../notifier/history-line.ts';

/** What a user has chosen, as it is on the screen. */
export const shownFilterSchema = z.object({
  person: z.string().optional(),
  kind: z.enum(historySubjects).optional(),
  state: z.enum(historyStates).optional(),
  ...filterDays,
});
export type ShownFilter = z.infer<typeof shownFilterSchema>;

/** What of the history is shown. */
export const historyQuerySchema = cursorPositionSchema.extend({ filter: shownFilterSchema });
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

export function firstPageOf(filter: ShownFilter): HistoryQuery {
  return { filter, ...firstCursor };
}

/** Only an admin reads everyone's history, whatever the view says. */
export function historyReader({ workspaceId, userId, permissions }: Viewer): HistoryReader {
  return { workspaceId, userId, scope: permissions.has('administer') ? 'everyone' : 'own' };
}

/** The actions of the filters, by the property of `ShownFilter` that each sets. */
export const filterActions = {
  person: 'history_person',
  kind: 'history_kind',
  state: 'history_state',
  from: 'history_from',
  to: 'history_to',
} as const;
export type FilterField = keyof typeof filterActions;

export const clearFilterAction = 'history_clear';

const subjectWords: Readonly<Record<HistorySubject, string>> = {
  sms: 'Messages',
  campaign: 'Campaigns',
  otp: 'One-time codes',
  sender_id: 'Sender IDs',
  contact: 'Contacts',
  esim: 'eSIMs',
};

const stateTitles = Object.fromEntries(
  Object.entries(stateWords).map(([state, word]) => [
    state,
    `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  ]),
);

export function toHistoryFilter({ person, kind, state, ...days }: ShownFilter, zone: string): HistoryFilter {
  return { userId: person, subject: kind, state, ...readFilterDays(days, zone) };
}

const blockPrefix = 'history_filter ';

/**
 * The filters. The id of their block holds what is chosen: in a message nothing else comes back with a click, and Slack
 * shows the values that the app sets only in a block with a new id.
 */
export function filterBlock(filter: ShownFilter, { isAdmin }: { isAdmin: boolean }): ActionsBlock {
  return actions(
    `${blockPrefix}${JSON.stringify(filter)}`,
    ...(isAdmin ? [personFilter(filterActions.person, filter.person)] : []),
    choiceFilter(filterActions.kind, 'All kinds', subjectWords, filter.kind),
    choiceFilter(filterActions.state, 'All states', stateTitles, filter.state),
    dateFilter(filterActions.from, 'From', filter.from),
    dateFilter(filterActions.to, 'To', filter.to),
    ...(isFiltered(filter) ? [button(clearFilterAction, 'Clear filters')] : []),
  );
}

/** Returns the filter of a block with one field changed. */
export function changeFilterOf(blockId: string, field: FilterField, value: string): ShownFilter {
  const current = z
    .preprocess(parseJson, shownFilterSchema)
    .catch({})
    .parse(blockId.slice(blockPrefix.length));
  return changeFilter(shownFilterSchema, current, field, value);
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
