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

/** How long a notice is left to its delivery, in milliseconds. One that stopped delays it by no more than that. */
const leaseMs = 15_000;
/** Several times before the lease ends. */
const renewMs = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * The notices that users are still to get, each once. Attempts that fail are counted, and each next one is put off for
 * longer, so that one user or channel that cannot be reached keeps nobody else waiting.
 */
export function createOutbox(context: StoreContext) {
  const { db, clock, databaseNow, instances } = context;
  const leases = createNoticeLeases(context);

  return {
    /** Ignored when there is a notice of that key. */
    add: (notice: NewNotice): Promise<void> => addNotices(db, [notice], clock()),

    /**
     * Returns the due notice that failed least often, of those the one due first; not one of `except`, as `noticeName`
     * names them, nor one that is being delivered by any instance.
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
     * background. Resolves with false where there is no such notice, or it is being delivered by any instance. Calls `send`
     * again where the notice was renewed meanwhile, see `addNotices`.
     */
    deliver: (key: NoticeKey, send: (notice: Notice) => Promise<void>): Promise<boolean> =>
      deliver(context, leases, key, send),

    /** As `deliver`, for work that does not deliver the notice: nothing is removed or counted. */
    hold: (key: NoticeKey, work: (notice: Notice) => Promise<void>): Promise<boolean> =>
      leases.take(key, async ({ row, isHeld }, release) => {
        try {
          await work(toNotice(row));
        } finally {
          release();
          // What could not be stored ends with the lease.
          await db
            .updateTable('outbox')
            .set(noLease)
            .where(isHeld)
            .execute()
            .catch(() => {});
        }
      }),

    /** Called within `deliver` or `hold`. Throws where another instance delivers the notice by now, or it is gone. */
    async record(key: NoticeKey, { channelError, repeated }: DeliveryState): Promise<void> {
      const leased = leases.find(key);
      const recorded =
        leased &&
        (await db
          .updateTable('outbox')
          .set({ channelError: channelError ?? null, repeated })
          .where(leased.isHeld)
          .executeTakeFirst());
      if (recorded?.numUpdatedRows !== 1n) {
        throw new LostNoticeError();
      }
    },

    /** Called at the start of the program: everything is due at once. */
    async recover(now: Date): Promise<void> {
      await db.updateTable('outbox').set({ nextAttemptAt: now }).where('nextAttemptAt', '>', now).execute();
      if (instances.isAlone) {
        await db.updateTable('outbox').set(noLease).where('lease', 'is not', null).execute();
      }
    },

    /** Called before the database is closed: what is being delivered is left to others soon. */
    close: leases.close,
  };
}

/** Thrown where a notice is no longer of the delivery that was to be recorded: nothing more may be sent of it. */
class LostNoticeError extends Error {
  override readonly name = 'LostNoticeError';

  constructor() {
    super('the notice was deleted, or another instance delivers it by now');
  }
}

async function deliver(
  context: StoreContext,
  leases: NoticeLeases,
  key: NoticeKey,
  send: (notice: Notice) => Promise<void>,
): Promise<boolean> {
  const { db, clock, retryWrite } = context;
  let isRenewed = false;
  const isTaken = await leases.take(key, async ({ row, isHeld }, release) => {
    let failure: { error: unknown } | undefined;
    try {
      await send(toNotice(row));
    } catch (error) {
      failure = { error };
    }
    const attempts = row.attempts + 1;
    const nextAttemptAt = new Date(clock().getTime() + retryDelayMs(retryDelays.notice, attempts));
    await retryWrite(async () => {
      if (failure === undefined) {
        const { numDeletedRows } = await db
          .deleteFrom('outbox')
          .where(isHeld)
          .where('version', '=', row.version)
          .executeTakeFirst();
        if (numDeletedRows === 0n) {
          // Renewed meanwhile, or gone.
          const renewed = { attempts: 0, nextAttemptAt: clock(), channelError: null, repeated: false };
          const { numUpdatedRows } = await db
            .updateTable('outbox')
            .set({ ...renewed, ...noLease })
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
  return isTaken;
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
    .where((eb) =>
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
      ]),
    );
}

/**
 * A notice in one delivery: of all instances, no other begins one meanwhile. The lease lies in the notice's row. After a
 * time in which the machine slept, or the program stood still, it may be another's.
 */
interface LeasedNotice {
  row: NoticeRow;
  /** The condition that the row is still there, and of this delivery. */
  isHeld: (eb: ExpressionBuilder<Schema, 'outbox'>) => Expression<SqlBool>;
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

    find: (key: NoticeKey): LeasedNotice | undefined => leased.get(noticeName(key)),

    /**
     * Calls `work` with a notice that nothing else gets until `release` is called. Resolves with false where it is not free,
     * or there is none.
     */
    async take(
      key: NoticeKey,
      work: (notice: LeasedNotice, release: () => void) => Promise<void>,
    ): Promise<boolean> {
      const name = noticeName(key);
      if (leased.has(name)) {
        return false;
      }
      leased.set(name, undefined);
      let notice: LeasedNotice | undefined;
      try {
        notice = await takeNotice(context, key, closing.signal);
      } finally {
        if (notice === undefined) {
          leased.delete(name);
        }
      }
      if (notice === undefined) {
        return false;
      }
      const { end } = notice;
      leased.set(name, notice);
      await work(notice, () => {
        end();
        leased.delete(name);
      });
      return true;
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
  closing: AbortSignal,
): Promise<LeasedNotice | undefined> {
  const lease = randomUUID();
  const end = () => leaseEnd(databaseNow(), leaseMs);
  const row = await db
    .updateTable('outbox')
    .set({ lease, leaseUntil: end() })
    .where(hasKey(key))
    .where(isFree(databaseNow()))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    return undefined;
  }
  const isHeld: LeasedNotice['isHeld'] = (eb) => eb.and([hasKey(key)(eb), eb('lease', '=', lease)]);
  // Where that fails for so long that another takes it, `isHeld` holds no more.
  const renew = () => db.updateTable('outbox').set({ leaseUntil: end() }).where(isHeld).execute();
  const stop = keepRenewed(renew, { ms: renewMs, timers, signal: closing });
  return { row, isHeld, end: () => void stop() };
}
