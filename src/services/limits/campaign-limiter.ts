import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Unchanged } from '../../domain/limits/seen.ts';
import type { Reserve } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import { FullWindowsError } from '../../store/workspaces/limits/campaign-reservations.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import {
  type Budgets,
  type BudgetUse,
  budgetCharges,
  exceededBudget,
  isNearlyUsed,
  rateCharges,
  refuseCountries,
} from './budgets.ts';
import { type ReachedLimits, reachedBy } from './reached-limits.ts';
import type { WorkspaceLimitsStore } from './workspace-limits.ts';

export type CampaignLimiter = ReturnType<typeof createCampaignLimiter>;

/**
 * The state a campaign moves to. States that lead to sending need proof that nothing changed since it was
 * shown.
 */
export type MoveTarget =
  | { to: 'running' | 'scheduled'; unchanged: Unchanged }
  | { to: Exclude<CampaignState, 'running' | 'scheduled'> };

/**
 * The limits of campaigns: countries and the budget. A campaign counts on the day it is started or resumed: then it takes
 * the pages of everybody it may still send to, and so is never stopped by the budget in its midst.
 */
export function createCampaignLimiter(
  { store: { limits: store }, time: { now: clock }, report }: Context,
  {
    workspace,
    workspaces,
    budgets,
    reached,
  }: {
    workspace: WorkspaceLimitsStore;
    workspaces: Pick<Workspaces, 'defaults'>;
    budgets: Budgets;
    reached: ReachedLimits;
  },
) {
  async function refuseCountry({ workspaceId, countries = {} }: Campaign): Promise<ReachedLimit | undefined> {
    const { countries: rules } = await workspace.read(workspaceId);
    const { country: ownCountry } = await workspaces.defaults(workspaceId);
    return refuseCountries(countries, rules.messages, { ownCountry, subject: 'messages' });
  }

  /** Returns what would refuse the campaign if it started at a time, now unless given. Takes nothing. */
  async function limitFor(campaign: Campaign, at?: Date): Promise<ReachedLimit | undefined> {
    const refused = await refuseCountry(campaign);
    const { pages } = campaign.counts;
    return refused ?? exceededBudget(await budgets.budgets(campaign.workspaceId, { pages, at }), pages);
  }

  /**
   * Moves a campaign to `running` with the pages of everybody who waits. They are taken in the transaction of the move,
   * instead of those it had taken before: both are done, or neither.
   */
  async function moveToRunning<Moved>(
    campaign: Campaign,
    userId: string,
    move: (reserve: Reserve) => Promise<Moved>,
  ): Promise<Moved> {
    const { workspaceId } = campaign;
    const who = { workspaceId, userId };
    const refused = await refuseCountry(campaign);
    if (refused !== undefined) {
      throw await reached.recordRefusal(who, [{ ...refused, subject: 'country/messages' }]);
    }
    const { pages: budget, limitOf } = await workspace.read(workspaceId);
    if (campaign.isMessage) {
      // People without the role for campaigns send it, so it counts as what they send at once.
      const rate = { subject: 'messages', userId, points: campaign.counts.recipients } as const;
      const taken = await store.take(workspaceId, rateCharges(limitOf, rate));
      if (taken.kind === 'full') {
        throw await reached.recordRefusal(who, taken.full.map(reachedBy));
      }
    }
    const now = clock();
    const charges = budgetCharges(budget, 0, now);
    try {
      const moved = await move((transaction) => store.reservations.reserve(transaction, campaign, charges));
      await budgets.warn(workspaceId, await budgets.budgets(workspaceId, { pages: 0, at: now }));
      return moved;
    } catch (error) {
      const full = error instanceof FullWindowsError ? error.full.at(-1) : undefined;
      const charge = charges.find(({ key }) => key === full?.charge.key);
      if (full === undefined || charge === undefined) {
        throw error;
      }
      const limit = reachedBy({ ...full, charge: { ...charge, points: full.charge.points } });
      throw await reached.recordRefusal(who, [limit]);
    }
  }

  return {
    limitFor,

    /** Returns the budgets that the campaign would nearly use up. */
    async nearlyUsed({ workspaceId, counts }: Campaign, at?: Date): Promise<BudgetUse[]> {
      const uses = await budgets.budgets(workspaceId, { pages: counts.pages, at });
      return uses.filter(isNearlyUsed);
    },

    /**
     * Moves a campaign. Throws a Refusal if a limit would block it at `at`, or now.
     *
     * @param move calls its argument, if given, in the transaction of the move
     */
    async move<Moved>(
      campaign: Campaign,
      { userId, to, at }: { userId: string; at?: Date | undefined } & MoveTarget,
      move: (reserve?: Reserve) => Promise<Moved>,
    ): Promise<Moved> {
      if (to === 'running') {
        return moveToRunning(campaign, userId, move);
      }
      const limit = to === 'scheduled' ? await limitFor(campaign, at ?? campaign.startAt) : undefined;
      if (limit !== undefined) {
        throw new Refusal({ kind: 'limited', limit });
      }
      return move();
    },

    /** Gives back what a campaign that is paused or over did not send. Never rejects. */
    async settle({ workspaceId, id }: Pick<Campaign, 'workspaceId' | 'id'>): Promise<void> {
      await store.reservations.settle(workspaceId, id).catch(report);
    },
  };
}
