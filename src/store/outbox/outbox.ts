import { randomUUID } from 'node:crypto';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { keepRenewed } from '../../lib/time/interval.ts';
import { retryDelayMs, retryDelays } from '../../lib/time/retry-delays.ts';
import type { StoreContext } from '../context.ts';
import { isLeaseOver, leaseEnd } from '../engine/instances/database-now.ts';
import type { Schema } from '../schema/schema.ts';
import {
  addNotices,
  type DeliveryState,
  hasKey,
  type NewNotice,
  type Notice,
  type NoticeKey,
  type NoticeRow,
  noticeName,
  toNotice,
} from './notices.ts';

/** How long a delivery may hold a notice, in milliseconds; a crash delays the notice by at most this. */
const leaseMs = 15_000;
/** Several times before the lease ends. */
const renewMs = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

/** `held`: any instance is delivering the notice, or its campaign goes on. `gone`: it was delivered or deleted. */
export type NoticeTaking = 'taken' | 'held' | 'gone';

/**
 * Undelivered notices, each delivered once. After each failure the next attempt waits longer, so that one unreachable user or
 * channel delays nobody else.
 */
export function createOutbox(context: StoreContext) {
  const { db, clock, databaseNow, instances, log, retryWrite } = context;
  const leases = createNoticeLeases(context);

  return {
    /** Ignored when there is a notice of that key. */
    add: (notice: NewNotice): Promise<void> => addNotices(db, [notice], clock()),

    /**
     * Returns the due notice with the fewest failures, the oldest first; not one of `except` (see `noticeName`), nor one
     * being delivered by any instance.
     */
    async next(except: ReadonlySet<string>): Promise<Notice | undefined> {
      const rows = await selectDue(db, clock())
        .where(isFree(databaseNow()))
        .orderBy('attempts')
        .orderBy('nextAttemptAt')
        .limit(leases.count() + except.size + 1)
        .execute();
      return rows.map(toNotice).find((notice) => {
        const name = noticeName(notice);
        return !leases.has(name) && !except.has(name);
      });
    },

    /**
     * Calls `send`, whether the notice is due or not, and removes the notice when that resolves. When it throws, the
     * attempt is counted and the error thrown on. An error in storing either is thrown, and the write retried in the
     * background. Calls `send` again where the notice was renewed meanwhile, see `addNotices`.
     */
    deliver: (key: NoticeKey, send: (notice: Notice) => Promise<void>): Promise<NoticeTaking> =>
      deliver(context, leases, key, send),

    /** As `deliver`, for work that does not deliver the notice: nothing is removed or counted. */
    hold: (key: NoticeKey, work: (notice: Notice) => Promise<void>): Promise<NoticeTaking> =>
      leases.take(key, hasKey(key), async ({ row, isHeld, unstored }, release) => {
        try {
          await work(toNotice(row));
        } finally {
          release();
          // What could not be stored ends with the lease.
          await retryWrite(async () => {
            await storeRest(unstored);
            await db.updateTable('outbox').set(noLease).where(isHeld).execute();
          }).catch(() => {});
        }
      }),

    /**
     * Called within `deliver` or `hold` where a message was posted: stores where. If that fails, it is stored together with
     * the end of the notice, which stays until then: the message is neither posted again nor forgotten.
     */
    async posted(key: NoticeKey, store: () => Promise<unknown>): Promise<void> {
      try {
        await store();
      } catch (err) {
        const { subject, subjectId } = key;
        log.warn({ err, subject, subjectId }, 'the place of a posted message could not be stored yet');
        leases.find(key)?.unstored.push(store);
      }
    },

    /** Called within `deliver` or `hold`. Throws where another instance delivers the notice by now, or it is gone. */
    async record(key: NoticeKey, { channelProblem, repeated }: DeliveryState): Promise<void> {
      const leased = leases.find(key);
      const recorded =
        leased &&
        (await db
          .updateTable('outbox')
          .set({ channelProblem: channelProblem ?? null, repeated })
          .where(leased.isHeld)
          .executeTakeFirst());
      if (recorded?.numUpdatedRows !== 1n) {
        throw new Error('the notice was deleted, or another instance delivers it by now');
      }
    },

    /** Called at the start of the program: everything is due at once. */
    async recover(now: Date): Promise<void> {
      await db.updateTable('outbox').set({ nextAttemptAt: now }).where('nextAttemptAt', '>', now).execute();
      if (instances.isAlone) {
        await db.updateTable('outbox').set(noLease).where('lease', 'is not', null).execute();
      }
    },

    /** Called before the database is closed: other instances soon take over the notices under delivery. */
    close: leases.close,
  };
}

async function deliver(
  context: StoreContext,
  leases: NoticeLeases,
  key: NoticeKey,
  send: (notice: Notice) => Promise<void>,
): Promise<NoticeTaking> {
  const { db, clock, retryWrite } = context;
  let isRenewed = false;
  const taking = await leases.take(key, isOver, async ({ row, isHeld, unstored }, release) => {
    let failure: { error: unknown } | undefined;
    try {
      await send(toNotice(row));
    } catch (error) {
      failure = { error };
    }
    const attempts = row.attempts + 1;
    const nextAttemptAt = new Date(clock().getTime() + retryDelayMs(retryDelays.notice, attempts));
    await retryWrite(async () => {
      await storeRest(unstored);
      if (failure === undefined) {
        const { numDeletedRows } = await db
          .deleteFrom('outbox')
          .where(isHeld)
          .where('version', '=', row.version)
          .where(isOver)
          .executeTakeFirst();
        if (numDeletedRows === 0n) {
          // Renewed meanwhile, or gone, or its campaign goes on.
          const { numUpdatedRows } = await db
            .updateTable('outbox')
            .set({ attempts: 0, nextAttemptAt: clock(), channelProblem: null, repeated: false, ...noLease })
            .where(isHeld)
            .executeTakeFirst();
          isRenewed = numUpdatedRows > 0n;
        }
      } else {
        await db
          .updateTable('outbox')
          .set({ attempts, nextAttemptAt, ...noLease })
          .where(isHeld)
          .execute();
      }
      release();
    });
    if (failure !== undefined) {
      throw failure.error;
    }
  });
  if (isRenewed) {
    await deliver(context, leases, key, send);
  }
  return taking;
}

