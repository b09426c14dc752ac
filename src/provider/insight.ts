import { z } from 'zod';
import { phoneNumber } from './request/input-fields.ts';
import { defineOperation, type RequestOptions, type RequestSender } from './request/request-sender.ts';
import {
  optionalBoolean,
  optionalCount,
  optionalObject,
  optionalText,
  record,
  sentAs,
} from './response/fields.ts';

export function createInsightOperations(request: RequestSender) {
  return {
    query: (input: NumberStatusQuery, options?: RequestOptions) => request(query, input, options),
    checkDnd: (input: z.input<typeof checkDndInput>, options?: RequestOptions) =>
      request(checkDnd, input, options),
  };
}

const queryInput = z.object({
  phoneNumber,
  /** The number's country as two letters (ISO 3166-1 alpha-2). */
  countryCode: z
    .string('must be text')
    .regex(/^[A-Za-z]{2}$/, 'must be the two letters of a country')
    .toUpperCase(),
});

/** The number to look up (API §4.8). The provider's account manager must activate this operation. */
export type NumberStatusQuery = z.input<typeof queryInput>;

/** Every field is present only where the provider sends it. */
const numberStatusEntry = record({
  routeDetail: optionalObject({
    number: optionalText,
    /** Unchanged: the API does not document the values. */
    ported: optionalCount,
  }),
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
  /** Similar to an HTTP status. */
  status: optionalCount,
  refId: optionalText,
});
export type NumberStatusEntry = z.output<typeof numberStatusEntry>;

/** Whether a number is fake or ported, and its network (API §2.7). */
const numberStatus = record({
  /** Empty where the provider does not know the number. */
  result: z.array(numberStatusEntry),
  status: optionalBoolean,
  message: optionalText,
});
export type NumberStatus = z.output<typeof numberStatus>;

const query = defineOperation({
  name: 'insight.query',
  input: queryInput,
  request: ({ phoneNumber, countryCode }) => ({
    method: 'GET',
    path: '/api/insight/number/query',
    query: { phone_number: phoneNumber, country_code: countryCode },
  }),
  expect: () => ({ answer: numberStatus }),
});

const checkDndInput = z.object({ phoneNumber });

const checkDnd = defineOperation({
  name: 'insight.checkDnd',
  input: checkDndInput,
  request: ({ phoneNumber }) => ({
    method: 'GET',
    path: '/api/check/dnd',
    query: { phone_number: phoneNumber },
  }),
  expect: ({ phoneNumber }) => {
    const answer = dndCheck(phoneNumber);
    return {
      answer,
      // Public clients treat a 404 as "not on DND". A 404 with the state, or with a message about the number or DND, is the
      // answer. Any other 404 is an error, such as a wrong address.
      fromNotFound: (body, message = '') => {
        const { data } = answer.safeParse(body);
        return data?.dndActive !== undefined || /\bdnd\b|number|subscriber|msisdn/i.test(message)
          ? data
          : undefined;
      },
    };
  },
});

/** The Do-Not-Disturb state of a number (API §2.7b). */
export type DndCheck = z.output<ReturnType<typeof dndCheck>>;

const dndFields = record({
  number: optionalText,
  dndActive: sentAs('dnd_active', optionalBoolean),
  network: optionalText,
  networkCode: sentAs('network_code', optionalText),
  status: optionalText,
  message: optionalText,
});

function dndCheck(phoneNumber: string) {
  return dndFields
    .transform((read) => ({
      ...read,
      /** Digits without `+`. */
      number: read.number ?? phoneNumber,
      /** `undefined` where the response does not say. */
      dndActive: read.dndActive ?? dndInText(read.status) ?? dndInText(read.message),
    }))
    .refine(({ dndActive, status, message }) => dndActive !== undefined || Boolean(status ?? message), {
      path: ['dnd_active'],
    });
}

/** Older responses have the state only as text, such as `DND blacklisted`. Returns `undefined` for ambiguous text. */
function dndInText(text = ''): boolean | undefined {
  const normalized = text.replace(/do[ -]not[ -]disturb/gi, 'DND');
  if (!/\bdnd\b|blacklist/i.test(normalized)) {
    return undefined;
  }
  if (/\b(?:no|not|non|inactive|disabled|off|whitelisted)\b/i.test(normalized)) {
    return false;
  }
  if (/\b(?:active|enabled|on|blacklisted)\b/i.test(normalized)) {
    return true;
  }
  return undefined;
}
