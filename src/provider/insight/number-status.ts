import { z } from 'zod';
import {
  omitUndefined,
  optionalBoolean,
  optionalCount,
  optionalObject,
  optionalText,
  record,
} from '../response/fields.ts';
import { phoneNumber } from '../request/recipients.ts';
import type { ProviderOperation } from '../request/request-sender.ts';

/** What to look up (API §4.8). The account manager has to activate it. */
export interface NumberStatusQuery {
  readonly phoneNumber: string;
  /** The number's country as two letters (ISO 3166-1 alpha-2). */
  readonly countryCode: string;
}

/** What is known of a number: whether it is fake or ported, and its network (API §2.7). */
export interface NumberStatus {
  /** None where the provider does not know the number. */
  readonly result: readonly NumberStatusEntry[];
  readonly status?: boolean;
  readonly message?: string;
  readonly raw: unknown;
}

/** Every part and field is there only where the provider gives it. */
export interface NumberStatusEntry {
  readonly routeDetail?: {
    readonly number?: string;
    /** As the provider gives it; what its values mean is not described. */
    readonly ported?: number;
  };
  readonly countryDetail?: {
    readonly countryCode?: string;
    readonly mobileCountryCode?: string;
    readonly iso?: string;
  };
  readonly operatorDetail?: {
    readonly operatorCode?: string;
    readonly operatorName?: string;
    readonly mobileNumberCode?: string;
    readonly mobileRoutingCode?: string;
    readonly carrierIdentificationCode?: string;
    readonly lineType?: string;
  };
  readonly format?: { readonly universalNumberFormat?: string };
  /** Like a status of HTTP. */
  readonly status?: number;
  readonly refId?: string;
  readonly raw: unknown;
}

const queryInput = z.object({
  phoneNumber,
  countryCode: z
    .string('must be text')
    .regex(/^[A-Za-z]{2}$/, 'must be the two letters of a country')
    .toUpperCase(),
});

const entryFields = {
  routeDetail: optionalObject({ number: optionalText, ported: optionalCount }),
  countryDetail: optionalObject({
    countryCode: optionalText,
    mobileCountryCode: optionalText,
    iso: optionalText,
  }),
  operatorDetail: optionalObject({
    operatorCode: optionalText,
    operatorName: optionalText,
    mobileNumberCode: optionalText,
    mobileRoutingCode: optionalText,
    carrierIdentificationCode: optionalText,
    lineType: optionalText,
  }),
  format: optionalObject({ universalNumberFormat: optionalText }),
  status: optionalCount,
  refId: optionalText,
};

const entry: z.ZodType<NumberStatusEntry> = record(
  entryFields,
  ({ routeDetail, countryDetail, operatorDetail, format, status, refId }) =>
    omitUndefined({ routeDetail, countryDetail, operatorDetail, format, status, refId }),
);

const numberStatus: z.ZodType<NumberStatus> = record(
  { result: z.array(entry), status: optionalBoolean, message: optionalText },
  ({ result, status, message }) => omitUndefined({ result, status, message }),
);

export const query: ProviderOperation<z.output<typeof queryInput>, NumberStatus> = {
  name: 'insight.query',
  input: queryInput,
  request: ({ phoneNumber, countryCode }) => ({
    method: 'GET',
    path: '/api/insight/number/query',
    query: { phone_number: phoneNumber, country_code: countryCode },
  }),
  expect: () => ({ answer: numberStatus }),
};
