import type { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { okCode, omitUndefined, optionalText, record } from './fields.ts';

/** The provider accepted the message. Its delivery is not known yet (API §2.2). */
export interface SendResult {
  /** Up to 25 digits, or letters: never a number. */
  readonly messageId: string;
  /** Account balance after the send, as the provider wrote it, followed by the dialect's currency: `24989.8 NGN`. */
  readonly balance?: string | undefined;
  /** The provider's success message. */
  readonly message?: string | undefined;
  /** The account's holder or label. */
  readonly user?: string | undefined;
  /** For a voice call only: the provider's id of the code. */
  readonly pinId?: string | undefined;
  /** The whole response. Numbers that JavaScript would round are text in it. */
  readonly raw: unknown;
}

/** Success requires a 2xx, a `code` of `ok`, and an id (API §2.2, §7). */
export function sendResult({ currency }: Pick<Dialect, 'currency'>): z.ZodType<SendResult> {
  return record(
    {
      code: okCode,
      message_id_str: optionalText,
      message_id: optionalText,
      balance: optionalText,
      message: optionalText,
      user: optionalText,
      pinId: optionalText,
    },
    ({ message_id_str, message_id, balance, message, user, pinId }) =>
      omitUndefined({
        messageId: message_id_str ?? message_id ?? '',
        balance: balance && inCurrency(balance, currency),
        message,
        user,
        pinId,
      }),
  ).refine(({ messageId }) => messageId !== '', { path: ['message_id'] });
}

/** A balance that is no plain number may name its currency already, and is left as it is. */
export function inCurrency(balance: string, currency: string | undefined): string {
  return currency !== undefined && /^-?\d+(?:\.\d+)?$/.test(balance) ? `${balance} ${currency}` : balance;
}
