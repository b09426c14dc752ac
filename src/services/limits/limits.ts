import { showNumber } from '../../domain/access/private-values.ts';
import { quickCountryOf } from '../../domain/limits/number-country.ts';
import type { ReachedLimit, Usage } from '../../domain/limits/reached-limit.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { FullWindow, Taken } from '../../store/workspaces/limits/windows.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import {
  type BudgetUse,
  budgetCharges,
  createBudgets,
  exceededBudget,
  isNearlyUsed,
  type LimitedCharge,
  rateCharges,
  recipientCharges,
  refuseCountries,
} from './budgets.ts';
import { createCampaignLimiter } from './campaign-limiter.ts';
import { type ChargedUser, createReachedLimits, reachedBy } from './reached-limits.ts';
import { type ChosenLimits, createWorkspaceLimits, type WorkspaceLimits } from './workspace-limits.ts';

/** What a message would meet now. */
interface LimitCheck {
  /** Budgets that it would nearly use up. */
  budgets: readonly BudgetUse[];
  /** What would refuse it. */
  limit: ReachedLimit | undefined;
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * The limits against mistakes and fraud. Whatever spends or looks up first takes from all its limits at once, or from none,
 * so concurrent requests can't exceed one. Shared by all processes on one database.
 */
export function createLimits(
  context: Context,
  { workspaces }: { workspaces: Pick<Workspaces, 'defaults' | 'connection'> },
) {
  const { store, audit, report, time } = context;
  const workspace = createWorkspaceLimits(context);
  const budgets = createBudgets(context, { workspace, workspaces });
  const reached = createReachedLimits(context, { workspace, workspaces });

  async function refuseNumbers(
    workspaceId: string,
    numbers: readonly PhoneNumber[],
    subject: 'messages' | 'codes',
    { countries }: Pick<WorkspaceLimits, 'countries'>,
  ): Promise<ReachedLimit | undefined> {
    const { country: ownCountry } = await workspaces.defaults(workspaceId);
    const counts: Record<string, number> = {};
    for (const number of numbers) {
      const country = quickCountryOf(number);
      counts[country] = (counts[country] ?? 0) + 1;
    }
    return refuseCountries(counts, countries[subject], { ownCountry, subject });
  }

  const recordRefusal = (who: ChargedUser, full: readonly FullWindow<LimitedCharge>[]) =>
    reached.recordRefusal(who, full.map(reachedBy));

  /** Throws a Refusal if a limit is reached. */
  async function takeRate(
    { workspaceId, userId }: ChargedUser,
    { subject, points, isTrial }: { subject: 'purchases' | 'lookups'; points: number; isTrial?: boolean },
  ) {
    const { limitOf } = await workspace.read(workspaceId);
    const charges = rateCharges(limitOf, { subject, userId, points });
    const taken = await store.limits.take(workspaceId, charges, { isTrial });
    if (taken.kind === 'full') {
      throw await recordRefusal({ workspaceId, userId }, taken.full);
    }
    return taken.charges;
  }

  return {
    budgets: budgets.budgets,
    pagesUsed: budgets.pagesUsed,
    reachedNow: reached.reachedNow,
    lift: reached.lift,
    workspace,
    campaigns: createCampaignLimiter(context, { workspace, workspaces, budgets, reached }),

    /**
     * Returns the charges of an operation for the ledger. A blocked country becomes a charge that never fits.
     */
    async chargesOf({ workspaceId, userId }: ChargedUser, usage: Usage): Promise<LimitedCharge[]> {
      if (usage.kind === 'free') {
        return [];
      }
      const settings = await workspace.read(workspaceId);
      const { limitOf } = settings;
      if (usage.kind === 'purchase') {
        return rateCharges(limitOf, { subject: 'purchases', userId, points: 1 });
      }
      const subject = usage.kind === 'code' ? 'codes' : 'messages';
      const one = usage.kind === 'code' && usage.to && 'number' in usage.to ? [usage.to.number] : [];
      const numbers = usage.kind === 'messages' ? usage.to : one;
      const points = usage.kind === 'code' ? 1 : usage.to.length;
      const charges = rateCharges(limitOf, { subject, userId, points });
      if (usage.kind === 'code' && usage.to !== undefined) {
        const { to } = usage;
        const [text, shown] =
          'number' in to
            ? [to.number, showNumber(to.number, 'record')]
            : [`mailto:${to.address.toLowerCase()}`, to.shown];
        const [hash = ''] = await store.limits.hashes(workspaceId, [text]);
        charges.push(...recipientCharges(limitOf, { hash, shown }));
      }
      if (usage.pages > 0) {
        charges.push(...budgetCharges(settings.pages, usage.pages, time.now()));
      }
      const refused = await refuseNumbers(workspaceId, numbers, subject, settings);
      const country = {
        key: `country/${subject}`,
        points: 1,
        limit: 0,
        ends: { after: 1 },
        isAttempt: false,
      };
      return refused === undefined ? charges : [{ ...country, reason: refused.reason }, ...charges];
    },

    /** Alerts an admin if a charge leaves little of a budget. Never rejects. */
    warn: (workspaceId: string, taken: readonly Taken<LimitedCharge>[]) =>
      budgets.warn(
        workspaceId,
        taken.flatMap(({ reason, limit, used, endsAt: ends }) =>
          reason.rule === 'budget' && limit !== undefined
            ? [{ window: reason.window, limit, used, ends }]
            : [],
        ),
      ),

    recordRefusal,

    /** Throws a Refusal if a purchase would exceed a limit, and records that for admins. Charges nothing. */
    async checkPurchase(who: ChargedUser): Promise<void> {
      await takeRate(who, { subject: 'purchases', points: 1, isTrial: true });
    },

    /** Charges requests that look up numbers at the provider. Throws a Refusal if a limit is reached. */
    async takeLookups(who: ChargedUser, calls: number) {
      const taken = await takeRate(who, { subject: 'lookups', points: calls });
      return {
        /** Gives back the requests that were not made. Never rejects. */
        async giveBack(unused: number): Promise<void> {
          const refunds = taken.map(({ key, endsAt }) => ({ key, points: unused, endsAt }));
          await (unused > 0 ? store.limits.giveBack(who.workspaceId, refunds).catch(report) : undefined);
        },
      };
    },

    /** Returns what a message would meet now: its countries and the budget. Takes nothing. */
    async check(
      workspaceId: string,
      { to, pages }: { to: readonly PhoneNumber[]; pages: number },
    ): Promise<LimitCheck> {
      const uses = await budgets.budgets(workspaceId, { pages });
      const refused = await refuseNumbers(workspaceId, to, 'messages', await workspace.read(workspaceId));
      return { budgets: uses.filter(isNearlyUsed), limit: refused ?? exceededBudget(uses, pages) };
    },

    /** Replaces the given limits of a workspace. The audit log records it. */
    async choose(
      { workspaceId, userId }: { workspaceId: string; userId: string },
      changed: Omit<Partial<ChosenLimits>, 'by'>,
    ): Promise<void> {
      await workspace.save(workspaceId, { ...changed, ...(changed.pages && { by: userId }) });
      const { pages, countries, numbers } = changed;
      const details = {
        ...(pages?.day === undefined ? {} : { pagesADay: pages.day }),
        ...(pages?.month === undefined ? {} : { pagesAMonth: pages.month }),
        ...(countries?.messages === undefined ? {} : { countries: String(countries.messages) }),
        ...(countries?.codes === undefined ? {} : { codeCountries: String(countries.codes) }),
        ...Object.fromEntries(
          Object.entries(numbers ?? {}).map(([name, chosen]) => [name, chosen ?? 'default']),
        ),
      };
      await audit.record({ workspaceId, userId, action: 'limits.change', outcome: 'done', details });
    },
  };
}
