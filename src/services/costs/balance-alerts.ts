import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type {
  BalanceAlert,
  BalanceAlertStore,
  BalanceJudgement,
} from '../../store/balance-alerts/balance-alerts.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { BalanceChecks } from './balance-checks.ts';
import type { BalanceOutlook, Costs } from './costs.ts';

/** When a workspace is told that its balance runs out, as typed. */
export interface BalanceAlertForm {
  channelId: string | undefined;
  below: string;
  withinADay: boolean;
}

export type BalanceAlertFaults = Partial<Record<'channel' | 'below' | 'withinADay', string>>;

type ReadBalanceAlert =
  | { ok: true; alert: Pick<BalanceAlert, 'channelId' | 'below' | 'withinADay'> }
  | { ok: false; faults: BalanceAlertFaults };

/** In characters. */
export const maxAmount = 20;

/** Reads the form of an alert that is on. Each fault is a sentence to show beside its field. */
export function readBalanceAlert({ channelId, below, withinADay }: BalanceAlertForm): ReadBalanceAlert {
  const typed = below.trim().replaceAll(',', '');
  const money = typed.length > maxAmount ? undefined : readMoney(typed);
  const isAmount = money !== undefined && money.nanos > 0n && money.currency === undefined;
  const faults: BalanceAlertFaults = {
    ...(channelId === undefined ? { channel: 'Choose a channel.' } : {}),
    ...(typed !== '' && !isAmount ? { below: 'Type an amount, such as 5,000.' } : {}),
    ...(typed === '' && !withinADay ? { below: 'Type an amount, or tick the box below.' } : {}),
  };
  return channelId === undefined || Object.keys(faults).length > 0
    ? { ok: false, faults }
    : { ok: true, alert: { channelId, below: money && writeMoney(money), withinADay } };
}

export interface BalanceAlerts {
  read(workspaceId: string): Promise<BalanceAlert | undefined>;
  save(alert: BalanceAlert): Promise<void>;
  remove(workspaceId: string, userId: string): Promise<void>;
  /** Judges every workspace that has an alert. Where the balance is old, the provider is asked for it first. */
  tick(signal: AbortSignal): Promise<void>;
}

/** In milliseconds. */
const hourMs = 60 * 60_000;
/** How old a figure is before the provider is asked for a newer one. */
const maxAgeMs = 15 * 60_000;
const shortMs = 24 * hourMs;
/** A balance that lasts about a day is not told of again and again: it has to last this long in between. */
const longAgainMs = 36 * hourMs;

/** Judges what is known of a balance; what is between the two bounds of the pace stays as it was. */
export function judgeBalance(
  { below, withinADay }: Pick<BalanceAlert, 'below' | 'withinADay'>,
  { balance, lastsFor }: BalanceOutlook,
): BalanceJudgement {
  const held = balance?.amount === undefined ? undefined : readMoney(balance.amount);
  const threshold = below === undefined ? undefined : readMoney(below);
  if (balance?.tooLowAt !== undefined) {
    return { isLow: below !== undefined, isShort: withinADay };
  }
  return {
    isLow: below === undefined ? false : held && threshold && held.nanos < threshold.nanos,
    isShort: withinADay ? isShort(lastsFor) : false,
  };
}

function isShort(lastsFor: number | undefined): boolean | undefined {
  if (lastsFor === undefined || lastsFor >= longAgainMs) {
    return false;
  }
  return lastsFor < shortMs ? true : undefined;
}

export function createBalanceAlerts(options: {
  store: BalanceAlertStore;
  costs: Pick<Costs, 'outlook'>;
  checks: BalanceChecks;
  record: AuditService['record'];
  clock: Clock;
  /** Called with the error of one workspace, which keeps no other waiting. */
  report: (error: unknown) => void;
}): BalanceAlerts {
  const { store, costs, checks, clock, report } = options;

  const recordChange = (
    { workspaceId, setBy: userId }: Pick<BalanceAlert, 'workspaceId' | 'setBy'>,
    details: Record<string, string | boolean | null>,
  ) =>
    options.record({
      workspaceId,
      userId,
      action: 'settings.change',
      subject: 'balance_alert',
      outcome: 'done',
      details,
    });

  async function judge(alert: BalanceAlert): Promise<void> {
    const { workspaceId } = alert;
    let outlook = await costs.outlook(workspaceId);
    const at = outlook.balance?.at.getTime() ?? Number.NEGATIVE_INFINITY;
    if (checks.areOn && clock().getTime() - at >= maxAgeMs) {
      // Where that fails, the figure that is known has to do.
      await checks.check(workspaceId);
      outlook = await costs.outlook(workspaceId);
    }
    if (outlook.balance !== undefined) {
      await store.judge(workspaceId, judgeBalance(alert, outlook));
    }
  }

  return {
    read: store.find,

    async save(alert) {
      await store.save(alert);
      const { channelId, below = null, withinADay } = alert;
      await recordChange(alert, { channelId, below, withinADay });
    },

    async remove(workspaceId, setBy) {
      await store.remove(workspaceId);
      await recordChange({ workspaceId, setBy }, { channelId: null, below: null, withinADay: false });
    },

    async tick(signal) {
      for (const alert of await store.all()) {
        if (signal.aborted) {
          return;
        }
        await judge(alert).catch(report);
      }
    },
  };
}
