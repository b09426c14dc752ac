import type { Kysely } from 'kysely';
import type { LimitReason } from '../../../domain/limits/reached-limit.ts';
import type { StoreContext } from '../../context.ts';
import type { Schema } from '../../schema/schema.ts';

/** A limit that refused something. */
export interface StoredReached {
  /** The rule, and whom it is about. */
  subject: string;
  reached: LimitReason;
  /** Who asked last. */
  userId: string;
  refusals: number;
  at: Date;
  freesAt?: Date | undefined;
}

type Refused = Pick<StoredReached, 'subject' | 'reached' | 'userId' | 'freesAt'>;

/** In milliseconds: how long a limit is shown that frees up only when somebody acts. */
const shownMs = 24 * 60 * 60_000;

/** What was refused, for admins to see and to lift. */
export function createReachedLimits({ db, clock }: Pick<StoreContext, 'db' | 'clock'>) {
  const selectReached = (workspaceId: string, now = clock()) =>
    db
      .selectFrom('limitReached')
      .select(['subject', 'reached', 'userId', 'refusals', 'at', 'freesAt'])
      .where('workspaceId', '=', workspaceId)
      .where((eb) =>
        eb.or([eb('freesAt', '>', now), eb.and([eb('freesAt', 'is', null), eb('at', '>', shownSince(now))])]),
      );

  return {
    record: (workspaceId: string, refused: Refused) => record(db, workspaceId, refused, clock()),

    /** Returns those that still refuse, the latest first. */
    list: (workspaceId: string, limit: number): Promise<StoredReached[]> =>
      selectReached(workspaceId).orderBy('at', 'desc').limit(limit).execute(),

    find: (workspaceId: string, subject: string): Promise<StoredReached | undefined> =>
      selectReached(workspaceId).where('subject', '=', subject).executeTakeFirst(),

    async delete(workspaceId: string, subject: string): Promise<void> {
      await db
        .deleteFrom('limitReached')
        .where('workspaceId', '=', workspaceId)
        .where('subject', '=', subject)
        .execute();
    },
  };
}

async function record(db: Kysely<Schema>, workspaceId: string, refused: Refused, at: Date): Promise<void> {
  const { subject, reached, userId, freesAt = null } = refused;
  const changed = { reached, userId, at };
  await db
    .insertInto('limitReached')
    .values({ workspaceId, subject, ...changed, freesAt: refused.freesAt, refusals: 1 })
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'subject']).doUpdateSet((eb) => ({
        ...changed,
        freesAt,
        // Of a limit that was free in between, they count from one again.
        refusals: eb
          .case()
          .when('limitReached.freesAt', '>', at)
          .then(eb('limitReached.refusals', '+', 1))
          .else(1)
          .end(),
      })),
    )
    .execute();
  await db
    .deleteFrom('limitReached')
    .where('at', '<=', shownSince(at))
    .where((eb) => eb.or([eb('freesAt', 'is', null), eb('freesAt', '<=', at)]))
    .execute();
}

const shownSince = (now: Date) => new Date(now.getTime() - shownMs);
