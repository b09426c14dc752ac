import type { Json } from '../../lib/json.ts';

export interface CatalogueCountry {
  iso2: string;
  iso3: string;
  name: string;
  region: string;
}

const countryLines = `
  NG NGA Africa Nigeria
  GH GHA Africa Ghana
  KE KEN Africa Kenya
  ZA ZAF Africa South Africa
  EG EGY Africa Egypt
  RW RWA Africa Rwanda
  SN SEN Africa Senegal
  GB GBR Europe United Kingdom
  FR FRA Europe France
  DE DEU Europe Germany
  IT ITA Europe Italy
  ES ESP Europe Spain
  PT PRT Europe Portugal
  TR TUR Europe Türkiye
  AE ARE Asia United Arab Emirates
  IN IND Asia India
  JP JPN Asia Japan
  US USA Americas United States
  CA CAN Americas Canada
  BR BRA Americas Brazil`;

export const catalogueCountries: readonly CatalogueCountry[] = countryLines
  .trim()
  .split('\n')
  .map((line) => {
    const [iso2 = '', iso3 = '', region = '', ...name] = line.trim().split(' ');
    return { iso2, iso3, region, name: name.join(' ') };
  });

export interface CataloguePlan {
  productId: string;
  name: string;
  gigabytes: number;
  days: number;
  type: 'LOCAL' | 'REGION';
  /** In naira. */
  price: number;
  countries: readonly CatalogueCountry[];
}

/** The two sizes of a plan, with the price of a gigabyte in naira. */
const sizes = [
  { gigabytes: 1, days: 7, price: 1800 },
  { gigabytes: 5, days: 30, price: 1450 },
] as const;

const local = catalogueCountries
  .filter(({ iso2 }) => 'NG GH KE ZA GB FR AE US'.includes(iso2))
  .map((country) => ({ type: 'LOCAL' as const, code: country.iso2, of: country.name, countries: [country] }));

const regional = ['Africa', 'Europe'].map((region) => ({
  type: 'REGION' as const,
  code: region,
  of: region,
  countries: catalogueCountries.filter((country) => country.region === region),
}));

/** The plans for sale: more than one page. */
export const plans: readonly CataloguePlan[] = [...local, ...regional].flatMap(
  ({ type, code, of, countries: where }) =>
    sizes.map(({ gigabytes, days, price }) => ({
      productId: `${code.toLowerCase()}-${gigabytes}gb-${days}d`,
      name: `${of} ${gigabytes} GB, ${days} days`,
      gigabytes,
      days,
      type,
      price: gigabytes * price * (type === 'REGION' ? 2 : 1),
      countries: where,
    })),
);

export function findPlan(productId: string): CataloguePlan | undefined {
  return plans.find((plan) => plan.productId === productId);
}

/** Returns the country of a plan by its three-letter code, or its first country without a code. */
export function countryIn(plan: CataloguePlan, iso3: string | undefined): CatalogueCountry | undefined {
  return iso3 === undefined ? plan.countries[0] : plan.countries.find((country) => country.iso3 === iso3);
}

/** Whether a filter matches a country by name or code, ignoring case. */
export function matchesCountry({ name, iso2, iso3 }: CatalogueCountry, filter: string): boolean {
  return [name, iso2, iso3].some((word) => word.toLowerCase() === filter.toLowerCase());
}

/** Formats a plan for the answer of an eSIM, without its price (API §2.9). */
export function describePlan(plan: CataloguePlan, country: CatalogueCountry): Record<string, Json> {
  return {
    productId: plan.productId,
    name: plan.name,
    dataUsageAllowance: plan.gigabytes,
    timeAllowance: plan.days,
    country: country.name,
    iso3: country.iso3,
    region: country.region,
    dataPlanType: plan.type,
  };
}
