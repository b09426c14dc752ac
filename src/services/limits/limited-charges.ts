import { type BudgetWindow, budgetPeriod } from '../../domain/limits/budget-period.ts';
import {
  type LimitedSubject,
  type LimitOf,
  type PageBudget,
  rateWindows,
} from '../../domain/limits/limit-settings.ts';
import type { LimitReason } from '../../domain/limits/reached-limit.ts';
import type { Charge, FullWindow } from '../../store/workspaces/limits/windows.ts';

/** A charge, with what to say where it does not fit. */
export interface LimitedCharge extends Charge {
  reason(full: FullWindow): LimitReason;
  /** Whether it counts attempts: then it stays where the provider refused. */
  isAttempt: boolean;
}

const second = 1_000;
const hour = 60 * 60 * second;
const durations = { minute: 60 * second, hour, day: 24 * hour };

export const budgetWindows = ['day', 'month'] as const satisfies readonly BudgetWindow[];

/** Returns the charges of a rate, of the workspace first, so that its row is the one that is locked first. */
export function rateCharges(
  limitOf: LimitOf,
  { subject, userId, points }: { subject: LimitedSubject; userId: string; points: number },
): LimitedCharge[] {
  const whose = { workspace: 'workspace', person: `person/${userId}` };
  return (['workspace', 'person'] as const).flatMap((scope) =>
    rateWindows.map((window): LimitedCharge => {
      const limit = limitOf(`${subject}.${window}.${scope}`);
      return {
        key: `${subject}/${whose[scope]}/${window}`,
        points,
        limit,
        ends: { after: durations[window] },
        isAttempt: true,
        reason: () => ({ rule: 'rate', subject, scope, window, limit, asked: points }),
      };
    }),
  );
}

/** The key of the pages that count in a window of the budget. */
export function budgetKey(window: BudgetWindow, at: Date): string {
  return `pages/${window}/${budgetPeriod(window, at).name}`;
}

/** Returns the charges of the budget, which are counted where there is none too: it may be set later in the day. */
export function budgetCharges(budget: PageBudget, pages: number, now: Date): LimitedCharge[] {
  return budgetWindows.map((window): LimitedCharge => {
    const limit = budget[window];
    return {
      key: budgetKey(window, now),
      points: pages,
      limit,
      ends: { at: budgetPeriod(window, now).ends },
      isAttempt: false,
      reason: ({ charge, used }) => ({
        rule: 'budget',
        window,
        limit: limit ?? 0,
        used,
        asked: charge.points,
      }),
    };
  });
}

/** Returns the charges of a recipient of codes. `hash` stands for them, `shown` is masked. */
export function recipientCharges(
  limitOf: LimitOf,
  { hash, shown }: { hash: string; shown: string },
): LimitedCharge[] {
  const windows = (['hour', 'day'] as const).map((window): LimitedCharge => {
    const limit = limitOf(`codes.recipient.${window}`);
    return {
      key: `codes/recipient/${hash}/${window}`,
      points: 1,
      limit,
      ends: { after: durations[window] },
      isAttempt: false,
      reason: () => ({ rule: 'recipient', window, limit, shown }),
    };
  });
  const seconds = limitOf('codes.again');
  return seconds === 0
    ? windows
    : [
        ...windows,
        {
          key: `codes/again/${hash}`,
          points: 1,
          limit: 1,
          ends: { after: seconds * second },
          isAttempt: false,
          reason: () => ({ rule: 'again', seconds, shown }),
        },
      ];
}
