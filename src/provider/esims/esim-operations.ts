import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import { nonEmptyText } from '../request/input-fields.ts';
import { defineOperation } from '../request/request-sender.ts';
import {
  omitUndefined,
  optionalBoolean,
  optionalInstant,
  optionalInteger,
  optionalNumber,
  optionalText,
  optionalTimestamp,
  plainObject,
  record,
  sentAs,
  text,
} from '../response/fields.ts';
import { page, pageParameters, pageQuery } from '../response/paging.ts';
import { redactFields } from '../response/redaction.ts';

const optionalSecret = z.instanceof(Secret).optional().catch(undefined);

/** Fields that `redactFields` replaces: anyone who has them can install the eSIM. */
const secretFields: ReadonlySet<string> = new Set(['activationCode']);

/** An eSIM of the account (API §2.8). */
const esim = record({
  iccid: text,
  id: optionalText,
  productId: optionalText,
  imsi: optionalText,
  /** As the provider writes it: `RELEASED`, `INACTIVE`, or an undocumented state. */
  state: optionalText,
  lastOperationDate: optionalInstant,
  /** Usually the matching id alone; `wholeActivationCode` builds the code that a phone accepts. */
  activationCode: optionalSecret,
  /** Host name of the server from which the phone fetches its profile. */
  smdp: optionalText,
  /** Present after a purchase. */
  purchaseDate: optionalInstant,
});
export type Esim = z.output<typeof esim>;

/** A data plan (API §2.9), offered or bought. */
const dataPlan = record({
  productId: text,
  name: optionalText,
  /** In a unit that the API does not document. */
  dataUsageAllowance: optionalNumber,
  /** In a unit that the API does not document. */
  timeAllowance: optionalNumber,
  country: optionalText,
  /** ISO 3166-1 alpha-3. */
  iso3: optionalText,
  region: optionalText,
  /** `LOCAL` or `REGION`. */
  dataPlanType: optionalText,
  /** Unchanged. */
  price: optionalText,
  currency: optionalText,
  supportedCountries: z
    .array(plainObject({ country: optionalText, iso3: optionalText }))
    .optional()
    .catch(undefined),
});
export type DataPlan = z.output<typeof dataPlan>;

/** Fields that the deprecated plans and the countries share. */
const commonFields = {
  id: optionalText,
  uuid: optionalText,
  active: optionalBoolean,
  version: optionalInteger,
  createdAt: optionalInstant,
  updatedAt: optionalInstant,
};

/** A data plan of the deprecated list (API §2.9). */
const deprecatedDataPlan = record({
  ...commonFields,
  productId: text,
  name: optionalText,
  dataUsageAllowance: optionalNumber,
  timeAllowance: optionalNumber,
  country: optionalText,
  countryIso3: optionalText,
  region: optionalText,
  /** `LOCAL`, `REGION` or `DESTINATION`. */
  dataPlanType: optionalText,
});
export type DeprecatedDataPlan = z.output<typeof deprecatedDataPlan>;

/** A country with data plans (API §2.10). */
const country = record({
  ...commonFields,
  name: text,
  iso2: optionalText,
  iso3: optionalText,
  region: optionalText,
});

/** The profile on an eSIM (API §2.11). */
const profile = record({
  iccid: text,
  imsi: optionalText,
  state: optionalText,
  lastOperationDate: sentAs('last_operation_date', optionalTimestamp),
  reuseRemainingCount: sentAs('reuse_remaining_count', optionalInteger),
  /** Whether the phone asks for a confirmation code. */
  ccRequired: sentAs('cc_required', optionalBoolean),
  releaseDate: sentAs('release_date', optionalTimestamp),
  activationCode: optionalSecret,
  smdp: optionalText,
});
export type EsimProfile = z.output<typeof profile>;

/** Data allowance and usage of an eSIM (API §4.13.8). At least one of them is present. */
const usage = record({
  dataTotalGigabyte: sentAs('data_total_gigabyte', optionalNumber),
  dataUsedGigabyte: sentAs('data_used_gigabyte', optionalNumber),
}).refine(
  ({ dataTotalGigabyte, dataUsedGigabyte }) => (dataTotalGigabyte ?? dataUsedGigabyte) !== undefined,
  {
    path: ['data_total_gigabyte'],
  },
);
export type DataUsage = z.output<typeof usage>;

/** The state of an eSIM's data plan (API §4.13.9). */
const planStatus = record({
  /** `NOT_ACTIVE`, `ACTIVE`, `EXPIRED`, or an undocumented status. */
  status: sentAs('Status', text),
  productId: optionalText,
  iccid: optionalText,
  createdDate: optionalInstant,
  activatedDate: optionalInstant,
  expiryDate: optionalInstant,
  /** The plan must be activated before this. */
  windowActivationEndDate: optionalInstant,
  /** The plan's name. */
  dataPlan: optionalText,
});
export type DataPlanStatus = z.output<typeof planStatus>;

/** An eSIM and its data plan, as created or bought. */
const order = record({ sim: esim, dataPlan: dataPlan.optional().catch(undefined) });

/** What an envelope must hold for its data to count (API §7). A bare response must not contradict it. */
const success = {
  status: z.string().regex(/^success$/i),
  code: z.union([z.literal(200), z.literal('200')]),
};

const withoutFailure = z
  .looseObject({ status: success.status.nullish(), code: success.code.nullish() })
  .transform((raw): unknown => raw);

const inEnvelope = z.looseObject({ data: z.looseObject({}) });

/**
 * Accepts a response in the envelope in which most responses about eSIMs come (API §4.13), or bare: the provider does not
 * always send the documented one. Its `raw` is the whole response.
 */
