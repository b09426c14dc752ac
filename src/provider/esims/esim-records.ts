import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import {
  omitUndefined,
  optionalBoolean,
  optionalInstant,
  optionalInteger,
  optionalNumber,
  optionalText,
  optionalTimestamp,
  record,
  text,
} from '../response/fields.ts';

/** An eSIM of the account (API §2.8). */
export interface Esim {
  readonly iccid: string;
  readonly id?: string;
  readonly productId?: string;
  readonly imsi?: string;
  /** As the provider writes it: `RELEASED`, `INACTIVE`, or another that the description does not show. */
  readonly state?: string;
  readonly lastOperationDate?: Date;
  /** Usually the bare matching id; `wholeActivationCode` makes what a phone takes. */
  readonly activationCode?: Secret;
  /** The server that the phone fetches its profile from. */
  readonly smdp?: string;
  /** After a purchase. */
  readonly purchaseDate?: Date;
  readonly raw: unknown;
}

/** A data plan (API §2.9): what is sold, or what was bought. */
export interface DataPlan {
  readonly productId: string;
  readonly name?: string;
  /** In a unit that the description does not show. */
  readonly dataUsageAllowance?: number;
  /** In a unit that the description does not show. */
  readonly timeAllowance?: number;
  readonly country?: string;
  /** ISO 3166-1 alpha-3. */
  readonly iso3?: string;
  readonly region?: string;
  /** `LOCAL` or `REGION`. */
  readonly dataPlanType?: string;
  /** Exactly as the provider wrote it. */
  readonly price?: string;
  readonly currency?: string;
  readonly supportedCountries?: readonly { readonly country?: string; readonly iso3?: string }[];
  readonly raw: unknown;
}

/** A data plan as the deprecated list has it (API §2.9). */
export interface DeprecatedDataPlan {
  readonly productId: string;
  readonly id?: string;
  readonly uuid?: string;
  readonly active?: boolean;
  readonly version?: number;
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
  readonly name?: string;
  readonly dataUsageAllowance?: number;
  readonly timeAllowance?: number;
  readonly country?: string;
  readonly countryIso3?: string;
  readonly region?: string;
  /** `LOCAL`, `REGION` or `DESTINATION`. */
  readonly dataPlanType?: string;
  readonly raw: unknown;
}

/** A country with data plans (API §2.10). */
export interface EsimCountry {
  readonly name: string;
  readonly id?: string;
  readonly uuid?: string;
  readonly active?: boolean;
  readonly version?: number;
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
  readonly iso2?: string;
  readonly iso3?: string;
  readonly region?: string;
  readonly raw: unknown;
}

/** The profile on an eSIM (API §2.11). */
export interface EsimProfile {
  readonly iccid: string;
  readonly imsi?: string;
  readonly state?: string;
  readonly lastOperationDate?: Date;
  readonly reuseRemainingCount?: number;
  /** Whether the phone asks for a confirmation code. */
  readonly ccRequired?: boolean;
  readonly releaseDate?: Date;
  readonly activationCode?: Secret;
  readonly smdp?: string;
  readonly raw: unknown;
}

/** How much data an eSIM has, and has used (API §4.13.8). At least one of them is there. */
export interface DataUsage {
  readonly dataTotalGigabyte?: number;
  readonly dataUsedGigabyte?: number;
  readonly raw: unknown;
}

/** The state of an eSIM's data plan (API §4.13.9). */
export interface DataPlanStatus {
  /** `NOT_ACTIVE`, `ACTIVE`, `EXPIRED`, or another that the description does not show. */
  readonly status: string;
  readonly productId?: string;
  readonly iccid?: string;
  readonly createdDate?: Date;
  readonly activatedDate?: Date;
  readonly expiryDate?: Date;
  /** Until when the plan must be activated. */
  readonly windowActivationEndDate?: Date;
  /** The plan's name. */
  readonly dataPlan?: string;
  readonly raw: unknown;
}

const optionalSecret = z.instanceof(Secret).optional().catch(undefined);

/** What an answer must not have in the clear: whoever has it can install the eSIM. See `veil`. */
export const secretFields: ReadonlySet<string> = new Set(['activationCode']);

export const esim: z.ZodType<Esim> = record(
  {
    iccid: text,
    id: optionalText,
    productId: optionalText,
    imsi: optionalText,
    state: optionalText,
    lastOperationDate: optionalInstant,
    activationCode: optionalSecret,
    smdp: optionalText,
    purchaseDate: optionalInstant,
  },
  omitUndefined,
);

export const dataPlan: z.ZodType<DataPlan> = record(
  {
    productId: text,
    name: optionalText,
    dataUsageAllowance: optionalNumber,
    timeAllowance: optionalNumber,
    country: optionalText,
    iso3: optionalText,
    region: optionalText,
    dataPlanType: optionalText,
    price: optionalText,
    currency: optionalText,
    supportedCountries: z
      .array(z.object({ country: optionalText, iso3: optionalText }).transform((read) => omitUndefined(read)))
      .optional()
      .catch(undefined),
  },
  omitUndefined,
);

/** What the records share that the deprecated list of plans and the list of countries hold. */
const bookkeeping = {
  id: optionalText,
  uuid: optionalText,
  active: optionalBoolean,
  version: optionalInteger,
  createdAt: optionalInstant,
  updatedAt: optionalInstant,
};

export const deprecatedDataPlan: z.ZodType<DeprecatedDataPlan> = record(
  {
    ...bookkeeping,
    productId: text,
    name: optionalText,
    dataUsageAllowance: optionalNumber,
    timeAllowance: optionalNumber,
    country: optionalText,
    countryIso3: optionalText,
    region: optionalText,
    dataPlanType: optionalText,
  },
  omitUndefined,
);

export const country: z.ZodType<EsimCountry> = record(
  { ...bookkeeping, name: text, iso2: optionalText, iso3: optionalText, region: optionalText },
  omitUndefined,
);

export const profile: z.ZodType<EsimProfile> = record(
  {
    iccid: text,
    imsi: optionalText,
    state: optionalText,
    last_operation_date: optionalTimestamp,
    reuse_remaining_count: optionalInteger,
    cc_required: optionalBoolean,
    release_date: optionalTimestamp,
    activationCode: optionalSecret,
    smdp: optionalText,
  },
  ({ last_operation_date, reuse_remaining_count, cc_required, release_date, ...read }) =>
    omitUndefined({
      ...read,
      lastOperationDate: last_operation_date,
      reuseRemainingCount: reuse_remaining_count,
      ccRequired: cc_required,
      releaseDate: release_date,
    }),
);

export const usage: z.ZodType<DataUsage> = record(
  { data_total_gigabyte: optionalNumber, data_used_gigabyte: optionalNumber },
  ({ data_total_gigabyte, data_used_gigabyte }) =>
    omitUndefined({ dataTotalGigabyte: data_total_gigabyte, dataUsedGigabyte: data_used_gigabyte }),
).refine(({ dataTotalGigabyte, dataUsedGigabyte }) => (dataTotalGigabyte ?? dataUsedGigabyte) !== undefined, {
  path: ['data_total_gigabyte'],
});

export const planStatus: z.ZodType<DataPlanStatus> = record(
  {
    Status: text,
    productId: optionalText,
    iccid: optionalText,
    createdDate: optionalInstant,
    activatedDate: optionalInstant,
    expiryDate: optionalInstant,
    windowActivationEndDate: optionalInstant,
    dataPlan: optionalText,
  },
  ({ Status, ...read }) => omitUndefined({ status: Status, ...read }),
);
