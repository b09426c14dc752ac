import type { CountryRule } from '../../domain/limits/limit-settings.ts';
import {
  describeCountry,
  isAllowed,
  type NumberCountry,
  noCountry,
} from '../../domain/limits/number-country.ts';
import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { type CountryCode, isCountry } from '../../domain/phone/countries.ts';

/** How many recipients each country has, by its code. */
export type CountryCounts = Readonly<Record<string, number>>;

/** Returns why a list is refused that has recipients in countries that are not allowed. */
export function refuseCountries(
  counts: CountryCounts,
  rule: CountryRule,
  { own, subject }: { own: CountryCode; subject: 'messages' | 'codes' },
): ReachedLimit | undefined {
  const refused = Object.entries(counts)
    .map(([code, recipients]) => ({ country: countryWith(code), recipients }))
    .filter(({ country }) => !isAllowed(country, rule, own));
  if (refused.length === 0) {
    return undefined;
  }
  return {
    reason: {
      rule: 'country',
      subject,
      countries: refused.map(({ country }) => describeCountry(country)).sort(),
      recipients: refused.reduce((sum, { recipients }) => sum + recipients, 0),
    },
    freesAt: undefined,
  };
}

function countryWith(code: string): NumberCountry {
  return isCountry(code) ? code : noCountry;
}
