import iso from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { editDistance } from '../../lib/edit-distance.ts';

/** A country by its codes (ISO 3166-1) and its English name. */
export interface NamedCountry {
  /** Alpha-2, in capitals: `NG`. */
  iso2: string;
  /** Alpha-3, in capitals: `NGA`. */
  iso3: string;
  name: string;
}

// Not by the package's main entry, which loads the names in all languages.
iso.registerLocale(english);

const shortNames = new Intl.DisplayNames('en', { type: 'region' });

/** The search keys of a country, folded. The first of `names` is displayed. */
interface Entry {
  country: NamedCountry;
  codes: readonly string[];
  names: readonly string[];
}

const entries: readonly Entry[] = Object.entries(iso.getAlpha2Codes())
  .map(([iso2, iso3]) => {
    const name = shortNames.of(iso2) ?? iso2;
    const others = iso.getName(iso2, 'en', { select: 'all' }) ?? [];
    return {
      country: { iso2, iso3, name },
      codes: [fold(iso2), fold(iso3)],
      names: [name, ...others].map(fold),
    };
  })
  .sort((one, other) => one.country.name.localeCompare(other.country.name, 'en'));

/**
 * Finds countries by alpha-2, alpha-3 or a part of any of their English names, ignoring case, accents and punctuation:
 * exact matches first, then names that begin with the text, then the others. An empty text finds all countries.
 */
export function findCountries(text: string): NamedCountry[] {
  const wanted = fold(text);
  return entries
    .map(({ country, ...entry }) => ({ country, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((one, other) => one.rank - other.rank)
    .map(({ country }) => country);
}

/** By code and whole name; of two countries with one name the first. */
const byKey: ReadonlyMap<string, NamedCountry> = new Map(
  entries
    .toReversed()
    .flatMap(({ country, codes, names }) => [...names, ...codes].map((key) => [key, country])),
);

/** Returns the country with this code or whole name. No country has a longer name than 100 characters. */
export function countryNamed(text: string): NamedCountry | undefined {
  return byKey.get(fold(text.slice(0, 100)));
}

/** How many countries to suggest. */
const maxSuggested = 3;

/** Returns the countries that a text may mean which names none of them: part of a name of several, or a misspelt name. */
export function suggestCountries(text: string): NamedCountry[] {
  const found = findCountries(text.slice(0, 100));
  if (found.length > 0) {
    return found.slice(0, maxSuggested);
  }
  const wanted = fold(text.slice(0, 100));
  const misspelt = entries.map(({ country, names }) => ({
    country,
    distance: Math.min(...names.map((name) => editDistance(wanted, name))),
  }));
  const least = Math.min(Math.ceil(wanted.length / 4), ...misspelt.map(({ distance }) => distance));
  const closest = misspelt.filter(({ distance }) => distance === least);
  return closest.slice(0, maxSuggested).map(({ country }) => country);
}

const noMatch = 3;

function rankOf({ codes, names }: Omit<Entry, 'country'>, wanted: string): number {
  if (wanted !== '' && (codes.includes(wanted) || names.includes(wanted))) {
    return 0;
  }
  if (names.some((name) => name.startsWith(wanted))) {
    return 1;
  }
  return names.some((name) => name.includes(wanted)) ? 2 : noMatch;
}

/** Reduces a text to letters and digits without accents, so that `cote d ivoire` matches `Côte d’Ivoire`. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
