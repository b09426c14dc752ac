import { quickCountryOf } from '../limits/number-country.ts';
import type { PhoneNumber } from '../phone/phone-number.ts';

/** How many pages go to each country, by its alpha-2 code; `unknownCountry` where the country is not known. */
export type CountryPages = Readonly<Record<string, number>>;

export const unknownCountry = '';

/** Returns the pages of a message to numbers in E.164, which takes as many pages for each of them. */
export function countryPagesOf(numbers: readonly PhoneNumber[], pagesEach: number): CountryPages {
  const pages: Record<string, number> = {};
  for (const number of numbers) {
    const country = quickCountryOf(number);
    pages[country] = (pages[country] ?? 0) + pagesEach;
  }
  return pages;
}

/**
 * Returns the pages of a list, which were counted when it was imported.
 *
 * @param list.countries how many recipients each country has, from which they follow where there is only one
 */
export function countryPagesOfList({
  pages,
  countries,
  countryPages,
}: {
  pages: number;
  countries?: Readonly<Record<string, number>> | undefined;
  countryPages?: CountryPages | undefined;
}): CountryPages {
  const [only, ...others] = Object.keys(countryPages ?? countries ?? {});
  if (only !== undefined && others.length === 0) {
    return { [only]: pages };
  }
  return countryPages ?? { [unknownCountry]: pages };
}
