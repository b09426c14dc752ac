import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../domain/access/roles.ts';
import { actions, button } from '../block-kit/build.ts';
import {
  anyChoice,
  choiceFilter,
  dateFilter,
  isFiltered,
  personFilter,
} from '../block-kit/inputs/filters.ts';

/** A menu above a list. What is chosen is a text, checked by its schema. */
export interface Filter<Value extends string> {
  schema: z.ZodType<Value>;
  /** Who sees it; by default everyone who sees the list. */
  needs?: Permission;
  element(action: string, chosen: string | undefined): ActionsBlockElement;
}

export type Filters = Readonly<Record<string, Filter<string>>>;

/** What is chosen, by filter; absent where nothing is. */
export type FilterOf<R extends Filters> = {
  -readonly [Name in keyof R]?: (R[Name] extends Filter<infer Value> ? Value : never) | undefined;
};

export const byPerson: Filter<string> = { schema: z.string(), needs: 'administer', element: personFilter };

/** In the time zone of the user, see `readFilterDays`. */
export const byDay = (placeholder: string): Filter<string> => ({
  schema: z.iso.date(),
  element: (action, chosen) => dateFilter(action, placeholder, chosen),
});

/** @param all the choice of everything */
export function byChoice<const Value extends string>(
  all: string,
  words: Readonly<Record<Value, string>>,
): Filter<Value> {
  const isValue = (value: string): value is Value => Object.hasOwn(words, value);
  return {
    schema: z.string().refine(isValue),
    element: (action, chosen) => choiceFilter(action, all, words, chosen),
  };
}

/** What a list does with its filters. `id` is the list's. */
export function filterSet<R extends Filters>(id: string, filters: R) {
  const entries = Object.entries<Filter<string>>(filters);
  const actionOf = (name: string) => `${id}.${name}`;
  const schema = z.object(
    Object.fromEntries(entries.map(([name, filter]) => [name, filter.schema.optional()])),
  );
  const read = (value: unknown) => schema.parse(value) as FilterOf<R>;

  return {
    read,
    isFiltered,
    names: entries.map(([name]) => name),
    actionOf,
    clearAction: actionOf('clear'),

    /** Returns the filter with one of them changed; unchanged where the value cannot be one of its own. */
    changed(filter: FilterOf<R>, name: string, value: string): FilterOf<R> {
      const chosen = value === '' || value === anyChoice ? undefined : value;
      const { data = filter } = schema.safeParse({ ...filter, [name]: chosen });
      return read(data);
    },

    /** Slack shows the values that the app sets only in a block with a new id. */
    blocks: (filter: FilterOf<R>, permissions: ReadonlySet<Permission>): KnownBlock[] =>
      entries.length === 0
        ? []
        : [
            actions(
              `${id}_filter ${JSON.stringify(filter)}`,
              ...entries
                .filter(([, { needs }]) => needs === undefined || permissions.has(needs))
                .map(([name, { element }]) => element(actionOf(name), filter[name])),
              ...(isFiltered(filter) ? [button(actionOf('clear'), 'Clear filters')] : []),
            ),
          ],
  };
}
