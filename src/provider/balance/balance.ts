import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import type { Outcome } from '../errors.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { optionalText, record, text } from '../response/fields.ts';
import { inCurrency } from '../response/send-result.ts';

/** The account's balance. Beyond the description: public pages of such a provider show it. */
export interface AccountBalance {
  /**
   * As the provider wrote it, followed by the currency that it names, or else by the dialect's: `24989.8 NGN`. The
   * currency is left out where neither is known.
   */
  readonly amount: string;
  readonly raw: unknown;
}

export interface BalanceOperations {
  /** Ends as `not_configured` unless the dialect names the path. */
  get(options?: RequestOptions): Promise<Outcome<AccountBalance>>;
}

export function createBalanceOperations(request: RequestSender, dialect: Dialect): BalanceOperations {
  const get = getOperation(dialect);
  return { get: (options) => request(get, {}, options) };
}

const getInput = z.object({});

function getOperation({
  balancePath,
  currency,
}: Dialect): ProviderOperation<z.output<typeof getInput>, AccountBalance> {
  return {
    name: 'balance.get',
    input: getInput,
    unavailable: () =>
      balancePath === undefined
        ? 'Asking for the balance is off: the provider’s profile has no `balancePath`.'
        : undefined,
    request: () => ({ method: 'GET', path: balancePath ?? '', query: {} }),
    expect: () => ({
      answer: record(
        { balance: text.pipe(z.string().regex(/^-?\d{1,15}(?:\.\d+)?$/)), currency: optionalText },
        (answer) => ({ amount: inCurrency(answer.balance, readCurrency(answer.currency) ?? currency) }),
      ),
    }),
  };
}

/** ISO 4217, in any case; undefined for anything else. */
function readCurrency(named: string | undefined): string | undefined {
  const code = named?.toUpperCase();
  return code !== undefined && /^[A-Z]{3}$/.test(code) ? code : undefined;
}
