import type { CountryRule, LimitOf } from '../../domain/limits/limit-settings.ts';
import { describeCountry, quickCountryOf } from '../../domain/limits/number-country.ts';
import {
  isLiftable,
  type LimitReason,
  type ReachedLimit,
  type Usage,
} from '../../domain/limits/reached-limit.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { maskNumber, type PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Begin, StoredReached } from '../../store/workspaces/limits/limit-store.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import {
  type BudgetUse,
  createBudgets,
  exceededBudget,
  isNearlyUsed,
  type LimitedCharge,
  rateCharges,
  recipientCharges,
  refuseCountries,
} from './budgets.ts';
import { createCampaignLimiter } from './campaign-limiter.ts';
import { type Beginning, type ChargedUser, type Charging, createCharging } from './charging.ts';
import {
  type ChosenLimits,
  createWorkspaceLimits,
  type WorkspaceLimits,
  type WorkspaceLimitsStore,
} from './workspace-limits.ts';

/** What a message would meet now. */
interface LimitCheck {
  /** Budgets of which little would be left. */
  budgets: readonly BudgetUse[];
  /** What would refuse it. */
  limit: ReachedLimit | undefined;
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * The limits against mistakes and fraud. Whatever spends or looks up takes its part first, of all its limits at once, so
 * that of concurrent requests none goes beyond; a refusal takes nothing. Shared by all processes on one database.
 */
export function createLimits(
  context: Context,
  { workspaces }: { workspaces: Pick<Workspaces, 'defaults' | 'connection'> },
) {
  const { store, audit, report } = context;
  const workspace = createWorkspaceLimits(context);
  const budgets = createBudgets(context, { workspace, workspaces });
  const charging = createCharging(context, { budgets });
  const { charge, refuseNumbers } = createUsageCharging(context, { workspaces, workspace, charging });

  async function takeRate(who: Beginning, subject: 'purchases' | 'lookups', points: number) {
    const { limitOf } = await workspace.read(who.workspaceId);
    return charging.take(who, rateCharges(limitOf, { subject, userId: who.userId, points }));
  }

  return {
    budgets: budgets.budgets,
    pagesUsed: budgets.pagesUsed,
    ...createReachedReport(context, { workspace, workspaces }),
    workspace,
    campaigns: createCampaignLimiter(context, { workspace, workspaces, budgets, charging }),

    /**
     * @param who.begin writes the operation down in the transaction that takes: one commit for both, and neither without the
     * other
     */
    async take(who: Beginning & { begin: Begin }, usage: Usage) {
      const taken = usage.kind === 'free' ? await charging.take(who, []) : await charge(who, usage);
      if (taken.kind !== 'taken') {
        return taken;
      }
      return {
        kind: 'taken' as const,
        /**
         * Gives back what was taken: all of it where nothing left the machine; what is paid for where the provider refused.
         * Never rejects.
         */
        async giveBack(why: 'not_sent' | 'rejected'): Promise<void> {
          await charging.giveBack(who.workspaceId, taken.charges, why).catch(report);
        },
      };
    },

    /** Returns the limit that a purchase would meet now, which is noted for the admins. Takes nothing. */
    async checkPurchase(who: ChargedUser): Promise<ReachedLimit | undefined> {
      const taken = await takeRate({ ...who, begin: async () => ({ first: false }) }, 'purchases', 1);
      return taken.kind === 'limited' ? taken.limit : undefined;
    },

    /** For requests to the provider that say something about numbers. */
    async takeLookups(who: ChargedUser, calls: number) {
      const taken = await takeRate(who, 'lookups', calls);
      if (taken.kind === 'found') {
        throw new TypeError('A lookup begins nothing');
      }
      if (taken.kind === 'limited') {
        return taken;
      }
      return {
        kind: 'taken' as const,
        /** Gives back the requests that were not made. Never rejects. */
        async giveBack(unused: number): Promise<void> {
          const given = taken.charges.map(({ key, endsAt }) => ({ key, points: unused, endsAt }));
          await (unused > 0 ? store.limits.giveBack(who.workspaceId, given).catch(report) : undefined);
        },
      };
    },

    /** Returns what a message would meet now: its countries and the budget. Takes nothing. */
    async check(
      workspaceId: string,
      { to, pages }: { to: readonly PhoneNumber[]; pages: number },
    ): Promise<LimitCheck> {
      const uses = await budgets.budgets(workspaceId, { pages });
      const { countries } = await workspace.read(workspaceId);
      const refused = await refuseNumbers(workspaceId, to, { subject: 'messages', rule: countries.messages });
      return { budgets: uses.filter(isNearlyUsed), limit: refused ?? exceededBudget(uses, pages) };
    },

    /** Replaces what is given of what the admins of a workspace have chosen. The audit has it. */
    async choose(
      { workspaceId, userId }: { workspaceId: string; userId: string },
      changed: Omit<Partial<ChosenLimits>, 'by'>,
    ): Promise<void> {
      await workspace.save(workspaceId, { ...changed, ...(changed.pages && { by: userId }) });
      const details = describeChange(changed);
      await audit.record({ workspaceId, userId, action: 'limits.change', outcome: 'done', details });
    },
  };
}

function describeChange({ pages, countries, numbers }: Partial<ChosenLimits>) {
  return {
    ...(pages?.day === undefined ? {} : { pagesADay: pages.day }),
    ...(pages?.month === undefined ? {} : { pagesAMonth: pages.month }),
    ...(countries?.messages === undefined ? {} : { countries: String(countries.messages) }),
    ...(countries?.codes === undefined ? {} : { codeCountries: String(countries.codes) }),
    ...Object.fromEntries(Object.entries(numbers ?? {}).map(([name, chosen]) => [name, chosen ?? 'default'])),
  };
}

/** Charges what messages, codes and purchases take, or refuses them. */
function createUsageCharging(
  { store }: Context,
  {
    workspaces,
    workspace,
    charging,
  }: { workspaces: Pick<Workspaces, 'defaults'>; workspace: WorkspaceLimitsStore; charging: Charging },
) {
  async function refuseNumbers(
    workspaceId: string,
    numbers: readonly PhoneNumber[],
    { subject, rule }: { subject: 'messages' | 'codes'; rule: CountryRule },
  ): Promise<ReachedLimit | undefined> {
    const { country: own } = await workspaces.defaults(workspaceId);
    const counts: Record<string, number> = {};
    for (const number of numbers) {
      const country = quickCountryOf(number);
      counts[country] = (counts[country] ?? 0) + 1;
    }
    return refuseCountries(counts, rule, { own, subject });
  }

  async function chargesOfRecipient(
    workspaceId: string,
    to: Extract<Usage, { kind: 'code' }>['to'],
    limitOf: LimitOf,
  ): Promise<LimitedCharge[]> {
    if (to === undefined) {
      return [];
    }
    const [text, shown] =
      typeof to === 'string' ? [to, maskNumber(to)] : [`mailto:${to.address.toLowerCase()}`, to.shown];
    const [hash = ''] = await store.limits.hashes(workspaceId, [text]);
    return recipientCharges(limitOf, { hash, shown });
  }

  async function charge(who: Beginning, usage: Exclude<Usage, { kind: 'free' }>) {
    const { workspaceId, userId } = who;
    const { limitOf, countries, pages: budget } = await workspace.read(workspaceId);
    if (usage.kind === 'purchase') {
      return charging.take(who, rateCharges(limitOf, { subject: 'purchases', userId, points: 1 }));
    }
    const subject = usage.kind === 'code' ? 'codes' : 'messages';
    const rule = countries[subject];
    const refused = await refuseNumbers(workspaceId, numbersOf(usage), { subject, rule });
    if (refused !== undefined) {
      return charging.refuse(who, [{ ...refused, subject: `country/${subject}` }]);
    }
    const points = usage.kind === 'code' ? 1 : usage.to.length;
    const rates = rateCharges(limitOf, { subject, userId, points });
    const recipient = usage.kind === 'code' ? await chargesOfRecipient(workspaceId, usage.to, limitOf) : [];
    return charging.takePages(who, { pages: usage.pages, budget, charges: [...rates, ...recipient] });
  }

  return { charge, refuseNumbers };
}

function numbersOf(usage: Extract<Usage, { kind: 'messages' | 'code' }>): readonly PhoneNumber[] {
  if (usage.kind === 'messages') {
    return usage.to;
  }
  return typeof usage.to === 'string' ? [usage.to] : [];
}

/** A limit that refuses something now, as admins see it. */
export interface ReachedNow {
  /** Names it, for `lift`. */
  subject: string;
  reason: LimitReason;
  freesAt?: Date | undefined;
  /** The user who was refused last: a Slack user id. */
  userId: string;
  refusals: number;
  at: Date;
}

/** What was refused, for admins. */
function createReachedReport(
  { store: { limits: store }, audit }: Context,
  { workspace, workspaces }: { workspace: WorkspaceLimitsStore; workspaces: Pick<Workspaces, 'defaults'> },
) {
  return {
    /** Returns what refuses now, the latest first: not what an admin has allowed since. */
    async reachedNow(workspaceId: string, limit: number): Promise<ReachedNow[]> {
      const [stored, limits, { country: own }] = await Promise.all([
        store.reached.list(workspaceId, limit),
        workspace.read(workspaceId),
        workspaces.defaults(workspaceId),
      ]);
      return stored.map(toReachedNow).filter(({ reason }) => stillHolds(reason, limits, own));
    },

    /**
     * Lifts a limit on codes to one recipient: what counted towards it until now does not any more. Returns what was lifted;
     * undefined where nothing is refused for it any more, or no admin can lift it. The audit has it.
     */
    async lift(
      { workspaceId, userId }: { workspaceId: string; userId: string },
      subject: string,
    ): Promise<ReachedNow | undefined> {
      const stored = await store.reached.find(workspaceId, subject);
      const reached = stored && toReachedNow(stored);
      if (reached === undefined || !isLiftable(reached.reason)) {
        return undefined;
      }
      await store.reset(workspaceId, [subject]);
      await store.reached.delete(workspaceId, subject);
      await audit.record({
        workspaceId,
        userId,
        action: 'limits.lift',
        subject: reached.reason.rule,
        outcome: 'done',
        details: { refusedLast: reached.userId, refusals: reached.refusals },
      });
      return reached;
    },
  };
}

function stillHolds(
  reason: LimitReason,
  { pages, countries, limitOf }: WorkspaceLimits,
  own: CountryCode,
): boolean {
  switch (reason.rule) {
    case 'rate':
      return limitOf(`${reason.subject}.${reason.window}.${reason.scope}`) === reason.limit;
    case 'recipient':
      return limitOf(`codes.recipient.${reason.window}`) === reason.limit;
    case 'again':
      return limitOf('codes.again') === reason.seconds;
    case 'budget':
      return pages[reason.window] === reason.limit;
    case 'country': {
      const rule = countries[reason.subject];
      const named = Array.isArray(rule) ? rule : [];
      const allowed = new Set([own, ...named].map(describeCountry));
      return rule !== 'all' && reason.countries.some((country) => !allowed.has(country));
    }
  }
}

function toReachedNow({ reached, ...stored }: StoredReached): ReachedNow {
  return { ...stored, reason: reached };
}