function enveloped<Value extends object>(content: z.ZodType<Value>) {
  const answer = z.object({ data: content, message: optionalText, timestamp: optionalInstant });
  const envelope = answer.extend(success);
  const bare = answer.extend({ data: withoutFailure.pipe(content) });
  return z.unknown().transform((raw, context) => {
    const isEnveloped = inEnvelope.safeParse(raw).success;
    const read = isEnveloped ? envelope.safeParse(raw) : bare.safeParse({ data: raw });
    if (read.success) {
      const { data, message, timestamp } = read.data;
      return { ...data, ...omitUndefined({ message, timestamp }), raw };
    }
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: 'custom', path: isEnveloped ? path : path.slice(1), message });
    }
    return z.NEVER;
  });
}

/** Reads a response about eSIMs, enveloped or bare, with activation codes as `Secret`s. */
function expectContent<Value extends object>(content: z.ZodType<Value>) {
  const answer = z
    .unknown()
    .transform((body) => redactFields(body, secretFields))
    .pipe(enveloped(content));
  return { answer };
}

/**
 * A SIM's number: 18 to 22 digits beginning 89 (ITU-T E.118), and the filler of a SIM's memory where the provider lists it
 * with that. The check digit is not verified.
 */
const iccid = z
  .string('must be text')
  .transform((value) => value.replace(/\s/g, ''))
  .pipe(z.string().regex(/^89\d{16,20}F{0,2}$/i, 'must be 18 to 22 digits beginning 89'));

/** ISO 3166-1 alpha-3. */
const iso3 = z.string('must be text').regex(/^[A-Z]{3}$/, 'must be the three capital letters of a country');

export const esimReference = z.object({ iccid });

/** An eSIM's number; spaces are ignored. */
export type EsimReference = z.input<typeof esimReference>;

/** Matches a whole activation code in an error message, also in a link. */
export const activationCodePattern = /(?:LPA(?::|%3A)|\b1(?:\$|%24))\S+/gi;

const planFilter = nonEmptyText.optional();
const planQuery = z.object({
  country: planFilter,
  type: z.enum(['LOCAL', 'REGION'], 'must be LOCAL or REGION').optional(),
  ...pageQuery,
});

/** Which data plans to list (API §4.13.2). The provider chooses absent values. */
export type DataPlanQuery = z.input<typeof planQuery>;

export const listPlans = defineOperation({
  name: 'esims.plans',
  input: planQuery,
  request: ({ country, type, ...page }) => ({
    method: 'GET',
    path: '/api/esim/data/plan/fetch',
    query: { ...omitUndefined({ country, type }), ...pageParameters(page) },
  }),
  expect: (query) => expectContent(page(dataPlan, query)),
});

const deprecatedPlanQuery = z.object({ country: planFilter, region: planFilter, ...pageQuery });

/** Filters of the deprecated list of data plans (API §4.13.3). */
export type DeprecatedDataPlanQuery = z.input<typeof deprecatedPlanQuery>;

export const listPlansDeprecated = defineOperation({
  name: 'esims.plansDeprecated',
  input: deprecatedPlanQuery,
  request: ({ country, region, ...page }) => ({
    method: 'GET',
    path: '/api/esim/data/plan/all',
    query: { ...omitUndefined({ country, region }), ...pageParameters(page) },
  }),
  expect: (query) => expectContent(page(deprecatedDataPlan, query)),
});

const creationInput = z.object({
  productId: nonEmptyText,
  /** The API does not document whether it is required. */
  iso3: iso3.optional(),
});

/** An eSIM to create with a data plan (API §4.13.4). */
export type EsimCreation = z.input<typeof creationInput>;

export const create = defineOperation({
  name: 'esims.create',
  input: creationInput,
  redact: () => ({ code: activationCodePattern }),
  request: (input) => ({ method: 'POST', path: '/api/esim/create', json: omitUndefined(input) }),
  expect: () => expectContent(order),
});

const purchaseInput = z.object({ iccid, productId: nonEmptyText, iso3 });

/** A data plan to buy for an eSIM, the first or a further one (API §4.13.5). */
export type DataPlanPurchase = z.input<typeof purchaseInput>;

export const purchase = defineOperation({
  name: 'esims.purchase',
  input: purchaseInput,
  redact: () => ({ code: activationCodePattern }),
  request: (input) => ({ method: 'POST', path: '/api/esim/data-plan/purchase', json: input }),
  expect: () => expectContent(order),
});

export const fetchProfile = defineOperation({
  name: 'esims.profile',
  input: esimReference,
  redact: () => ({ code: activationCodePattern }),
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/euicc/${iccid}`, query: {} }),
  expect: () => expectContent(profile),
});

export const fetchUsage = defineOperation({
  name: 'esims.usage',
  input: esimReference,
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/subscriptions/usage/${iccid}`, query: {} }),
  expect: () => expectContent(usage),
});

export const fetchPlanStatus = defineOperation({
  name: 'esims.planStatus',
  input: esimReference,
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/iccid/${iccid}/details`, query: {} }),
  expect: () => expectContent(planStatus),
});

const listQuery = z.object(pageQuery);

export const listEsims = defineOperation({
  name: 'esims.list',
  input: listQuery,
  redact: () => ({ code: activationCodePattern }),
  request: (query) => ({ method: 'GET', path: '/api/esim/fetch/esims', query: pageParameters(query) }),
  expect: (query) => expectContent(page(esim, query)),
});

export const listCountries = defineOperation({
  name: 'esims.countries',
  input: listQuery,
  request: (query) => ({ method: 'GET', path: '/api/esim/countries/all', query: pageParameters(query) }),
  expect: (query) => expectContent(page(country, query)),
});
