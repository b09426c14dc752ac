import type { CampaignSpending } from '../../store/campaigns/campaign-spendings.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { CheckedBalance } from './balance-checks.ts';

/** What may have cost something. */
export type SpentOn = 'message' | 'code' | 'campaign' | 'esim';

/** Something that may have cost money, or shows the balance. Times are milliseconds since 1970. */
export interface Spending {
  /** `check`: the provider was asked for the balance. */
  what: SpentOn | 'check';
  from: number;
  /** Undefined while it goes on. */
  to?: number | undefined;
  mayCost: boolean;
  /** The last balance that the provider named for it, and when. */
  balance?: { amount: string; at: number } | undefined;
  /** When the provider refused it because the balance was too low. */
  tooLowAt?: number | undefined;
}

const subjects: Readonly<Record<string, SpentOn>> = {
  sms: 'message',
  campaign: 'message',
  otp: 'code',
  esim: 'esim',
};
/** What comes before the dot of the kinds that may cost something. */
export const spendingSubjects = Object.keys(subjects);

const balanceTooLow = 'balance_too_low';

/** Returns undefined for an operation of a kind that costs nothing. */
export function ofOperation(operation: Operation): Spending | undefined {
  const { kind, state, balance, createdAt, endedAt, error } = operation;
  const what = subjects[kind.split('.')[0] ?? ''];
  if (what === undefined) {
    return undefined;
  }
  const from = createdAt.getTime();
  const to = endedAt && Math.max(from, endedAt.getTime());
  return {
    what,
    from,
    to,
    mayCost: state !== 'rejected' && state !== 'not_sent',
    balance: balance === undefined || to === undefined ? undefined : { amount: balance, at: to },
    tooLowAt: state === 'rejected' && error?.reason === balanceTooLow ? to : undefined,
  };
}

/** An answer to the question for the balance. */
export function ofCheck({ amount, from, to }: CheckedBalance): Spending {
  return { what: 'check', from, to, mayCost: false, balance: { amount, at: to } };
}

/** A paused campaign with nothing in flight spends nothing until it is resumed: it ends with its last balance so far. */
export function ofCampaign(campaign: CampaignSpending): Spending {
  const { startedAt, endedAt, balance, pausedAt, pauseReason, accepted, unconfirmed, inFlight } = campaign;
  const isIdle = pausedAt !== undefined && inFlight === 0;
  const to = endedAt ?? (isIdle ? (balance?.at ?? pausedAt) : undefined);
  return {
    what: 'campaign',
    from: startedAt,
    to: to === undefined ? undefined : Math.max(startedAt, to),
    mayCost: accepted + unconfirmed + inFlight > 0,
    balance,
    tooLowAt: pauseReason === balanceTooLow ? pausedAt : undefined,
  };
}

/**
 * Drops what was named, or may have been, under the key before, which may be another account's: of what began before the
 * workspace was connected, only a campaign has later figures.
 *
 * @param connectedAt in milliseconds since 1970
 */
export function underKey(spending: Spending, connectedAt: number): Spending {
  const { what, from, balance, tooLowAt } = spending;
  if (from >= connectedAt) {
    return spending;
  }
  const isUnderIt = (at: number | undefined) => what === 'campaign' && at !== undefined && at >= connectedAt;
  return {
    ...spending,
    balance: isUnderIt(balance?.at) ? balance : undefined,
    tooLowAt: isUnderIt(tooLowAt) ? tooLowAt : undefined,
  };
}
