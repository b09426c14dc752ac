import { type BudgetWindow, budgetPeriod } from '../../domain/limits/budget-period.ts';
import {
  type CountryRule,
  type LimitedSubject,
  type LimitOf,
  type PageBudget,
  rateWindows,
} from '../../domain/limits/limit-settings.ts';
import {
  describeCountry,
  isAllowed,
  type NumberCountry,
  noCountry,
} from '../../domain/limits/number-country.ts';
import type { LimitReason, ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { type CountryCode, isCountry } from '../../domain/phone/countries.ts';
import type { OperationCharge } from '../../store/operations/ledger.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { WorkspaceLimitsStore } from './workspace-limits.ts';

/**
 * A charge and the message to show if it doesn't fit. The budget's usage is known only then, see `reachedBy`.
 */
export interface LimitedCharge extends OperationCharge {
  reason: LimitReason;
}

const second = 1_000;
const hour = 60 * 60 * second;
const durations = { minute: 60 * second, hour, day: 24 * hour };

const budgetWindows = ['day', 'month'] as const satisfies readonly BudgetWindow[];

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
        reason: { rule: 'rate', subject, scope, window, limit, asked: points },
      };
    }),
  );
}

/** The key of the pages that count in a window of the budget. */
function budgetKey(window: BudgetWindow, at: Date): string {
  return `pages/${window}/${budgetPeriod(window, at).name}`;
}

/** Returns the charges of the budget. Usage counts even without a budget: one may be set later today. */
export function budgetCharges(budget: PageBudget, pages: number, now: Date): LimitedCharge[] {
  return budgetWindows.map((window): LimitedCharge => {
    const limit = budget[window];
    return {
      key: budgetKey(window, now),
      points: pages,
      limit,
      ends: { at: budgetPeriod(window, now).ends },
      isAttempt: false,
      reason: { rule: 'budget', window, limit: limit ?? 0, used: 0, asked: pages },
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
      reason: { rule: 'recipient', window, limit, shown },
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
          reason: { rule: 'again', seconds, shown },
        },
      ];
}

/** How much of a budget is used. */
export interface BudgetUse {
  window: BudgetWindow;
  /** Pages. */
  limit: number;
  used: number;
  ends: Date;
}

/** The part of a budget from which on people are warned. */
const warnedShare = 0.8;

export function isNearlyUsed({ used, limit }: Pick<BudgetUse, 'used' | 'limit'>): boolean {
  return used >= limit * warnedShare;
}

/** Returns the budget that further pages would exceed. */
export function exceededBudget(uses: readonly BudgetUse[], asked: number): ReachedLimit | undefined {
  const exceeded = uses.findLast(({ used, limit }) => used > limit);
  return (
    exceeded && {
      reason: {
        rule: 'budget',
        window: exceeded.window,
        limit: exceeded.limit,
        used: exceeded.used - asked,
        asked,
      },
      freesAt: asked > exceeded.limit ? undefined : exceeded.ends,
    }
  );
}

export type Budgets = ReturnType<typeof createBudgets>;

export function createBudgets(
  { store: { limits: store }, time: { now: clock }, report }: Context,
  { workspace, workspaces }: { workspace: WorkspaceLimitsStore; workspaces: Pick<Workspaces, 'connection'> },
) {
  const used = (workspaceId: string, at: Date) =>
    store.used(
      workspaceId,
      budgetWindows.map((window) => budgetKey(window, at)),
    );

  return {
    /** Returns the pages that count today and this month, whether there is a budget or not. */
    async pagesUsed(workspaceId: string): Promise<Record<BudgetWindow, number>> {
      const [day = 0, month = 0] = await used(workspaceId, clock());
      return { day, month };
    },

    /** Returns the budgets of the workspace, as they would be with further pages. */
    async budgets(
      workspaceId: string,
      { pages, at = clock() }: { pages: number; at?: Date | undefined } = { pages: 0 },
    ): Promise<BudgetUse[]> {
      const budget = (await workspace.read(workspaceId)).pages;
      const counted = await used(workspaceId, at);
      return budgetWindows.flatMap((window, index): BudgetUse[] => {
        const limit = budget[window];
        const { ends } = budgetPeriod(window, at);
        return limit === undefined ? [] : [{ window, limit, used: (counted[index] ?? 0) + pages, ends }];
      });
    },

    /** Tells the admin who set the budget, once per period and budget, that most of it is used. Never rejects. */
    async warn(workspaceId: string, uses: readonly BudgetUse[]): Promise<void> {
      try {
        for (const { window, limit, ends } of uses.filter(isNearlyUsed)) {
          const { chosen } = await workspace.read(workspaceId);
          const userId = chosen.by ?? (await workspaces.connection(workspaceId))?.by;
          const { name } = budgetPeriod(window, new Date(ends.getTime() - 1));
          const notice = { workspaceId, subject: 'limits' as const, subjectId: `${window}.${name}.${limit}` };
          await store.noticeOnce(
            workspaceId,
            { key: `warned/${window}/${name}/${limit}`, forgottenAt: ends },
            userId === undefined ? [] : [{ ...notice, userId }],
          );
        }
      } catch (error) {
        report(error);
      }
    },
  };
}

/** How many recipients each country has, by its code. */
export type CountryCounts = Readonly<Record<string, number>>;

/** Returns why a list is refused that has recipients in countries that are not allowed. */
export function refuseCountries(
  counts: CountryCounts,
  rule: CountryRule,
  { ownCountry, subject }: { ownCountry: CountryCode; subject: 'messages' | 'codes' },
): ReachedLimit | undefined {
  const refused = Object.entries(counts)
    .map(([code, recipients]): { country: NumberCountry; recipients: number } => ({
      country: isCountry(code) ? code : noCountry,
      recipients,
    }))
    .filter(({ country }) => !isAllowed(country, rule, ownCountry));
  if (refused.length === 0) {
    return undefined;
  }
  return {
    reason: {
      rule: 'country',
      subject,
      countries: refused.map(({ country }) => describeCountry(country)).sort(),
      recipients: refused.reduce((sum, { recipients }) => sum + recipients, 0),
    },
    freesAt: undefined,
  };
}
