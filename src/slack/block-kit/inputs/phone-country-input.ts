import type { InputBlock } from '@slack/types';
import { type Country, countries } from '../../../domain/phone/countries.ts';
import { input, option } from '../build.ts';
import { limits } from '../limits.ts';

export const phoneCountryAction = 'country';

/** A searched select of the countries, by name, code or calling code. */
export function phoneCountryInput(
  blockId: string,
  chosen: string,
  hint: string,
  { optional = false }: { optional?: boolean } = {},
): InputBlock {
  return input(
    blockId,
    'Country',
    {
      type: 'external_select',
      action_id: phoneCountryAction,
      min_query_length: 0,
      ...initialCountry(chosen),
    },
    { hint, optional },
  );
}

export function phoneCountryOptions(query: string) {
  const wanted = query.trim().toLowerCase();
  const matches = countries.filter(
    (country) =>
      countryLabel(country).toLowerCase().includes(wanted) || country.code.toLowerCase() === wanted,
  );
  return matches.slice(0, limits.options).map(countryOption);
}

function countryOption(country: Country) {
  return option(countryLabel(country), country.code);
}

function countryLabel({ name, callingCode }: Country): string {
  return `${name} (+${callingCode})`;
}

/** Returns the property of a select that has a country chosen; none if the code is no country’s. */
export function initialCountry(code: string) {
  const country = countries.find((candidate) => candidate.code === code);
  return country === undefined ? {} : { initial_option: countryOption(country) };
}
