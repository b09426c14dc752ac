import { z } from 'zod';
import { nonEmptyText } from '../request/input-fields.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { type EsimAnswer, enveloped } from '../response/envelope.ts';
import { omitUndefined, record } from '../response/fields.ts';
import { type Page, page, pageParameters, pageQuery } from '../response/paging.ts';
import { redactFields } from '../response/redaction.ts';
import {
  country,
  type DataPlan,
  type DataPlanStatus,
  type DataUsage,
  type DeprecatedDataPlan,
  dataPlan,
  deprecatedDataPlan,
  type Esim,
  type EsimCountry,
  type EsimProfile,
  esim,
  planStatus,
  profile,
  secretFields,
  usage,
} from './esim-records.ts';

/** An eSIM and its data plan, as created or bought. */
export interface EsimOrder extends EsimAnswer {
  readonly sim: Esim;
  readonly dataPlan?: DataPlan | undefined;
}

/** A SIM's number: 18 to 22 digits beginning 89 (ITU-T E.118). The check digit is not verified. */
const iccid = z
  .string('must be text')
  .transform((value) => value.replace(/\s/g, ''))
  .pipe(z.string().regex(/^89\d{16,20}$/, 'must be 18 to 22 digits beginning 89'));

const iso3 = z.string('must be text').regex(/^[A-Z]{3}$/, 'must be the three capital letters of a country');

export const esimReference = z.object({ iccid });

/** Matches a whole activation code in an error message. */
export const activationCodePattern = /(?:LPA:|\b1\$)\S+/gi;

/** Reads a response about eSIMs, enveloped or bare, with activation codes as `Secret`s. */
function expectContent<Value extends object>(content: z.ZodType<Value>) {
  const answer = z
    .unknown()
    .transform((body) => redactFields(body, secretFields))
    .pipe(enveloped(content));
  return { answer };
}

type Paged<T> = Page<T> & EsimAnswer;

const planFilter = nonEmptyText.optional();
const planQuery = z.object({
  country: planFilter,
  type: z.enum(['LOCAL', 'REGION'], 'must be LOCAL or REGION').optional(),
  ...pageQuery,
});

export const listPlans: ProviderOperation<z.output<typeof planQuery>, Paged<DataPlan>> = {
  name: 'esims.plans',
  input: planQuery,
  request: ({ country, type, ...page }) => ({
    method: 'GET',
    path: '/api/esim/data/plan/fetch',
    query: { ...omitUndefined({ country, type }), ...pageParameters(page) },
  }),
  expect: (query) => expectContent(page(dataPlan, query)),
};

const deprecatedPlanQuery = z.object({ country: planFilter, region: planFilter, ...pageQuery });

export const listPlansDeprecated: ProviderOperation<
  z.output<typeof deprecatedPlanQuery>,
  Paged<DeprecatedDataPlan>
> = {
  name: 'esims.plansDeprecated',
  input: deprecatedPlanQuery,
  request: ({ country, region, ...page }) => ({
    method: 'GET',
    path: '/api/esim/data/plan/all',
    query: { ...omitUndefined({ country, region }), ...pageParameters(page) },
  }),
  expect: (query) => expectContent(page(deprecatedDataPlan, query)),
};

const order = record({ sim: esim, dataPlan: dataPlan.optional().catch(undefined) }, omitUndefined);

const creationInput = z.object({ productId: nonEmptyText, iso3: iso3.optional() });

export const create: ProviderOperation<z.output<typeof creationInput>, EsimOrder> = {
  name: 'esims.create',
  input: creationInput,
  redact: () => ({ code: activationCodePattern }),
  request: (input) => ({ method: 'POST', path: '/api/esim/create', json: omitUndefined(input) }),
  expect: () => expectContent(order),
};

const purchaseInput = z.object({ iccid, productId: nonEmptyText, iso3 });

export const purchase: ProviderOperation<z.output<typeof purchaseInput>, EsimOrder> = {
  name: 'esims.purchase',
  input: purchaseInput,
  redact: () => ({ code: activationCodePattern }),
  request: (input) => ({ method: 'POST', path: '/api/esim/data-plan/purchase', json: input }),
  expect: () => expectContent(order),
};

export const fetchProfile: ProviderOperation<z.output<typeof esimReference>, EsimProfile & EsimAnswer> = {
  name: 'esims.profile',
  input: esimReference,
  redact: () => ({ code: activationCodePattern }),
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/euicc/${iccid}`, query: {} }),
  expect: () => expectContent(profile),
};

export const fetchUsage: ProviderOperation<z.output<typeof esimReference>, DataUsage & EsimAnswer> = {
  name: 'esims.usage',
  input: esimReference,
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/subscriptions/usage/${iccid}`, query: {} }),
  expect: () => expectContent(usage),
};

export const fetchPlanStatus: ProviderOperation<
  z.output<typeof esimReference>,
  DataPlanStatus & EsimAnswer
> = {
  name: 'esims.planStatus',
  input: esimReference,
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/iccid/${iccid}/details`, query: {} }),
  expect: () => expectContent(planStatus),
};

const listQuery = z.object(pageQuery);

export const listEsims: ProviderOperation<z.output<typeof listQuery>, Paged<Esim>> = {
  name: 'esims.list',
  input: listQuery,
  redact: () => ({ code: activationCodePattern }),
  request: (query) => ({ method: 'GET', path: '/api/esim/fetch/esims', query: pageParameters(query) }),
  expect: (query) => expectContent(page(esim, query)),
};

export const listCountries: ProviderOperation<z.output<typeof listQuery>, Paged<EsimCountry>> = {
  name: 'esims.countries',
  input: listQuery,
  request: (query) => ({ method: 'GET', path: '/api/esim/countries/all', query: pageParameters(query) }),
  expect: (query) => expectContent(page(country, query)),
};