/** Stores what could not be stored before, in its order. */
async function storeRest(unstored: LeasedNotice['unstored']): Promise<void> {
  for (let store = unstored[0]; store !== undefined; store = unstored[0]) {
    await store();
    unstored.shift();
  }
}

/** Selects the notices that are due. Notices of campaigns are due once the campaign has ended. */
function selectDue(db: Kysely<Schema>, now: Date) {
  const longestDelayEnd = new Date(now.getTime() + retryDelays.notice.maxMs);
  return db
    .selectFrom('outbox')
    .selectAll()
    .where((eb) =>
      // What is put off for longer than the longest delay was put off while the clock was ahead.
      eb.or([eb('nextAttemptAt', '<=', now), eb('nextAttemptAt', '>', longestDelayEnd)]),
    )
    .where(isOver);
}

/** A campaign’s notice tells of its end, and stays where one that was missed is started after all. */
const isOver: Condition = (eb) =>
  eb.or([
    eb('subject', '<>', 'campaign'),
    eb.exists(
      eb
        .selectFrom('campaign')
        .select('sequence')
        .whereRef('campaign.workspaceId', '=', 'outbox.workspaceId')
        .whereRef('campaign.id', '=', 'outbox.subjectId')
        .where('campaign.endedAt', 'is not', null),
    ),
  ]);

type Condition = (eb: ExpressionBuilder<Schema, 'outbox'>) => Expression<SqlBool>;

/**
 * A notice that only this delivery holds, across instances. The lease is in the notice's row; after the machine slept, or the
 * program was suspended, another may hold it.
 */
interface LeasedNotice {
  row: NoticeRow;
  /** The condition that the row is still there, and of this delivery. */
  isHeld: Condition;
  /** Stores where messages are that this delivery has posted, and that could not be stored yet. */
  unstored: (() => Promise<unknown>)[];
  /** Stops the renewal of the lease. */
  end(): void;
}

type NoticeLeases = ReturnType<typeof createNoticeLeases>;

/** Which notices this instance delivers. */
function createNoticeLeases(context: StoreContext) {
  /** By name: undefined while they are being taken. The rows have the truth. */
  const leased = new Map<string, LeasedNotice | undefined>();
  const closing = new AbortController();

  return {
    count: () => leased.size,

    /** @param name see `noticeName` */
    has: (name: string) => leased.has(name),

    find: (key: NoticeKey) => leased.get(noticeName(key)),

    /** Calls `work` with a notice that nothing else gets until `release` is called. */
    async take(
      key: NoticeKey,
      isTakeable: Condition,
      work: (notice: LeasedNotice, release: () => void) => Promise<void>,
    ): Promise<NoticeTaking> {
      const name = noticeName(key);
      if (leased.has(name)) {
        return 'held';
      }
      leased.set(name, undefined);
      let notice: LeasedNotice | undefined;
      try {
        notice = await takeNotice(context, key, isTakeable, closing.signal);
      } finally {
        if (notice === undefined) {
          leased.delete(name);
        }
      }
      if (notice === undefined) {
        const { db } = context;
        const row = await db.selectFrom('outbox').select('subjectId').where(hasKey(key)).executeTakeFirst();
        return row === undefined ? 'gone' : 'held';
      }
      const { end } = notice;
      leased.set(name, notice);
      await work(notice, () => {
        end();
        leased.delete(name);
      });
      return 'taken';
    },

    close: () => closing.abort(),
  };
}

/** Returns the condition that no delivery of a row is in progress. */
export function isFree(now: Expression<number>): Expression<SqlBool> {
  return sql<SqlBool>`(lease_until is null or ${isLeaseOver('leaseUntil', now, leaseMs)})`;
}

const noLease = { lease: null, leaseUntil: null };

/** Takes a notice for one delivery, and renews the lease until that ends. */
async function takeNotice(
  { db, databaseNow, timers }: StoreContext,
  key: NoticeKey,
  isTakeable: Condition,
  closing: AbortSignal,
): Promise<LeasedNotice | undefined> {
  const lease = randomUUID();
  const end = () => leaseEnd(databaseNow(), leaseMs);
  const row = await db
    .updateTable('outbox')
    .set({ lease, leaseUntil: end() })
    .where(hasKey(key))
    .where(isFree(databaseNow()))
    .where(isTakeable)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    return undefined;
  }
  const isHeld: Condition = (eb) => eb.and([hasKey(key)(eb), eb('lease', '=', lease)]);
  // If renewing fails until another takes the notice, `isHeld` is false.
  const renew = () => db.updateTable('outbox').set({ leaseUntil: end() }).where(isHeld).execute();
  const stop = keepRenewed(renew, { ms: renewMs, timers, signal: closing });
  return { row, isHeld, unstored: [], end: () => void stop() };
}
