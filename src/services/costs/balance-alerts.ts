import { definedFaults } from '../../domain/messages/message-checks.ts';
import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { BalanceAlert } from '../../store/workspaces/balance-alerts.ts';
import type { Context } from '../context.ts';
import type { Balance, BalanceChecks } from './balance.ts';
import type { Costs } from './costs.ts';

/** When a workspace is told that its balance is low, as typed. */
export interface BalanceAlertForm {
  channelId: string | undefined;
  below: string;
}

export type BalanceAlertFaults = Partial<Record<'channelId' | 'below', string>>;

type ReadBalanceAlert =
  | { ok: true; alert: Pick<BalanceAlert, 'channelId' | 'below'> }
  | { ok: false; faults: BalanceAlertFaults };

/** In characters. */
export const maxAmount = 20;

/** Reads the form of an alert that is on. Each fault is a sentence to show beside its field. */
export function readBalanceAlert({ channelId, below }: BalanceAlertForm): ReadBalanceAlert {
  const typed = below.trim().replaceAll(',', '');
  const money = typed.length > maxAmount ? undefined : readMoney(typed);
  const amount = money !== undefined && money.nanos > 0n && money.currency === undefined ? money : undefined;
  if (channelId !== undefined && amount !== undefined) {
    return { ok: true, alert: { channelId, below: writeMoney(amount) } };
  }
  const faults = definedFaults({
    channelId: channelId === undefined ? 'Choose a channel.' : undefined,
    below: amount === undefined ? 'Type an amount, such as 5,000.' : undefined,
  });
  return { ok: false, faults };
}

/** In milliseconds: how old a figure is before the provider is asked for a newer one. */
const maxAgeMs = 15 * 60_000;

/** Returns whether a balance is below an amount, or the provider refused for it; undefined where neither is known. */
export function isBelow(below: string, { amount, tooLowAt }: Balance): boolean | undefined {
  if (tooLowAt !== undefined) {
    return true;
  }
  const available = amount === undefined ? undefined : readMoney(amount);
  const threshold = readMoney(below);
  return available && threshold && available.nanos < threshold.nanos;
}

export function createBalanceAlerts(
  { store: { balanceAlerts: store }, audit: { record }, time: { now: clock }, report }: Context,
  { costs, checks }: { costs: Costs; checks: BalanceChecks },
) {
  function recordChange(workspaceId: string, userId: string, details: Record<string, string | null>) {
    const entry = { action: 'settings.change', subject: 'balance_alert', outcome: 'done', details } as const;
    return record({ workspaceId, userId, ...entry });
  }

  async function judge(alert: BalanceAlert): Promise<void> {
    const { workspaceId } = alert;
    let balance = await costs.balance(workspaceId);
    const at = balance?.at.getTime() ?? Number.NEGATIVE_INFINITY;
    if (checks.areOn && clock().getTime() - at >= maxAgeMs) {
      // Where that fails, the figure that is known has to do.
      await checks.check(workspaceId);
      balance = await costs.balance(workspaceId);
    }
    const isLow = balance && isBelow(alert.below, balance);
    if (isLow !== undefined) {
      await store.judge(workspaceId, isLow);
    }
  }

  return {
    read: store.find,

    async save(alert: BalanceAlert): Promise<void> {
      const { workspaceId, setBy, channelId, below } = alert;
      await store.save(alert);
      await recordChange(workspaceId, setBy, { channelId, below });
    },

    async remove(workspaceId: string, userId: string): Promise<void> {
      await store.remove(workspaceId);
      await recordChange(workspaceId, userId, { channelId: null, below: null });
    },

    /** Judges every workspace that has an alert. Where the balance is old, the provider is asked for it first. */
    async tick(signal: AbortSignal): Promise<void> {
      for (const alert of await store.all()) {
        if (signal.aborted) {
          return;
        }
        await judge(alert).catch(report);
      }
    },
  };
}
