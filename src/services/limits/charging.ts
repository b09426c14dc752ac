import type { PageBudget } from '../../domain/limits/limit-settings.ts';
import { lastToFree, type ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Begin } from '../../store/workspaces/limits/limit-store.ts';
import type { Taken } from '../../store/workspaces/limits/windows.ts';
import type { Context } from '../context.ts';
import { type Budgets, budgetCharges, type LimitedCharge } from './budgets.ts';

/** Who asks for something. */
export interface ChargedUser {
  workspaceId: string;
  userId: string;
}

/** What is taken for, and written down in the transaction that takes. */
export interface Beginning extends ChargedUser {
  begin?: Begin | undefined;
}

export interface Limited {
  kind: 'limited';
  limit: ReachedLimit;
}

/** Nothing was taken: a limit is reached, or what it is for had begun before. */
export type NotTaken = Limited | { kind: 'found' };

/** A limit that was reached, and the subject under which it is noted and lifted. */
export type NotedLimit = ReachedLimit & { subject: string };

export type TakenCharge = Taken<LimitedCharge>;

interface TakenCharges {
  kind: 'taken';
  charges: readonly TakenCharge[];
}

export type Charging = ReturnType<typeof createCharging>;

export function createCharging(
  { store: { limits: store }, time: { now: clock }, metrics, report }: Context,
  { budgets }: { budgets: Budgets },
) {
  /** Notes a refusal for the admins, and returns it: of several the one that refuses for longest. */
  async function refuse(
    { workspaceId, userId }: ChargedUser,
    reached: readonly [NotedLimit, ...NotedLimit[]],
  ): Promise<Limited> {
    const last = lastToFree(reached);
    const { subject, reason, freesAt } = reached.find((each) => each === last) ?? reached[0];
    metrics.limitReached(reason.rule);
    // A request that no window takes has reached nothing: smaller ones still pass.
    if (reason.rule !== 'rate' || freesAt !== undefined) {
      await store.reached.record(workspaceId, { subject, reached: reason, userId, freesAt }).catch(report);
    }
    return { kind: 'limited', limit: { reason, freesAt } };
  }

  /** Takes all charges or none. */
  async function take(who: Beginning, charges: readonly LimitedCharge[]): Promise<TakenCharges | NotTaken> {
    const taken = await store.take(who.workspaceId, charges, who.begin);
    if (taken.kind !== 'full') {
      return taken;
    }
    const [first, ...others] = taken.full.map(
      (window): NotedLimit => ({
        subject: window.charge.key,
        reason: window.charge.reason(window),
        freesAt: window.freesAt,
      }),
    );
    if (first === undefined) {
      throw new TypeError('No window is full');
    }
    return refuse(who, [first, ...others]);
  }

  return {
    refuse,
    take,

    /** The same with pages of the budget. Returns all charges that were taken. */
    async takePages(
      who: Beginning,
      { pages, budget, charges }: { pages: number; budget: PageBudget; charges: readonly LimitedCharge[] },
    ): Promise<TakenCharges | NotTaken> {
      const now = clock();
      const all = pages === 0 ? charges : [...charges, ...budgetCharges(budget, pages, now)];
      const taken = await take(who, all);
      if (taken.kind !== 'taken') {
        return taken;
      }
      const counted = taken.charges.slice(charges.length).map(({ used }) => used);
      await budgets.warn(who.workspaceId, budget, counted, now);
      return taken;
    },

    /** Gives back all charges, or what is paid for where the provider refused. */
    async giveBack(
      workspaceId: string,
      charges: readonly TakenCharge[],
      why: 'not_sent' | 'rejected',
    ): Promise<void> {
      const given = charges.filter(({ isAttempt }) => why !== 'rejected' || !isAttempt);
      await store.giveBack(workspaceId, given);
    },
  };
}
