import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Json, JsonObject } from '../../lib/json.ts';
import { lagosTimestamp } from '../../lib/lagos-time.ts';
import { type FullReply, ok } from '../http/replies.ts';
import { pageOf, pagingFields, tokenInHeader } from '../http/request-checks.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';

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

const catalogueCountries: readonly CatalogueCountry[] = countryLines
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
const plans: readonly CataloguePlan[] = [...local, ...regional].flatMap(
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
function matchesCountry({ name, iso2, iso3 }: CatalogueCountry, filter: string): boolean {
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

/** Wraps data in the envelope of some eSIM operations (API §4.13). */
export function inEnvelope(data: JsonObject, message: string, { now }: OperationContext): FullReply {
  return ok({ status: 'Success', code: 200, data, message, timestamp: lagosTimestamp(now) });
}

/** Facts: a token is valid for a day. */
const lifetimeSeconds = 24 * 60 * 60;

/** API §4.13.1. The token has the name of the example and the form of a JWT. Its signature is random. */
export const answerAuthenticate = operation({
  name: 'esims.authenticate',
  method: 'POST',
  path: '/api/esim/authenticate',
  fields: z.strictObject({}),
  answer(_fields, { account, state, now }) {
    const issued = Math.floor(now.getTime() / 1000);
    const expires = issued + lifetimeSeconds;
    const token = [
      encode({ alg: 'HS256', typ: 'JWT' }),
      encode({ sub: String(account.applicationId), iat: issued, exp: expires }),
      randomBytes(32).toString('base64url'),
    ].join('.');
    state.esimTokens.push({ token, account: account.key, expiresAt: new Date(expires * 1000).toISOString() });
    return ok({ token });
  },
});

function encode(part: JsonObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** API §4.13.2. */
const listPlans = operation({
  name: 'esims.plans',
  method: 'GET',
  path: '/api/esim/data/plan/fetch',
  credentials: tokenInHeader,
  fields: z.strictObject({
    country: z.string().exactOptional(),
    type: z.enum(['LOCAL', 'REGION']).exactOptional(),
    ...pagingFields,
  }),
  answer({ country, type, ...paging }, context) {
    const found = plans.filter(
      (plan) =>
        (country === undefined || plan.countries.some((supported) => matchesCountry(supported, country))) &&
        (type === undefined || plan.type === type),
    );
    return inEnvelope(pageOf(found.map(listedPlan), paging), 'Data plans fetched successfully', context);
  },
});

function listedPlan({
  productId,
  name,
  gigabytes,
  days,
  type,
  price,
  countries: where,
}: CataloguePlan): JsonObject {
  return {
    productId,
    name,
    dataUsageAllowance: gigabytes,
    timeAllowance: days,
    dataPlanType: type,
    price,
    currency: 'NGN',
    supportedCountries: where.map((country) => ({ country: country.name, iso3: country.iso3 })),
  };
}

/** API §4.13.3: deprecated. A row for every plan in every country, without an envelope. */
const listPlansDeprecated = operation({
  name: 'esims.plansDeprecated',
  method: 'GET',
  path: '/api/esim/data/plan/all',
  credentials: tokenInHeader,
  fields: z.strictObject({
    country: z.string().exactOptional(),
    region: z.string().exactOptional(),
    ...pagingFields,
  }),
  answer({ country: wanted, region = '', ...paging }) {
    const rows = plans
      .flatMap((plan) => plan.countries.map((country) => ({ plan, country })))
      .map((row, index) => ({ ...row, id: index + 1 }))
      .filter(
        ({ country }) =>
          (wanted === undefined || matchesCountry(country, wanted)) &&
          country.region.toLowerCase().includes(region.toLowerCase()),
      );
    return ok(pageOf(rows.map(deprecatedPlan), paging));
  },
});

function deprecatedPlan({
  id,
  plan,
  country,
}: {
  id: number;
  plan: CataloguePlan;
  country: CatalogueCountry;
}): JsonObject {
  const { iso3, ...described } = describePlan(plan, country);
  // Only here there is a third type. No source shows which plans have it.
  const dataPlanType = plan.type === 'LOCAL' && plan.days > 7 ? 'DESTINATION' : plan.type;
  return {
    ...recordFields(id, `${plan.productId} ${country.iso3}`),
    ...described,
    countryIso3: country.iso3,
    dataPlanType,
  };
}

/** API §4.13.11. */
const listCountries = operation({
  name: 'esims.countries',
  method: 'GET',
  path: '/api/esim/countries/all',
  credentials: tokenInHeader,
  fields: z.strictObject(pagingFields),
  answer(paging, context) {
    const rows = catalogueCountries.map((country, index) => ({
      ...recordFields(index + 1, country.iso3),
      ...country,
    }));
    return inEnvelope(pageOf(rows, paging), 'Countries fetched successfully', context);
  },
});

/** The fields of every database record. Both ids are the same on every start. */
function recordFields(id: number, name: string): JsonObject {
  const digits = createHash('sha256').update(name).digest('hex');
  return {
    id,
    uuid: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
    active: true,
    version: 0,
    createdAt: '2025-03-04 09:30:00',
    updatedAt: '2025-06-18 16:05:12',
  };
}

export const planOperations: readonly OperationHandler[] = [listPlans, listPlansDeprecated, listCountries];
