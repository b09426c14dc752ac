import type { Kysely } from 'kysely';
import { codeMemoryMs } from '../../domain/limits/code-fraud.ts';
import type { Time } from '../../lib/time/trusted-time.ts';
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
  /** From now on. Resolves with false where nothing is refused for it. */
  lift(workspaceId: string, subject: string): Promise<boolean>;
  /** Returns when each of the subjects was lifted last. Called in the transaction that judges. */
  liftedAt(
    db: Kysely<Schema>,
    workspaceId: string,
    subjects: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/** How long a limit is shown that frees up only when somebody acts. */
const shownMs = codeMemoryMs;

export function createReachedLimits({ db, time }: { db: Kysely<Schema>; time: Time }): ReachedLimits {
  const now = () => time.now().getTime();

  const selectReached = (workspaceId: string) =>
    db
      .selectFrom('limit_reached')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where((eb) => eb.or([eb('lifted_at', 'is', null), eb('lifted_at', '<', eb.ref('at'))]))
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
        .values({ workspace_id: workspaceId, subject, ...changed, refusals: 1, lifted_at: null })
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
      const deletable = time.trustedForDeletion()?.getTime();
      if (deletable !== undefined) {
        const old = deletable - shownMs;
        await db
          .deleteFrom('limit_reached')
          .where('at', '<=', old)
          .where((eb) => eb.or([eb('frees_at', 'is', null), eb('frees_at', '<=', deletable)]))
          .where((eb) => eb.or([eb('lifted_at', 'is', null), eb('lifted_at', '<=', old)]))
          .execute();
      }
    },

    async list(workspaceId, limit) {
      const rows = await selectReached(workspaceId).orderBy('at', 'desc').limit(limit).execute();
      return rows.map(toReached);
    },

    async find(workspaceId, subject) {
      const row = await selectReached(workspaceId).where('subject', '=', subject).executeTakeFirst();
      return row && toReached(row);
    },

    async lift(workspaceId, subject) {
      const { numUpdatedRows } = await db
        .updateTable('limit_reached')
        .set({ lifted_at: now() })
        .where('workspace_id', '=', workspaceId)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async liftedAt(transaction, workspaceId, subjects) {
      const rows = await transaction
        .selectFrom('limit_reached')
        .select(['subject', 'lifted_at'])
        .where('workspace_id', '=', workspaceId)
        .where('subject', 'in', subjects)
        .where('lifted_at', 'is not', null)
        .execute();
      return new Map(rows.map((row) => [row.subject, Number(row.lifted_at)]));
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
