import type { ProviderOperationName } from '../operation-names.ts';
import type { ProviderFault } from './faults.ts';

/** A fault for the next request that matches every given property. */
export interface FaultOrder {
  operation?: ProviderOperationName;
  method?: string;
  /** The exact path, such as `/api/esim/euicc/8923…`, without a query. */
  path?: string;
  /** The key of the account that the request carries. */
  account?: string;
  fault: ProviderFault;
  /** The number of requests with the fault: 1 by default, `Infinity` for every one. */
  times?: number;
}

export interface OrderedFault {
  /** The number of further requests with the fault. */
  readonly remaining: number;
  cancel(): void;
}

/** The properties of a request that orders match. The operation is missing for an unknown path. */
export interface Target {
  operation?: ProviderOperationName;
  method: string;
  path: string;
  /** The key of the account; missing where the request carries none, and before its body is read. */
  account?: string;
}

export interface FaultOrders {
  /** Throws a `RangeError` when `times` is neither a positive integer nor `Infinity`. */
  add(order: FaultOrder): OrderedFault;
  /** Returns the fault of the oldest matching order and counts it as used. */
  claim(target: Target): ProviderFault | undefined;
  /** As `claim`, before the body is read. Returns only a fault that leaves the body unread. */
  claimUnread(target: Target): ProviderFault | undefined;
  cancelAll(): void;
}

export function faultOrders(): FaultOrders {
  let waiting: (FaultOrder & { remaining: number })[] = [];

  const find = (target: Target) =>
    waiting.find(
      ({ operation, method, path, account }) =>
        (account === undefined || account === target.account) &&
        (operation === undefined || operation === target.operation) &&
        (method === undefined || method === target.method) &&
        (path === undefined || path === target.path),
    );

  function use(order: FaultOrder & { remaining: number }): ProviderFault {
    order.remaining -= 1;
    if (order.remaining === 0) {
      waiting = waiting.filter((other) => other !== order);
    }
    return order.fault;
  }

  return {
    add(order) {
      const { times = 1 } = order;
      if (times !== Infinity && !(Number.isInteger(times) && times >= 1)) {
        throw new RangeError(`A fault cannot occur ${times} times`);
      }
      const added = { ...order, remaining: times };
      waiting.push(added);
      return {
        get remaining() {
          return waiting.includes(added) ? added.remaining : 0;
        },
        cancel() {
          waiting = waiting.filter((other) => other !== added);
        },
      };
    },
    claim(target) {
      const order = find(target);
      return order && use(order);
    },
    claimUnread(target) {
      const order = find(target);
      return order?.fault.kind === 'cut_unread' ? use(order) : undefined;
    },
    cancelAll() {
      waiting = [];
    },
  };
}
