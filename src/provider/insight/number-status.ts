import { z } from 'zod';
import { phoneNumber } from '../request/recipients.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import {
  omitUndefined,
  optionalBoolean,
  optionalCount,
  optionalObject,
  optionalText,
  record,
} from '../response/fields.ts';

/** The number to look up (API §4.8). The provider's account manager must activate this operation. */
export interface NumberStatusQuery {
  readonly phoneNumber: string;
  /** The number's country as two letters (ISO 3166-1 alpha-2). */
  readonly countryCode: string;
}

/** Whether a number is fake or ported, and its network (API §2.7). */
export interface NumberStatus {
  /** Empty where the provider does not know the number. */
  readonly result: readonly NumberStatusEntry[];
  readonly status?: boolean | undefined;
  readonly message?: string | undefined;
  readonly raw: unknown;
}

/** Every field is present only where the provider sends it. */
export interface NumberStatusEntry {
  readonly routeDetail?:
    | {
        readonly number?: string | undefined;
        /** Unchanged: the API does not document the values. */
        readonly ported?: number | undefined;
      }
    | undefined;
  readonly countryDetail?:
    | {
        readonly countryCode?: string | undefined;
        readonly mobileCountryCode?: string | undefined;
        readonly iso?: string | undefined;
      }
    | undefined;
  readonly operatorDetail?:
    | {
        readonly operatorCode?: string | undefined;
        readonly operatorName?: string | undefined;
        readonly mobileNumberCode?: string | undefined;
        readonly mobileRoutingCode?: string | undefined;
        readonly carrierIdentificationCode?: string | undefined;
        readonly lineType?: string | undefined;
      }
    | undefined;
  readonly format?: { readonly universalNumberFormat?: string | undefined } | undefined;
  /** Similar to an HTTP status. */
  readonly status?: number | undefined;
  readonly refId?: string | undefined;
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
