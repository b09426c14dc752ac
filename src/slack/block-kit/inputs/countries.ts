import type { InputBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { type Country, countries } from '../../../domain/phone/countries.ts';
import { countryNamed, findCountries, type NamedCountry } from '../../../domain/phone/country-names.ts';
import { option } from '../build.ts';
import { limits } from '../limits.ts';
import { searchInput, select } from './fields.ts';

const everyCountry = 'all';
const every = option('All countries', everyCountry);

/** A searched select of all countries, by name, alpha-2 or alpha-3 code; `countryOptions` are its options. */
export function countrySearch(
  blockId: string,
  actionId: string,
  chosen: NamedCountry | undefined,
  options: { every?: boolean | undefined; dispatch?: boolean | undefined },
): InputBlock {
  const initial = chosen === undefined ? (options.every ? every : undefined) : countryOption(chosen);
  return searchInput(blockId, 'Country', {
    actionId,
    placeholder: 'A name or a code',
    chosen: initial,
    dispatch: options.dispatch,
  });
}

/** The options for a query; `note` tells if there are more. */
export function countryOptions(
  query: string,
  { withEvery }: { withEvery: boolean },
): { options: PlainTextOption[]; note?: string | undefined } {
  const found = findCountries(query);
  const first = withEvery && query.trim() === '' ? [every] : [];
  const room = limits.options - first.length;
  const offered = [...first, ...found.slice(0, room).map(countryOption)];
  return found.length <= room
    ? { options: offered }
    : { options: offered, note: `The first ${room} of ${found.length}: type to find the others` };
}

/** A select of some countries, by alpha-3 code, in as many option groups as Slack's limit needs. */
export function countrySelect(
  actionId: string,
  codes: readonly string[],
  chosen: string | undefined,
): StaticSelect {
  const offered = codes
    .map((code) => option(countryLabel(code), code))
    .sort((one, other) => one.text.text.localeCompare(other.text.text, 'en'));
  const groups = chunksOf(offered, limits.options).map((options) => ({
    label: {
      type: 'plain_text' as const,
      text: `${options[0]?.text.text} – ${options.at(-1)?.text.text}`.slice(0, limits.optionText),
    },
    options,
  }));
  const element = select(actionId, offered, chosen);
  const { options: _, ...grouped } = element;
  return groups.length === 1 ? element : { ...grouped, option_groups: groups.slice(0, limits.options) };
}

/** The country's name; the code itself if it is no country's. */
export function countryLabel(code: string): string {
  return countryNamed(code)?.name ?? code;
}

function countryOption({ name, iso3 }: NamedCountry): PlainTextOption {
  return option(name, iso3);
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

export const phoneCountryAction = 'country';

/** A select that finds countries by name, code or calling code. `chosen`: the code of a country; others are ignored. */
export function phoneCountryInput(
  blockId: string,
  chosen: string,
  hint: string,
  options: { optional?: boolean; placeholder?: string } = {},
): InputBlock {
  const country = countries.find(({ code }) => code === chosen);
  return searchInput(blockId, 'Country', {
    ...options,
    actionId: phoneCountryAction,
    chosen: country && phoneCountryOption(country),
    hint,
  });
}

export function phoneCountryOptions(query: string) {
  const wanted = query.trim().toLowerCase();
  const matches = countries.filter(
    (country) =>
      phoneCountryLabel(country).toLowerCase().includes(wanted) || country.code.toLowerCase() === wanted,
  );
  return matches.slice(0, limits.options).map(phoneCountryOption);
}

function phoneCountryOption(country: Country) {
  return option(phoneCountryLabel(country), country.code);
}

function phoneCountryLabel({ name, callingCode }: Country): string {
  return `${name} (+${callingCode})`;
}
