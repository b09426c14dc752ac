import type { Kysely } from 'kysely';
import type { LimitReason } from '../../../domain/limits/reached-limit.ts';
import type { StoreContext } from '../../context.ts';
import type { PhoneHashes } from '../../engine/encryption/phone-hashes.ts';
import { inTransaction, orRollBack } from '../../engine/transaction.ts';
import { addNotices, type NewNotice } from '../../outbox/notices.ts';
import type { Schema } from '../../schema/schema.ts';
import { createCampaignReservations } from './campaign-reservations.ts';
import { type Charge, type Consumed, consume, type GivenBackPoints, giveBackPoints } from './windows.ts';

/** What counts towards the limits, shared by every process that has the database. */
export function createLimitStore(
  context: Pick<StoreContext, 'db' | 'clock'> & { phoneHashes: Pick<PhoneHashes, 'of'> },
) {
  const { db, phoneHashes, clock } = context;

  return {
    /**
     * Takes all charges, or none if one doesn't fit. Charges of an operation are taken by the ledger instead.
     *
     * @param isTrial takes nothing and returns what the result would be
     */
    take: <Charged extends Charge>(
      workspaceId: string,
      charges: readonly Charged[],
      { isTrial = false }: { isTrial?: boolean | undefined } = {},
    ) =>
      orRollBack<Schema, Consumed<Charged>>(
        db,
        (transaction) => consume(transaction, workspaceId, charges, clock()),
        ({ kind }) => kind === 'taken' && !isTrial,
      ),

    giveBack: (workspaceId: string, refunds: readonly GivenBackPoints[]): Promise<void> =>
      inTransaction(db, (transaction) => giveBackPoints(transaction, workspaceId, refunds)),

    /** Returns the points used in windows, in the order of the keys. */
    async used(workspaceId: string, keys: readonly string[]): Promise<number[]> {
      const rows = await db
        .selectFrom('limitWindow')
        .select(['key', 'points'])
        .where('workspaceId', '=', workspaceId)
        .where('key', 'in', keys)
        .where('expires', '>', clock())
        .execute();
      const points = new Map(rows.map((row) => [row.key, row.points]));
      return keys.map((key) => points.get(key) ?? 0);
    },

    /** Ends windows at once. */
    async reset(workspaceId: string, keys: readonly string[]): Promise<void> {
      await db
        .deleteFrom('limitWindow')
        .where('workspaceId', '=', workspaceId)
        .where('key', 'in', keys)
        .execute();
    },

    /** Adds notices to the outbox with the first call of a key; the key is forgotten at a time. */
    async noticeOnce(
      workspaceId: string,
      { key, forgottenAt }: { key: string; forgottenAt: Date },
      notices: readonly NewNotice[],
    ): Promise<void> {
      const charge = { key, points: 1, limit: 1, ends: { at: forgottenAt } };
      await orRollBack(
        db,
        async (transaction) => {
          const { kind } = await consume(transaction, workspaceId, [charge], clock());
          await addNotices(transaction, notices, clock());
          return kind;
        },
        (kind) => kind === 'taken',
      );
    },

    /** Returns keyed hashes for texts that must not be stored, in the same order. */
    hashes: phoneHashes.of,
    reached: createReachedLimits(context),
    reservations: createCampaignReservations(context),
  };
}

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
function createReachedLimits({ db, clock }: Pick<StoreContext, 'db' | 'clock'>) {
  function selectReached(workspaceId: string) {
    const now = clock();
    return db
      .selectFrom('limitReached')
      .select(['subject', 'reached', 'userId', 'refusals', 'at', 'freesAt'])
      .where('workspaceId', '=', workspaceId)
      .where((eb) =>
        eb.or([eb('freesAt', '>', now), eb.and([eb('freesAt', 'is', null), eb('at', '>', shownSince(now))])]),
      );
  }

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
