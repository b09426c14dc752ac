import type { Datepicker, StaticSelect, UsersSelect } from '@slack/types';
import { endOfDay, startOfDay } from '../../../domain/time/start-time.ts';
import { option } from '../build.ts';
import { plain } from '../text.ts';
import { select } from './fields.ts';

/** The value for *any*, because a select cannot be emptied. */
export const anyChoice = 'any';

/** Returns the beginning of the first day and the end of the last one, in the time zone of the user. */
export function readFilterDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  zone: string,
): { from: Date | undefined; until: Date | undefined } {
  return {
    from: from === undefined ? undefined : startOfDay(from, zone),
    until: to === undefined ? undefined : endOfDay(to, zone),
  };
}

export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function personFilter(actionId: string, userId: string | undefined): UsersSelect {
  return {
    type: 'users_select',
    action_id: actionId,
    placeholder: plain('Anyone'),
    ...(userId !== undefined && { initial_user: userId }),
  };
}

/** @param words the text of each choice */
export function choiceFilter(
  actionId: string,
  all: string,
  words: Readonly<Record<string, string>>,
  chosen: string = anyChoice,
): StaticSelect {
  const options = [
    option(all, anyChoice),
    ...Object.entries(words).map(([value, text]) => option(text, value)),
  ];
  return { ...select(actionId, options, chosen), placeholder: plain(all) };
}

export function dateFilter(actionId: string, placeholder: string, date: string | undefined): Datepicker {
  return {
    type: 'datepicker',
    action_id: actionId,
    placeholder: plain(placeholder),
    ...(date !== undefined && { initial_date: date }),
  };
}
