import { type BudgetWindow, budgetPeriod } from '../../domain/limits/budget-period.ts';
import type { PageBudget } from '../../domain/limits/limit-settings.ts';
import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { budgetKey, budgetWindows } from './limited-charges.ts';
import type { WorkspaceLimitsStore } from './workspace-limits.ts';

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

export function isNearlyUsed({ used, limit }: BudgetUse): boolean {
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
  async function warnOf(workspaceId: string, use: BudgetUse, name: string): Promise<void> {
    const { chosen } = await workspace.read(workspaceId);
    const userId = chosen.by ?? (await workspaces.connection(workspaceId))?.by;
    const notices =
      userId === undefined
        ? []
        : [
            {
              workspaceId,
              subject: 'limits' as const,
              subjectId: `${use.window}.${name}.${use.limit}`,
              userId,
            },
          ];
    await store.noticeOnce(
      workspaceId,
      { key: `warned/${use.window}/${name}/${use.limit}`, forgottenAt: use.ends },
      notices,
    );
  }

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

    /**
     * Has the admin who set the budget told, once a day and a month, that most of it is used. Never rejects.
     *
     * A budget that is changed meanwhile is another one.
     *
     * @param counted pages in the windows, in their order; none where nothing was counted
     * @param at a time in those windows
     */
    async warn(workspaceId: string, budget: PageBudget, counted: readonly number[], at: Date): Promise<void> {
      try {
        for (const [index, window] of budgetWindows.entries()) {
          const limit = budget[window];
          const pages = counted[index];
          if (limit !== undefined && pages !== undefined) {
            const { name, ends } = budgetPeriod(window, at);
            const use = { window, limit, used: pages, ends };
            await (isNearlyUsed(use) ? warnOf(workspaceId, use, name) : undefined);
          }
        }
      } catch (error) {
        report(error);
      }
    },
  };
}
