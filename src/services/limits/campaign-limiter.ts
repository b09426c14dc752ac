import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { Reserve } from '../../store/campaigns/move-campaign.ts';
import { FullWindowsError } from '../../store/limits/campaign-reservations.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type Budgets, type BudgetUse, exceededBudget, isNearlyUsed } from './budgets.ts';
import type { Charging, NotedLimit } from './charging.ts';
import { refuseCountries } from './countries.ts';
import { budgetCharges, type LimitedCharge } from './limited-charges.ts';
import type { WorkspaceLimitsStore } from './workspace-limits.ts';

/**
 * The limits of campaigns: countries and the budget. A campaign counts on the day it is started or resumed: then it takes
 * the pages of everybody it may still send to, and so is never stopped by the budget in its midst.
 */
export interface CampaignLimiter {
  /** Returns what would refuse the campaign if it started at a time, now unless given. Takes nothing. */
  foresee(campaign: Campaign, at?: Date): Promise<ReachedLimit | undefined>;
  /** Returns the budgets of which little would be left after the campaign. */
  nearlyUsed(campaign: Campaign, at?: Date): Promise<BudgetUse[]>;
  /**
   * Moves the campaign to `running` unless a limit refuses it. Its pages are taken in the transaction of the move, instead
   * of those it had taken before: both are done, or neither.
   *
   * @param move calls its argument in that transaction
   */
  moveReserved<Moved>(
    campaign: Campaign,
    userId: string,
    move: (reserve: Reserve) => Promise<Moved>,
  ): Promise<{ limit: ReachedLimit } | { limit: undefined; moved: Moved }>;
  /** Gives back what a campaign that is paused or over did not send. Never rejects. */
  settle(campaign: Pick<Campaign, 'workspaceId' | 'id'>): Promise<void>;
}

export function createCampaignLimiter(
  { store: { limits: store }, time: { now: clock }, report }: Context,
  {
    workspace,
    workspaces,
    budgets,
    charging,
  }: {
    workspace: WorkspaceLimitsStore;
    workspaces: Pick<Workspaces, 'defaults'>;
    budgets: Budgets;
    charging: Charging;
  },
): CampaignLimiter {
  async function refuseCountry({ workspaceId, countries = {} }: Campaign): Promise<ReachedLimit | undefined> {
    const { countries: rules } = await workspace.read(workspaceId);
    const { country: own } = await workspaces.defaults(workspaceId);
    return refuseCountries(countries, rules.messages, { own, subject: 'messages' });
  }

  async function note(campaign: Campaign, userId: string, limit: NotedLimit): Promise<ReachedLimit> {
    const { workspaceId } = campaign;
    return (await charging.refuse({ workspaceId, userId }, [limit])).limit;
  }

  return {
    async foresee(campaign, at) {
      const refused = await refuseCountry(campaign);
      const { pages } = campaign.counts;
      return refused ?? exceededBudget(await budgets.budgets(campaign.workspaceId, { pages, at }), pages);
    },

    async nearlyUsed({ workspaceId, counts }, at) {
      const uses = await budgets.budgets(workspaceId, { pages: counts.pages, at });
      return uses.filter(isNearlyUsed);
    },

    async moveReserved(campaign, userId, move) {
      const { workspaceId } = campaign;
      const refused = await refuseCountry(campaign);
      if (refused !== undefined) {
        return { limit: await note(campaign, userId, { ...refused, subject: 'country/messages' }) };
      }
      const { pages: budget } = await workspace.read(workspaceId);
      const now = clock();
      const charges = budgetCharges(budget, 0, now);
      try {
        const moved = await move((transaction) => store.reservations.reserve(transaction, campaign, charges));
        const { day, month } = await budgets.pagesUsed(workspaceId);
        await budgets.warn(workspaceId, budget, [day, month], now);
        return { limit: undefined, moved };
      } catch (error) {
        if (error instanceof FullWindowsError) {
          return { limit: await note(campaign, userId, fullBudget(error, charges)) };
        }
        throw error;
      }
    },

    async settle({ workspaceId, id }) {
      await store.reservations.settle(workspaceId, id).catch(report);
    },
  };
}

function fullBudget({ full }: FullWindowsError, charges: readonly LimitedCharge[]): NotedLimit {
  const last = full.at(-1);
  const reason = last && charges.find(({ key }) => key === last.charge.key)?.reason(last);
  if (last === undefined || reason === undefined) {
    throw new TypeError('A window is full that was not asked for');
  }
  return { subject: last.charge.key, reason, freesAt: last.freesAt };
}
