import { z } from 'zod';
import type { Outcome } from '../errors.ts';
import { phoneNumber } from '../request/recipients.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { omitUndefined, optionalBoolean, optionalText, record } from '../response/fields.ts';
import { type NumberStatus, type NumberStatusQuery, query } from './number-status.ts';

/** The Do-Not-Disturb state of a number (API §2.7b). */
export interface DndCheck {
  /** Digits without `+`. */
  readonly number: string;
  /** `undefined` where the response does not say. */
  readonly dndActive: boolean | undefined;
  readonly network?: string | undefined;
  readonly networkCode?: string | undefined;
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly raw: unknown;
}

export interface InsightOperations {
  query(query: NumberStatusQuery, options?: RequestOptions): Promise<Outcome<NumberStatus>>;
  checkDnd(input: { readonly phoneNumber: string }, options?: RequestOptions): Promise<Outcome<DndCheck>>;
}

export function createInsightOperations(request: RequestSender): InsightOperations {
  return {
    query: (input, options) => request(query, input, options),
    checkDnd: (input, options) => request(checkDnd, input, options),
  };
}

const checkDndInput = z.object({ phoneNumber });

const checkDnd: ProviderOperation<z.output<typeof checkDndInput>, DndCheck> = {
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
      // Public clients treat a 404 as "not on DND". A 404 with the state, or with a message about the number or DND, is
      // the answer. Any other 404 is an error, such as that of a wrong address.
      fromNotFound: (body, message = '') => {
        const { data } = answer.safeParse(body);
        return data?.dndActive !== undefined || /\bdnd\b|number|subscriber|msisdn/i.test(message)
          ? data
          : undefined;
      },
    };
  },
};

function dndCheck(phoneNumber: string): z.ZodType<DndCheck> {
  const fields = {
    number: optionalText,
    dnd_active: optionalBoolean,
    network: optionalText,
    network_code: optionalText,
    status: optionalText,
    message: optionalText,
  };
  return record(fields, ({ number = phoneNumber, dnd_active, network, network_code, status, message }) => ({
    ...omitUndefined({ number, network, networkCode: network_code, status, message }),
    dndActive: dnd_active ?? dndInText(status) ?? dndInText(message),
  })).refine(({ dndActive, status, message }) => dndActive !== undefined || Boolean(status ?? message), {
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
