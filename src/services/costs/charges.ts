import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { SubjectCost } from '../../store/deliveries/costs/costs-store.ts';
import type { KeptEstimate } from '../../store/schema/deliveries.ts';
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

/** What those whom a campaign has not reached yet will probably cost. Amounts are as in `CostEstimate`. */
export interface CostOfRest {
  recipients: number;
  perPage: string;
  total: string;
  /** Whether the balance after the last message is less than that. */
  isShort: boolean;
}

/** Calculates by what a page was charged, else by what was estimated; undefined where a price is not known. */
export function costOfRest(
  { counts, balance = '' }: Pick<Campaign, 'counts' | 'balance'>,
  charges: Charges | undefined,
): CostOfRest | undefined {
  const recipients = counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed;
  const price = readMoney(charges?.perPage ?? pagePriceOf(charges?.estimate) ?? '');
  if (price === undefined || recipients <= 0) {
    return undefined;
  }
  const pages = Math.round((counts.pages * recipients) / counts.recipients);
  const nanos = price.nanos * BigInt(pages);
  const available = readMoney(balance)?.nanos;
  return {
    recipients,
    perPage: writeMoney(price),
    total: writeMoney({ ...price, nanos }),
    isShort: available !== undefined && available < nanos,
  };
}

function pagePriceOf(estimate: KeptEstimate | undefined): string | undefined {
  const total = readMoney(estimate?.total ?? '');
  return estimate === undefined || total === undefined || estimate.pages === 0 || estimate.unknownPages > 0
    ? undefined
    : writeMoney(perPageOf(total, estimate.pages));
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
