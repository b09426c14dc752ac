import type { ProviderOperationName } from '../operation-names.ts';
import type { ProviderFault } from './faults.ts';

/** A fault for the next request that fits all that is named here; with nothing named, for any request. */
export interface FaultOrder {
  operation?: ProviderOperationName;
  method?: string;
  /** Of one very resource, such as `/api/esim/euicc/8923…`, without a query. */
  path?: string;
  fault: ProviderFault;
  /** How many requests meet the fault: 1 by default, `Infinity` for every one. */
  times?: number;
}

export interface OrderedFault {
  /** How many more requests will meet the fault. */
  readonly remaining: number;
  cancel(): void;
}

/** What an order looks for in a request. The operation is missing where the path is unknown. */
export interface Target {
  operation?: ProviderOperationName;
  method: string;
  path: string;
}

export interface FaultOrders {
  /** Throws a `RangeError` where `times` is neither a whole number from 1 on nor `Infinity`. */
  add(order: FaultOrder): OrderedFault;
  /** The fault that waits for a request, as the first one ordered of those that fit; it counts as met. */
  claim(target: Target): ProviderFault | undefined;
  /** The same for a request whose body is not read yet, where the fault is to leave it unread. */
  claimUnread(target: Target): ProviderFault | undefined;
  cancelAll(): void;
}

export function faultOrders(): FaultOrders {
  let waiting: (FaultOrder & { remaining: number })[] = [];

  const find = (target: Target) =>
    waiting.find(
      ({ operation, method, path }) =>
        (operation === undefined || operation === target.operation) &&
        (method === undefined || method === target.method) &&
        (path === undefined || path === target.path),
    );

  function meet(order: FaultOrder & { remaining: number }): ProviderFault {
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
        throw new RangeError(`A fault cannot be met ${times} times`);
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
      return order && meet(order);
    },
    claimUnread(target) {
      const order = find(target);
      return order?.fault.kind === 'cut_unread' ? meet(order) : undefined;
    },
    cancelAll() {
      waiting = [];
    },
  };
}
