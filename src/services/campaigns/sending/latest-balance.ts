import { readMoney } from '../../../domain/money/money.ts';

/** Follows the balance through responses that arrive in another order than the provider wrote them. */
export interface LatestBalance {
  /** Called when a request leaves; returns what to pass with its response. */
  requestStarted(): number;
  /** Takes the balance of a response, and returns the latest known one. */
  record(balance: string, request: number): string;
}

/**
 * A response to a request that left after the latest balance arrived is later. Of two requests that were in flight
 * together, the one with the lower balance was served later, as each send costs something.
 */
export function createLatestBalance(): LatestBalance {
  let responses = 0;
  let latest: { balance: string; response: number } | undefined;
  return {
    requestStarted: () => responses,
    record(balance, request) {
      responses += 1;
      if (latest === undefined || request >= latest.response || isLower(balance, latest.balance)) {
        latest = { balance, response: responses };
      }
      return latest.balance;
    },
  };
}

/** True also where one of them is no plain number. */
function isLower(one: string, other: string): boolean {
  const [first, second] = [readMoney(one), readMoney(other)];
  return first === undefined || second === undefined || first.nanos < second.nanos;
}
