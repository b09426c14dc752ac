import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Schema } from '../schema.ts';

/** A limit that refused something. */
export interface StoredReached {
  /** The rule, and whom it is about. */
  subject: string;
  /** As JSON. */
  reached: string;
  /** Who asked last. */
  userId: string;
  refusals: number;
  at: Date;
  freesAt: Date | undefined;
}

/** What was refused, for admins to see and to lift. */
export interface ReachedLimits {
  record(
    workspaceId: string,
    refused: Pick<StoredReached, 'subject' | 'reached' | 'userId' | 'freesAt'>,
  ): Promise<void>;
  /** Returns those that still refuse, the latest first. */
  list(workspaceId: string, limit: number): Promise<StoredReached[]>;
  find(workspaceId: string, subject: string): Promise<StoredReached | undefined>;
  delete(workspaceId: string, subject: string): Promise<void>;
}

/** How long a limit is shown that frees up only when somebody acts. */
const shownMs = 24 * 60 * 60_000;

export function createReachedLimits({ db, clock }: { db: Kysely<Schema>; clock: Clock }): ReachedLimits {
  const now = () => clock().getTime();

  const selectReached = (workspaceId: string) =>
    db
      .selectFrom('limit_reached')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where((eb) =>
        eb.or([
          eb('frees_at', '>', now()),
          eb.and([eb('frees_at', 'is', null), eb('at', '>', now() - shownMs)]),
        ]),
      );

  return {
    async record(workspaceId, { subject, reached, userId, freesAt }) {
      const at = now();
      const changed = { reached, user_id: userId, at, frees_at: freesAt?.getTime() ?? null };
      await db
        .insertInto('limit_reached')
        .values({ workspace_id: workspaceId, subject, ...changed, refusals: 1 })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'subject']).doUpdateSet((eb) => ({
            ...changed,
            // Of a limit that was free in between, they count from one again.
            refusals: eb
              .case()
              .when('limit_reached.frees_at', '>', at)
              .then(eb('limit_reached.refusals', '+', 1))
              .else(1)
              .end(),
          })),
        )
        .execute();
      await db
        .deleteFrom('limit_reached')
        .where('at', '<=', at - shownMs)
        .where((eb) => eb.or([eb('frees_at', 'is', null), eb('frees_at', '<=', at)]))
        .execute();
    },

    async list(workspaceId, limit) {
      const rows = await selectReached(workspaceId).orderBy('at', 'desc').limit(limit).execute();
      return rows.map(toReached);
    },

    async find(workspaceId, subject) {
      const row = await selectReached(workspaceId).where('subject', '=', subject).executeTakeFirst();
      return row && toReached(row);
    },

    async delete(workspaceId, subject) {
      await db
        .deleteFrom('limit_reached')
        .where('workspace_id', '=', workspaceId)
        .where('subject', '=', subject)
        .execute();
    },
  };
}

function toReached(row: {
  subject: string;
  reached: string;
  user_id: string;
  refusals: number;
  at: number;
  frees_at: number | null;
}): StoredReached {
  return {
    subject: row.subject,
    reached: row.reached,
    userId: row.user_id,
    refusals: row.refusals,
    at: new Date(Number(row.at)),
    freesAt: row.frees_at === null ? undefined : new Date(Number(row.frees_at)),
  };
}
