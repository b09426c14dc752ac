import type { LimitReason, ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { LimitStore } from '../../store/limits/limit-store.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type Budgets, type BudgetUse, exceededBudget, isNearlyUsed } from './budgets.ts';
import type { Charging, NotedLimit } from './charging.ts';
import { refuseCountries } from './countries.ts';
import { budgetCharges } from './limited-charges.ts';
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
   * Called before the campaign is moved to `running`. Takes its pages, instead of those it had taken before; a repeated call
   * takes nothing more. `settle` with `begun` is called after the move, whether it succeeded or not.
   */
  reserve(campaign: Campaign, userId: string): Promise<ReachedLimit | undefined>;
  /** Gives back what a campaign that is paused or over did not send. Never rejects. */
  settle(campaign: Pick<Campaign, 'workspaceId' | 'id'>, options?: { begun?: boolean }): Promise<void>;
  /** Called at the start of the program. Never rejects. */
  settleAll(): Promise<void>;
}

export function createCampaignLimiter(options: {
  store: LimitStore;
  workspace: WorkspaceLimitsStore;
  workspaces: Pick<Workspaces, 'defaults'>;
  budgets: Budgets;
  charging: Charging;
  clock: Clock;
  report: (error: unknown) => void;
}): CampaignLimiter {
  const { store, workspace, workspaces, budgets, charging, clock, report } = options;

  /** A campaign that was imported by a version that did not count its countries is not checked. */
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

    async reserve(campaign, userId) {
      const { workspaceId, id } = campaign;
      const refused = await refuseCountry(campaign);
      if (refused !== undefined) {
        return note(campaign, userId, { ...refused, subject: 'country/messages' });
      }
      const { pages: budget } = await workspace.read(workspaceId);
      const charges = budgetCharges(budget, 0, clock());
      const reserved = await store.reservations.reserve(workspaceId, id, charges);
      if (reserved.kind === 'reserved') {
        await budgets.warn(workspaceId, budget, reserved.used);
        return undefined;
      }
      const full = reserved.full.at(-1);
      const reason: LimitReason | undefined =
        full && charges.find(({ key }) => key === full.charge.key)?.reason(full);
      if (full === undefined || reason === undefined) {
        throw new TypeError('A window is full that was not asked for');
      }
      return note(campaign, userId, { subject: full.charge.key, reason, freesAt: full.freesAt });
    },

    async settle({ workspaceId, id }, { begun = false } = {}) {
      await store.reservations.settle(workspaceId, id, { begun }).catch(report);
    },

    settleAll: () => store.reservations.settleAll().catch(report),
  };
}
