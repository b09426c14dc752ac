import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import {
  defineOperation,
  offWithout,
  type RequestOptions,
  type RequestSender,
} from './request/request-sender.ts';
import { optionalText, record, text } from './response/fields.ts';
import { inCurrency } from './response/send-result.ts';

/** Beyond the description: public pages of such a provider show it. */
export function createBalanceOperations(request: RequestSender, dialect: Dialect) {
  const get = getOperation(dialect);
  return {
    /** The account's balance. Ends as `not_configured` unless the dialect names the path. */
    get: (options?: RequestOptions) => request(get, {}, options),
  };
}

const answer = record({
  balance: text.pipe(z.string().regex(/^-?\d{1,15}(?:\.\d+)?$/)),
  currency: optionalText,
});

function getOperation({ balancePath, currency: usual }: Dialect) {
  return defineOperation({
    name: 'balance.get',
    input: z.object({}),
    unavailable: () => offWithout(balancePath, 'balancePath', 'Asking for the balance is'),
    request: () => ({ method: 'GET', path: balancePath ?? '', query: {} }),
    expect: () => ({
      answer: answer.transform(({ balance, currency, raw }) => {
        // ISO 4217, in any case.
        const named = currency?.toUpperCase();
        const code = named !== undefined && /^[A-Z]{3}$/.test(named) ? named : usual;
        // As the provider wrote it, followed by its currency or the dialect's: `24989.8 NGN`. Without a
        // currency if neither is known.
        return { amount: inCurrency(balance, code), raw };
      }),
    }),
  });
}
