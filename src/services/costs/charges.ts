import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { KeptEstimate, SubjectCost } from '../../store/costs/costs-store.ts';
import { perPageOf } from './estimate.ts';

/** What was charged for a message or a campaign, and what was estimated before. Amounts are as in `CostEstimate`. */
export interface Charges {
  estimate?: KeptEstimate | undefined;
  /** Of the messages whose cost is known; undefined where none is. */
  total?: string | undefined;
  /** Messages whose cost is known, and those of them that cost nothing. */
  messages: number;
  free: number;
  /** What a page cost of those that cost something. */
  perPage?: string | undefined;
}

/** Returns undefined where nothing was estimated, and nothing is known to have been charged. */
export function chargesOf(
  { estimate, charged }: SubjectCost,
  currency: string | undefined,
): Charges | undefined {
  const messages = charged.reduce((sum, each) => sum + each.messages, 0);
  if (estimate === undefined && messages === 0) {
    return undefined;
  }
  const nanos = charged.reduce((sum, { amount }) => sum + (readMoney(amount)?.nanos ?? 0n), 0n);
  const pages = charged.reduce((sum, each) => sum + each.pages, 0);
  return {
    estimate,
    total: messages === 0 ? undefined : writeMoney({ nanos, currency }),
    messages,
    free: charged.reduce((sum, { free }) => sum + free, 0),
    perPage: pages === 0 ? undefined : writeMoney(perPageOf({ nanos, currency }, pages)),
  };
}

/**
 * Returns what is known of a message to some numbers from what was reported of each.
 *
 * @param pagesEach pages of the message to one number; 0 where they are not known
 */
export function chargedByReports(
  costs: readonly (string | undefined)[],
  pagesEach: number,
): SubjectCost['charged'] {
  const known = costs.flatMap((cost) => readMoney(cost ?? '') ?? []);
  const free = known.filter(({ nanos }) => nanos === 0n).length;
  const nanos = known.reduce((sum, each) => sum + each.nanos, 0n);
  return known.length === 0
    ? []
    : [
        {
          country: '',
          amount: writeMoney({ nanos }),
          messages: known.length,
          free,
          pages: pagesEach * (known.length - free),
        },
      ];
}
