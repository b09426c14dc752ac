import type { ActionsBlock, ActionsBlockElement } from '@slack/types';
import { z } from 'zod';
import { endOfDay, startOfDay } from '../../../domain/time/start-of-day.ts';
import {
  type HistoryFilter,
  type HistorySubject,
  historyStates,
  historySubjects,
} from '../../../services/history/history-filter.ts';
import { actions, button, option } from '../../block-kit/build.ts';
import { plain } from '../../block-kit/text.ts';
import { stateWords } from '../../notifier/history-line.ts';

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

/** What stands for any kind and any state: a select cannot be emptied. */
const any = 'any';

/** What a user has chosen, as it is on the screen. Days are in their time zone, and both are included. */
export const shownFilterSchema = z.object({
  person: z.string().optional(),
  kind: z.enum(historySubjects).optional(),
  state: z.enum(historyStates).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
export type ShownFilter = z.infer<typeof shownFilterSchema>;

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

export function toHistoryFilter({ person, kind, state, from, to }: ShownFilter, zone: string): HistoryFilter {
  return {
    userId: person,
    subject: kind,
    state,
    from: from === undefined ? undefined : startOfDay(from, zone),
    until: to === undefined ? undefined : endOfDay(to, zone),
  };
}

export function isFiltered(filter: ShownFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

const blockPrefix = 'history_filter ';

/**
 * The filters. The id of their block holds what is chosen: in a message nothing else comes back with a click, and Slack
 * shows the values that the app sets only in a block with a new id.
 */
export function filterBlock(filter: ShownFilter, { isAdmin }: { isAdmin: boolean }): ActionsBlock {
  return actions(
    `${blockPrefix}${JSON.stringify(filter)}`,
    ...(isAdmin ? [personSelect(filter)] : []),
    select(filterActions.kind, 'All kinds', filter.kind, subjectWords),
    select(filterActions.state, 'All states', filter.state, stateTitles),
    datePicker(filterActions.from, 'From', filter.from),
    datePicker(filterActions.to, 'To', filter.to),
    ...(isFiltered(filter) ? [button(clearFilterAction, 'Clear filters')] : []),
  );
}

/** Returns the filter of a block with one field changed; what cannot be one is no filter. */
export function changeFilter(blockId: string, field: FilterField, value: string): ShownFilter {
  const current = z
    .preprocess(parseJson, shownFilterSchema)
    .catch({})
    .parse(blockId.slice(blockPrefix.length));
  const chosen = value === '' || value === any ? undefined : value;
  return shownFilterSchema.catch(current).parse({ ...current, [field]: chosen });
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function personSelect({ person }: ShownFilter): ActionsBlockElement {
  return {
    type: 'users_select',
    action_id: filterActions.person,
    placeholder: plain('Anyone'),
    ...(person === undefined ? {} : { initial_user: person }),
  };
}

function select(
  actionId: string,
  all: string,
  chosen: string | undefined,
  words: Readonly<Record<string, string>>,
): ActionsBlockElement {
  const options = [option(all, any), ...Object.entries(words).map(([value, text]) => option(text, value))];
  const initial = options.find(({ value }) => value === chosen) ?? options[0];
  return {
    type: 'static_select',
    action_id: actionId,
    placeholder: plain(all),
    options,
    ...(initial === undefined ? {} : { initial_option: initial }),
  };
}

function datePicker(actionId: string, placeholder: string, date: string | undefined): ActionsBlockElement {
  return {
    type: 'datepicker',
    action_id: actionId,
    placeholder: plain(placeholder),
    ...(date === undefined ? {} : { initial_date: date }),
  };
}
