import { z } from 'zod';
import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { CampaignSpending } from '../../store/campaigns/campaign-queries.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import { accepted } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** What may have cost something. */
type SpentOn = 'message' | 'code' | 'campaign' | 'esim';

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
 * Drops figures from before the workspace was connected: they may be another account's. Only a campaign may have later ones.
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

/** The balance of a workspace's account, as the provider’s answers show it. */
export interface Balance {
  /**
   * As the provider wrote it, followed by a space and the currency's ISO 4217 code, if known. Undefined if the provider only
   * said that it is too low.
   */
  amount?: string | undefined;
  /** When the provider named it. */
  at: Date;
  /** What may have cost something since: it is not in the figure. */
  before?: SpentOn | undefined;
  /** When the provider refused something since, because the balance was too low. */
  tooLowAt?: Date | undefined;
}

/** Returns the newest balance that any operation, campaign or test has shown, or the provider has named when asked. */
export function newestBalance(spendings: readonly Spending[]): Balance | undefined {
  const shown = newestFigure(spendings);
  const since = shown?.balance?.at ?? Number.NEGATIVE_INFINITY;
  const tooLow = Math.max(...spendings.map(({ tooLowAt = Number.NEGATIVE_INFINITY }) => tooLowAt));
  const tooLowAt = tooLow > since ? new Date(tooLow) : undefined;
  if (shown?.balance === undefined) {
    return tooLowAt && { at: tooLowAt, tooLowAt };
  }
  const { amount, at } = shown.balance;
  // What the last was that may have cost something, named no balance, and ended after that.
  const before = spendings
    .filter((each) => each !== shown && each.mayCost && each.balance === undefined)
    .filter(({ to = Number.POSITIVE_INFINITY }) => to > at)
    .sort((one, other) => one.from - other.from)
    .flatMap(({ what }) => (what === 'check' ? [] : [what]))
    .at(-1);
  return { amount, at: new Date(at), before, tooLowAt };
}

/** The one with the newest figure. When requests overlapped, the lowest figure is the newest. */
function newestFigure(spendings: readonly Spending[]): Spending | undefined {
  const shown = spendings.filter(({ balance }) => balance !== undefined);
  const latest = shown.reduce<Spending | undefined>(
    (newest, each) => (at(each) >= at(newest) ? each : newest),
    undefined,
  );
  if (latest === undefined || latest.what === 'campaign' || amount(latest) === undefined) {
    return latest;
  }
  const overlapping = shown.filter((each) => at(each) > latest.from && amount(each) !== undefined);
  return overlapping.reduce(
    (lowest, each) => ((amount(each) ?? 0n) < (amount(lowest) ?? 0n) ? each : lowest),
    latest,
  );
}

/**
 * Adds the currency from the last balance request to figures without one. All are of the same account, so they share its
 * currency.
 */
export function inAccountCurrency(spendings: readonly Spending[]): Spending[] {
  const checked = spendings.find(({ what }) => what === 'check')?.balance;
  const currency = checked && readMoney(checked.amount)?.currency;
  if (currency === undefined) {
    return [...spendings];
  }
  const named = (amount: string) => {
    const money = readMoney(amount);
    return money === undefined || money.currency !== undefined
      ? amount
      : writeMoney({ nanos: money.nanos, currency });
  };
  return spendings.map(({ balance, ...spending }) => ({
    ...spending,
    balance: balance && { ...balance, amount: named(balance.amount) },
  }));
}

function at(spending: Spending | undefined): number {
  return spending?.balance?.at ?? Number.NEGATIVE_INFINITY;
}

function amount({ balance }: Spending): bigint | undefined {
  return balance && readMoney(balance.amount)?.nanos;
}

/** The balance as the provider named it when it was asked. Times are milliseconds since 1970. */
const checkedBalanceSchema = z.object({
  amount: z.string(),
  /** When it was asked, and when it answered. */
  from: z.number(),
  to: z.number(),
});
export type CheckedBalance = z.infer<typeof checkedBalanceSchema>;

/** In milliseconds: how long an answer is not asked for again. */
const freshMs = 5_000;
/** In milliseconds: as long as other figures are used. */
const ttlMs = 90 * 24 * 60 * 60_000;
const key = 'checked';

export type BalanceChecks = ReturnType<typeof createBalanceChecks>;

/** Asks the provider for the balance, an operation beyond the description. */
export function createBalanceChecks(
  { store: { keyv, updateValue }, dialect, time: { now: clock } }: Context,
  { workspaces }: { workspaces: Workspaces },
) {
  /** Returns the last answer to a question that was asked under the key that is connected. */
  async function last(workspaceId: string): Promise<CheckedBalance | undefined> {
    const [connection, value] = await Promise.all([
      workspaces.connection(workspaceId),
      keyv(workspaceId, 'balance').get<unknown>(key),
    ]);
    const checked = checkedBalanceSchema.optional().parse(value);
    // A check with an earlier key may be another account's.
    return connection === undefined || checked === undefined || checked.from < connection.at.getTime()
      ? undefined
      : checked;
  }

  return {
    /** Whether the provider's profile names the path of the operation. Without it, `check` fails. */
    areOn: dialect.balancePath !== undefined,
    last,

    /** Asks, and stores the answer. Where the last one came just now, that is the answer. */
    async check(workspaceId: string): Promise<void> {
      const from = clock().getTime();
      const known = await last(workspaceId);
      if (known !== undefined && Math.abs(from - known.to) < freshMs) {
        return;
      }
      const { balance } = await workspaces.connected(workspaceId);
      const { amount } = accepted(await balance.get());
      const checked: CheckedBalance = { amount, from, to: clock().getTime() };
      await updateValue({ workspaceId, area: 'balance', key }, (value) => {
        const other = checkedBalanceSchema.safeParse(value).data;
        return other !== undefined && other.from > from ? 'keep' : { set: checked, ttl: ttlMs };
      });
    },
  };
}
