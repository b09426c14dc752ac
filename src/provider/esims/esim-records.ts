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
  readonly id?: string | undefined;
  readonly productId?: string | undefined;
  readonly imsi?: string | undefined;
  /** As the provider writes it: `RELEASED`, `INACTIVE`, or an undocumented state. */
  readonly state?: string | undefined;
  readonly lastOperationDate?: Date | undefined;
  /** Usually the matching id alone; `wholeActivationCode` builds the code that a phone accepts. */
  readonly activationCode?: Secret | undefined;
  /** Host name of the server from which the phone fetches its profile. */
  readonly smdp?: string | undefined;
  /** Present after a purchase. */
  readonly purchaseDate?: Date | undefined;
  readonly raw: unknown;
}

/** A data plan (API §2.9), offered or bought. */
export interface DataPlan {
  readonly productId: string;
  readonly name?: string | undefined;
  /** In a unit that the API does not document. */
  readonly dataUsageAllowance?: number | undefined;
  /** In a unit that the API does not document. */
  readonly timeAllowance?: number | undefined;
  readonly country?: string | undefined;
  /** ISO 3166-1 alpha-3. */
  readonly iso3?: string | undefined;
  readonly region?: string | undefined;
  /** `LOCAL` or `REGION`. */
  readonly dataPlanType?: string | undefined;
  /** Unchanged. */
  readonly price?: string | undefined;
  readonly currency?: string | undefined;
  readonly supportedCountries?:
    | readonly { readonly country?: string | undefined; readonly iso3?: string | undefined }[]
    | undefined;
  readonly raw: unknown;
}

/** A data plan of the deprecated list (API §2.9). */
export interface DeprecatedDataPlan {
  readonly productId: string;
  readonly id?: string | undefined;
  readonly uuid?: string | undefined;
  readonly active?: boolean | undefined;
  readonly version?: number | undefined;
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
  readonly name?: string | undefined;
  readonly dataUsageAllowance?: number | undefined;
  readonly timeAllowance?: number | undefined;
  readonly country?: string | undefined;
  readonly countryIso3?: string | undefined;
  readonly region?: string | undefined;
  /** `LOCAL`, `REGION` or `DESTINATION`. */
  readonly dataPlanType?: string | undefined;
  readonly raw: unknown;
}

/** A country with data plans (API §2.10). */
export interface EsimCountry {
  readonly name: string;
  readonly id?: string | undefined;
  readonly uuid?: string | undefined;
  readonly active?: boolean | undefined;
  readonly version?: number | undefined;
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
  readonly iso2?: string | undefined;
  readonly iso3?: string | undefined;
  readonly region?: string | undefined;
  readonly raw: unknown;
}

/** The profile on an eSIM (API §2.11). */
export interface EsimProfile {
  readonly iccid: string;
  readonly imsi?: string | undefined;
  readonly state?: string | undefined;
  readonly lastOperationDate?: Date | undefined;
  readonly reuseRemainingCount?: number | undefined;
  /** Whether the phone asks for a confirmation code. */
  readonly ccRequired?: boolean | undefined;
  readonly releaseDate?: Date | undefined;
  readonly activationCode?: Secret | undefined;
  readonly smdp?: string | undefined;
  readonly raw: unknown;
}

/** Data allowance and usage of an eSIM (API §4.13.8). At least one of them is present. */
export interface DataUsage {
  readonly dataTotalGigabyte?: number | undefined;
  readonly dataUsedGigabyte?: number | undefined;
  readonly raw: unknown;
}

/** The state of an eSIM's data plan (API §4.13.9). */
export interface DataPlanStatus {
  /** `NOT_ACTIVE`, `ACTIVE`, `EXPIRED`, or an undocumented status. */
  readonly status: string;
  readonly productId?: string | undefined;
  readonly iccid?: string | undefined;
  readonly createdDate?: Date | undefined;
  readonly activatedDate?: Date | undefined;
  readonly expiryDate?: Date | undefined;
  /** The plan must be activated before this. */
  readonly windowActivationEndDate?: Date | undefined;
  /** The plan's name. */
  readonly dataPlan?: string | undefined;
  readonly raw: unknown;
}

const optionalSecret = z.instanceof(Secret).optional().catch(undefined);

/** Fields that `redactFields` replaces: anyone who has them can install the eSIM. */
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

/** Fields that the deprecated plans and the countries share. */
const commonFields = {
  id: optionalText,
  uuid: optionalText,
  active: optionalBoolean,
  version: optionalInteger,
  createdAt: optionalInstant,
  updatedAt: optionalInstant,
};

export const deprecatedDataPlan: z.ZodType<DeprecatedDataPlan> = record(
  {
    ...commonFields,
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
  { ...commonFields, name: text, iso2: optionalText, iso3: optionalText, region: optionalText },
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
