import type { Expression, Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { RetryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';
import { isFree, type LeasedNotice, noLease, takeNotice } from './notice-leases.ts';
import { maxNoticeRetryDelayMs, noticeRetryDelay } from './notice-retry-delay.ts';
import {
  addNotices,
  type DeliveryState,
  type NewNotice,
  type Notice,
  type NoticeKey,
  noticeName,
  toNotice,
} from './notices.ts';

/**
 * The notices that users are still to get, each once. Attempts that fail are counted, and each next one is put off for
 * longer, so that one user or channel that cannot be reached keeps nobody else waiting.
 */
export interface Outbox {
  /** Ignored when there is a notice of that key. */
  add(notice: NewNotice): Promise<void>;

  /**
   * Returns the due notice that failed least often, of those the one due first; not one of `except`, as `noticeName`
   * names them, nor one that is being delivered by any instance.
   */
  next(except: ReadonlySet<string>): Promise<Notice | undefined>;

  /**
   * Calls `send`, whether the notice is due or not, and removes the notice when that resolves. When it throws, the
   * attempt is counted and the error thrown on. An error in storing either is thrown, and the write retried in the
   * background. Resolves with false where there is no such notice, or it is being delivered by any instance. Calls `send`
   * again where the notice was renewed meanwhile, see `addNotices`.
   */
  deliver(key: NoticeKey, send: (notice: Notice) => Promise<void>): Promise<boolean>;

  /** As `deliver`, for work that does not deliver the notice: nothing is removed or counted. */
  hold(key: NoticeKey, work: (notice: Notice) => Promise<void>): Promise<boolean>;

  /** Called within `deliver` or `hold`. Throws where another instance delivers the notice by now, or it is gone. */
  record(key: NoticeKey, state: DeliveryState): Promise<void>;

  /** Called at the start of the program: everything is due at once. */
  recover(now: Date): Promise<void>;

  /** Called before the database is closed: what is being delivered is left to others soon. */
  close(): void;
}

/** Thrown where a notice is no longer of the delivery that was to be recorded: nothing more may be sent of it. */
class LostNoticeError extends Error {
  override readonly name = 'LostNoticeError';

  constructor() {
    super('the notice was deleted, or another instance delivers it by now');
  }
}

interface OutboxOptions {
  db: Kysely<Schema>;
  /** Whether no other instance can have the database. */
  isAlone: boolean;
  clock: Clock;
  /** The milliseconds since 1970, in a statement. */
  databaseNow: () => Expression<number>;
  timers: Timers;
  retryWrite: RetryWrite;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { db, isAlone, clock, databaseNow, timers, retryWrite } = options;
  const now = () => clock().getTime();
  /** The notices that this instance delivers, by name: undefined while they are being taken. The rows have the truth. */
  const held = new Map<string, LeasedNotice | undefined>();
  const closing = new AbortController();

  /** Calls `work` with a notice that nothing else gets until `release` is called. */
  async function withNotice(
    key: NoticeKey,
    work: (leased: LeasedNotice, release: () => void) => Promise<void>,
  ): Promise<boolean> {
    const name = noticeName(key);
    if (held.has(name)) {
      return false;
    }
    held.set(name, undefined);
    let leased: LeasedNotice | undefined;
    try {
      leased = await takeNotice(db, key, { now: databaseNow, timers, closing: closing.signal });
    } finally {
      if (leased === undefined) {
        held.delete(name);
      }
    }
    if (leased === undefined) {
      return false;
    }
    const { end } = leased;
    held.set(name, leased);
    await work(leased, () => {
      end();
      held.delete(name);
    });
    return true;
  }

  /** Deletes a notice that was delivered. Where it was renewed meanwhile, releases it instead, and resolves with true. */
  async function endDelivery({ row, isHeld }: LeasedNotice): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('outbox')
      .where(isHeld)
      .where('version', '=', row.version)
      .executeTakeFirst();
    if (numDeletedRows > 0n) {
      return false;
    }
    const renewed = { attempts: 0, next_attempt_at: now(), channel_error: null, repeated: 0 as const };
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ ...renewed, ...noLease })
      .where(isHeld)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function deliver(key: NoticeKey, send: (notice: Notice) => Promise<void>): Promise<boolean> {
    let isRenewed = false;
    const isTaken = await withNotice(key, async (leased, release) => {
      const { row, isHeld } = leased;
      let failure: { error: unknown } | undefined;
      try {
        await send(toNotice(row));
      } catch (error) {
        failure = { error };
      }
      const attempts = row.attempts + 1;
      const failed = { attempts, next_attempt_at: now() + noticeRetryDelay(attempts), ...noLease };
      await retryWrite(async () => {
        if (failure === undefined) {
          isRenewed = await endDelivery(leased);
        } else {
          await db.updateTable('outbox').set(failed).where(isHeld).execute();
        }
        release();
      });
      if (failure !== undefined) {
        throw failure.error;
      }
    });
    if (isRenewed) {
      await deliver(key, send);
    }
    return isTaken;
  }

  return {
    add: (notice) => addNotices(db, [notice], now()),

    async next(except) {
      const rows = await selectDue(db, now())
        .where(isFree(databaseNow()))
        .orderBy('attempts')
        .orderBy('next_attempt_at')
        .limit(held.size + except.size + 1)
        .execute();
      return rows.map(toNotice).find((notice) => {
        const name = noticeName(notice);
        return !held.has(name) && !except.has(name);
      });
    },

    deliver,

    hold: (key, work) =>
      withNotice(key, async ({ row, isHeld }, release) => {
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

    async record(key, { channelError, repeated }) {
      const leased = held.get(noticeName(key));
      const recorded =
        leased &&
        (await db
          .updateTable('outbox')
          .set({ channel_error: channelError ?? null, repeated: repeated ? 1 : 0 })
          .where(leased.isHeld)
          .executeTakeFirst());
      if (recorded?.numUpdatedRows !== 1n) {
        throw new LostNoticeError();
      }
    },

    async recover(at) {
      await makeAllDue(db, at);
      if (isAlone) {
        await db.updateTable('outbox').set(noLease).where('lease', 'is not', null).execute();
      }
    },

    close: () => closing.abort(),
  };
}

async function makeAllDue(db: Kysely<Schema>, at: Date): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: at.getTime() })
    .where('next_attempt_at', '>', at.getTime())
    .execute();
}

/** Selects the notices that are due. Notices of campaigns are due once the campaign has ended. */
function selectDue(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where((eb) =>
      // What is put off for longer than the longest delay was put off while the clock was ahead.
      eb.or([eb('next_attempt_at', '<=', now), eb('next_attempt_at', '>', now + maxNoticeRetryDelayMs)]),
    )
    .where((eb) =>
      eb.or([
        eb('subject', '<>', 'campaign'),
        eb.exists(
          eb
            .selectFrom('campaign')
            .select('sequence')
            .whereRef('campaign.workspace_id', '=', 'outbox.workspace_id')
            .whereRef('campaign.id', '=', 'outbox.subject_id')
            .where('campaign.ended_at', 'is not', null),
        ),
      ]),
    );
}
