import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { tokenInHeader } from '../http/credentials.ts';
import { pageOf, pagingFields } from '../http/paging.ts';
import { ok } from '../http/replies.ts';
import { type OperationHandler, operation } from '../operation.ts';
import {
  type CatalogueCountry,
  type CataloguePlan,
  catalogueCountries,
  describePlan,
  matchesCountry,
  plans,
} from './catalogue.ts';
import { inEnvelope } from './envelope.ts';

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
