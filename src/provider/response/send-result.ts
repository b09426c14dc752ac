import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { okCode, omitUndefined, optionalText, record } from './fields.ts';

/** The provider accepted the message. Its delivery is not known yet (API §2.2). */
export type SendResult = z.output<ReturnType<typeof sendResult>>;

/**
 * Success requires a 2xx, a `code` of `ok`, and an id (API §2.2, §7). The dialect may make the `code`
 * optional.
 */
export function sendResult({ currency, successMarker }: Dialect) {
  return (
    record({
      code: successMarker === 'optional' ? okCode.or(z.literal('success')).nullish() : okCode,
      message_id_str: optionalText,
      message_id: optionalText,
      balance: optionalText,
      /** The provider's success message. */
      message: optionalText,
      /** The account's holder or label. */
      user: optionalText,
      /** For a voice call only: the provider's id of the code. */
      pinId: optionalText,
    })
      // Without the marker, success is unclear unless the words say that it was sent.
      .refine(({ code, message = 'sent' }) => Boolean(code) || /\bsent\b|success/i.test(message), {
        path: ['code'],
      })
      .transform(({ code: _, message_id_str, message_id, balance, ...read }) => ({
        ...read,
        /** Up to 25 digits, or letters: never a number. */
        messageId: message_id_str ?? message_id ?? '',
        /**
         * Account balance after the send, as the provider wrote it, followed by the dialect's currency:
         * `24989.8 NGN`.
         */
        ...omitUndefined({ balance: balance && inCurrency(balance, currency) }),
      }))
      .refine(({ messageId }) => messageId !== '', { path: ['message_id'] })
  );
}

/** A balance that is no plain number may name its currency already, and is left as it is. */
export function inCurrency(balance: string, currency: string | undefined): string {
  return currency !== undefined && /^-?\d+(?:\.\d+)?$/.test(balance) ? `${balance} ${currency}` : balance;
}
