import type { InputBlock } from '@slack/types';
import { type Country, countries } from '../../../domain/phone/countries.ts';
import { option } from '../build.ts';
import { limits } from '../limits.ts';
import { searchInput } from './fields.ts';

export const phoneCountryAction = 'country';

/** A searched select of the countries, by name, code or calling code. `chosen` is a country's code; nothing is chosen for any other. */
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
    chosen: country && countryOption(country),
    hint,
  });
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
