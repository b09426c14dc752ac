import { z } from 'zod';
import { omitUndefined, optionalBoolean, optionalText, record } from '../response/fields.ts';
import { phoneNumber } from '../request/recipients.ts';
import type { Outcome } from '../outcome.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { type NumberStatus, type NumberStatusQuery, query } from './number-status.ts';

/** What the provider knows of a number's Do-Not-Disturb state (API §2.7b). */
export interface DndCheck {
  /** Digits without `+`. */
  readonly number: string;
  /** `undefined`: the answer does not say. */
  readonly dndActive: boolean | undefined;
  readonly network?: string;
  readonly networkCode?: string;
  readonly status?: string;
  readonly message?: string;
  readonly raw: unknown;
}

export interface InsightOperations {
  query(query: NumberStatusQuery, options?: RequestOptions): Promise<Outcome<NumberStatus>>;
  checkDnd(input: { readonly phoneNumber: string }, options?: RequestOptions): Promise<Outcome<DndCheck>>;
}

export function createInsightOperations(call: RequestSender): InsightOperations {
  return {
    query: (input, options) => call(query, input, options),
    checkDnd: (input, options) => call(checkDnd, input, options),
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
      // "Not on DND" may arrive as a 404 (an inference from public clients). One that tells the state, or speaks of
      // the number or of DND, is taken for an answer; any other 404 is a refusal, such as that of a wrong address.
      fromNotFound: (body, said = '') => {
        const { data } = answer.safeParse(body);
        return data?.dndActive !== undefined || /\bdnd\b|number|subscriber|msisdn/i.test(said)
          ? data
          : undefined;
      },
    };
  },
};

function dndCheck(asked: string): z.ZodType<DndCheck> {
  const fields = {
    number: optionalText,
    dnd_active: optionalBoolean,
    network: optionalText,
    network_code: optionalText,
    status: optionalText,
    message: optionalText,
  };
  return record(fields, ({ number = asked, dnd_active, network, network_code, status, message }) => ({
    ...omitUndefined({ number, network, networkCode: network_code, status, message }),
    dndActive: dnd_active ?? dndInWords(status) ?? dndInWords(message),
  })).refine(({ dndActive, status, message }) => dndActive !== undefined || Boolean(status ?? message), {
    path: ['dnd_active'],
  });
}

/** Older answers have the state in words only, such as `DND blacklisted`. Words that leave it open do so here. */
function dndInWords(words = ''): boolean | undefined {
  const said = words.replace(/do[ -]not[ -]disturb/gi, 'DND');
  if (!/\bdnd\b|blacklist/i.test(said)) {
    return undefined;
  }
  if (/\b(?:no|not|non|inactive|disabled|off|whitelisted)\b/i.test(said)) {
    return false;
  }
  if (/\b(?:active|enabled|on|blacklisted)\b/i.test(said)) {
    return true;
  }
  return undefined;
}
