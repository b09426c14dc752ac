import iso from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

/** A country by its codes (ISO 3166-1) and its English name. */
export interface NamedCountry {
  /** Alpha-2, in capitals: `NG`. */
  iso2: string;
  /** Alpha-3, in capitals: `NGA`. */
  iso3: string;
  name: string;
}

// Not through the package's own entry, which reads the names in all its languages.
iso.registerLocale(english);

const shortNames = new Intl.DisplayNames('en', { type: 'region' });

/** What a country may be looked up by: `names` begin with the one that is shown. All are folded. */
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
 * The countries that a person may mean, by alpha-2, alpha-3 or a part of any of their English names, whatever the case,
 * the accents and the signs: first whose code it is, then whose name begins so, then the others. All of them for an empty text.
 */
export function findCountries(text: string): NamedCountry[] {
  const wanted = fold(text);
  return entries
    .map(({ country, ...entry }) => ({ country, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank < notMeant)
    .sort((one, other) => one.rank - other.rank)
    .map(({ country }) => country);
}

/** The one country that a text names, by code or by its whole name. */
export function countryNamed(text: string): NamedCountry | undefined {
  const wanted = fold(text);
  return entries.find(({ codes, names }) => codes.includes(wanted) || names.includes(wanted))?.country;
}

const notMeant = 3;

function rankOf({ codes, names }: Omit<Entry, 'country'>, wanted: string): number {
  if (wanted !== '' && (codes.includes(wanted) || names.includes(wanted))) {
    return 0;
  }
  if (names.some((name) => name.startsWith(wanted))) {
    return 1;
  }
  return names.some((name) => name.includes(wanted)) ? 2 : notMeant;
}

/** Letters and digits alone, without accents: `cote d ivoire` is `Côte d’Ivoire`. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
