import { describeCountry } from '../../domain/limits/number-country.ts';
import {
  isLiftable,
  type LimitReason,
  lastToFree,
  type ReachedLimit,
} from '../../domain/limits/reached-limit.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import type { StoredReached } from '../../store/workspaces/limits/limit-store.ts';
import type { FullWindow } from '../../store/workspaces/limits/windows.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { LimitedCharge } from './budgets.ts';
import type { WorkspaceLimits, WorkspaceLimitsStore } from './workspace-limits.ts';

/** Who is charged. */
export interface ChargedUser {
  workspaceId: string;
  userId: string;
}

/** A limit that was reached, with the subject that it is recorded and lifted under. */
export type NotedLimit = ReachedLimit & { subject: string };

/** Returns the limit that blocked a charge. */
export function reachedBy({ charge, used, freesAt }: FullWindow<LimitedCharge>): NotedLimit {
  const { key: subject, reason, points: asked } = charge;
  return { subject, reason: reason.rule === 'budget' ? { ...reason, used, asked } : reason, freesAt };
}

/** A limit that currently blocks requests, as shown to admins. */
export interface ReachedNow {
  /** Identifies it for `lift`. */
  subject: string;
  reason: LimitReason;
  freesAt?: Date | undefined;
  /** The last user who was refused: a Slack user id. */
  userId: string;
  refusals: number;
  at: Date;
}

export type ReachedLimits = ReturnType<typeof createReachedLimits>;

/** Records refusals, for admins to see and lift. */
export function createReachedLimits(
  { store: { limits: store }, audit, metrics, report, time }: Context,
  { workspace, workspaces }: { workspace: WorkspaceLimitsStore; workspaces: Pick<Workspaces, 'defaults'> },
) {
  return {
    /**
     * Records a refusal for admins and returns it. If several limits were reached, picks the one that lasts
     * longest.
     */
    async recordRefusal(
      { workspaceId, userId }: ChargedUser,
      reached: readonly NotedLimit[],
    ): Promise<Refusal> {
      const last = lastToFree(reached);
      if (last === undefined) {
        throw new TypeError('No limit is reached');
      }
      const { subject, reason, freesAt } = last;
      metrics.limitReached(reason.rule);
      // A request that is too large for any window hasn't used up the limit: smaller ones still pass.
      if (reason.rule !== 'rate' || freesAt !== undefined) {
        await store.reached.record(workspaceId, { subject, reached: reason, userId, freesAt }).catch(report);
      }
      const wait = freesAt && { waitMs: freesAt.getTime() - time.now().getTime() };
      return new Refusal({ kind: 'limited', limit: { reason, freesAt, ...wait } });
    },

    /**
     * Returns the limits that currently block requests, latest first, without those that an admin has lifted.
     */
    async reachedNow(workspaceId: string, limit: number): Promise<ReachedNow[]> {
      const [stored, limits, { country: ownCountry }] = await Promise.all([
        store.reached.list(workspaceId, limit),
        workspace.read(workspaceId),
        workspaces.defaults(workspaceId),
      ]);
      return stored.map(toReachedNow).filter(({ reason }) => stillHolds(reason, limits, ownCountry));
    },

    /**
     * Lifts a limit on codes to one recipient by resetting its count. Returns the lifted limit, or undefined
     * if it no longer blocks anything or can't be lifted. The audit log records it.
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
  ownCountry: CountryCode,
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
      const allowed = new Set([ownCountry, ...named].map(describeCountry));
      return rule !== 'all' && reason.countries.some((country) => !allowed.has(country));
    }
  }
}

function toReachedNow({ reached, ...stored }: StoredReached): ReachedNow {
  return { ...stored, reason: reached };
}
