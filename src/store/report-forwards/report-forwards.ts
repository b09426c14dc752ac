import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import { coalesce } from '../../lib/coalesce.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { addForwards } from './add-forwards.ts';
import { forwardPause, forwardRetryDelay } from './forward-retry-delay.ts';
import {
  decryptAddress,
  decryptRequest,
  encryptAddress,
  encryptRequest,
  type ForwardedRequest,
  type ReportForwardTables,
} from './forward-rows.ts';
import { type GoneRows, removeForwards } from './remove-forwards.ts';

/** Where a workspace's reports are passed on to, and how that goes. */
export interface ReportForwarding {
  address: string;
  waiting: number;
  deliveredAt: Date | undefined;
  /** The last attempt that failed, and why. */
  failed: { at: Date; reason: string } | undefined;
  /** Requests that were not passed on, since the address was set. */
  dropped: { requests: number; at: Date } | undefined;
}

/** The queue of a workspace, in the hands of one instance. */
export interface ForwardLease {
  workspaceId: string;
  lease: string;
}

/** A request that is to be passed on now. */
export interface DueForward {
  id: string;
  attempts: number;
  request: ForwardedRequest;
}

/** What came of a request. */
export interface ForwardAttempt {
  id: string;
  attempts: number;
  /** Undefined: it was taken. Whether the address is at fault, rather than the request, pauses the whole queue. */
  failure?: { reason: string; isOfAddress: boolean } | undefined;
}

/** The requests with delivery reports that are passed on to another address, in a queue for each workspace. */
export interface ReportForwards {
  find(workspaceId: string): Promise<ReportForwarding | undefined>;
  /** Sets the address. What waits goes there too, at once: attempts that failed meanwhile do not count. */
  save(workspaceId: string, address: string, userId: string): Promise<void>;
  /** Passes nothing on any more, and deletes what waits. */
  remove(workspaceId: string): Promise<void>;
  /** Puts a request into the queue, durably once it resolves. Concurrent calls share a write. */
  add(workspaceId: string, request: ForwardedRequest): Promise<void>;
  /** Returns workspaces whose queue has something due, and is in no hands. */
  due(limit: number): Promise<string[]>;
  /** Takes a queue for `leaseMs`; of all instances no other has it meanwhile. */
  take(workspaceId: string): Promise<ForwardLease | undefined>;
  /** Renews the lease and returns what is due. Undefined once the queue is another's, paused or gone. */
  next(lease: ForwardLease, limit: number): Promise<{ address: string; due: DueForward[] } | undefined>;
  /** Where the queue is another’s by now, only what was taken is stored. */
  settle(lease: ForwardLease, attempts: readonly ForwardAttempt[]): Promise<void>;
  /** Drops what was received before a time. Returns how many requests. */
  dropOld(workspaceId: string, before: Date): Promise<number>;
  release(lease: ForwardLease): Promise<void>;
}

/** In milliseconds: longer than a batch of attempts takes. */
const leaseMs = 60_000;

type IsForwarding = (eb: ExpressionBuilder<Schema, 'report_forwarding'>) => Expression<SqlBool>;

export function createReportForwards(options: {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
  databaseNow: () => Expression<number>;
}): ReportForwards {
  const { db, encryption, clock, databaseNow: now } = options;
  let waiting: Selectable<ReportForwardTables['report_forward']>[] = [];
  const flush = coalesce(async () => {
    const rows = waiting;
    waiting = [];
    await addForwards(db, rows, now);
  });
  const isFree: IsForwarding = (eb) =>
    eb.or([
      eb('lease_until', 'is', null),
      eb('lease_until', '<=', now()),
      // Taken while the clock was ahead.
      eb('lease_until', '>', sql<number>`${now()} + ${sql.lit(leaseMs)}`),
    ]);

  return {
    async find(workspaceId) {
      const row = await db
        .selectFrom('report_forwarding')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return (
        row && {
          address: decryptAddress(encryption, workspaceId, row.address),
          waiting: row.waiting,
          deliveredAt: row.delivered_at === null ? undefined : new Date(row.delivered_at),
          failed:
            row.failed_at === null ? undefined : { at: new Date(row.failed_at), reason: row.failure ?? '' },
          dropped:
            row.dropped_at === null ? undefined : { at: new Date(row.dropped_at), requests: row.dropped },
        }
      );
    },

    save: (workspaceId, address, userId) =>
      inTransaction(db, async (transaction) => {
        const set = {
          address: encryptAddress(encryption, workspaceId, address),
          set_by: userId,
          set_at: clock().getTime(),
          failures: 0,
          paused_until: 0,
          lease: null,
          lease_until: null,
          delivered_at: null,
          failed_at: null,
          failure: null,
          dropped: 0,
          dropped_at: null,
        };
        await transaction
          .insertInto('report_forwarding')
          .values({ workspace_id: workspaceId, ...set, waiting: 0, bytes: 0 })
          .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(set))
          .execute();
        await transaction
          .updateTable('report_forward')
          .set({ due_at: 0 })
          .where('workspace_id', '=', workspaceId)
          .execute();
      }),

    remove: (workspaceId) =>
      inTransaction(db, async (transaction) => {
        await transaction.deleteFrom('report_forwarding').where('workspace_id', '=', workspaceId).execute();
        await transaction.deleteFrom('report_forward').where('workspace_id', '=', workspaceId).execute();
      }),

    async add(workspaceId, request) {
      const receivedAt = clock().getTime();
      const id = `${receivedAt.toString(36).padStart(9, '0')}-${randomBytes(9).toString('base64url')}`;
      const encrypted = encryptRequest(encryption, { workspaceId, id }, request);
      waiting.push({
        workspace_id: workspaceId,
        id,
        request: encrypted,
        bytes: encrypted.length,
        received_at: receivedAt,
        attempts: 0,
        due_at: 0,
      });
      await flush();
    },

    async due(limit) {
      const rows = await db
        .selectFrom('report_forwarding')
        .select('workspace_id')
        .where('waiting', '>', 0)
        .where('paused_until', '<=', now())
        .where(isFree)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('report_forward')
              .select('id')
              .whereRef('report_forward.workspace_id', '=', 'report_forwarding.workspace_id')
              .where('due_at', '<=', now()),
          ),
        )
        .orderBy('paused_until')
        .limit(limit)
        .execute();
      return rows.map((row) => row.workspace_id);
    },

    async take(workspaceId) {
      const lease = randomUUID();
      const { numUpdatedRows } = await db
        .updateTable('report_forwarding')
        .set({ lease, lease_until: leaseEnd(now) })
        .where('workspace_id', '=', workspaceId)
        .where(isFree)
        .executeTakeFirst();
      return numUpdatedRows === 0n ? undefined : { workspaceId, lease };
    },

    async next({ workspaceId, lease }, limit) {
      const row = await db
        .updateTable('report_forwarding')
        .set({ lease_until: leaseEnd(now) })
        .where('workspace_id', '=', workspaceId)
        .where('lease', '=', lease)
        .where('paused_until', '<=', now())
        .returning('address')
        .executeTakeFirst();
      if (row === undefined) {
        return undefined;
      }
      const rows = await db
        .selectFrom('report_forward')
        .select(['id', 'attempts', 'request'])
        .where('workspace_id', '=', workspaceId)
        .where('due_at', '<=', now())
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return {
        address: decryptAddress(encryption, workspaceId, row.address),
        due: rows.map(({ id, attempts, request }) => ({
          id,
          attempts,
          request: decryptRequest(encryption, { workspaceId, id }, request),
        })),
      };
    },

    settle: ({ workspaceId, lease }, attempts) =>
      inTransaction(db, async (transaction) => {
        const taken = attempts.filter(({ failure }) => failure === undefined);
        if (taken.length > 0) {
          await removeForwards(transaction, workspaceId, ofIds(taken), 'delivered', now);
        }
        const held = await transaction
          .selectFrom('report_forwarding')
          .select('failures')
          .where('workspace_id', '=', workspaceId)
          .where('lease', '=', lease)
          .forUpdate()
          .executeTakeFirst();
        if (held === undefined) {
          return;
        }
        for (const [count, failed] of Map.groupBy(
          attempts.filter(({ failure }) => failure !== undefined),
          (each) => each.attempts + 1,
        )) {
          await transaction
            .updateTable('report_forward')
            .set({ attempts: count, due_at: sql`${now()} + ${sql.lit(forwardRetryDelay(count))}` })
            .where('workspace_id', '=', workspaceId)
            .where(ofIds(failed))
            .execute();
        }
        await noteFailures(transaction, { workspaceId, attempts, failures: held.failures, now });
      }),

    dropOld: (workspaceId, before) =>
      inTransaction(db, (transaction) =>
        removeForwards(
          transaction,
          workspaceId,
          (eb) => eb('received_at', '<', before.getTime()),
          'dropped',
          now,
        ),
      ),

    async release({ workspaceId, lease }) {
      await db
        .updateTable('report_forwarding')
        .set({ lease: null, lease_until: null })
        .where('workspace_id', '=', workspaceId)
        .where('lease', '=', lease)
        .execute();
    },
  };
}

function leaseEnd(now: () => Expression<number>) {
  return sql<number>`${now()} + ${sql.lit(leaseMs)}`;
}

function ofIds(attempts: readonly ForwardAttempt[]): GoneRows {
  const ids = attempts.map(({ id }) => id);
  return (eb) => eb('id', 'in', ids);
}

/** An address that took one request of a batch is not paused. */
async function noteFailures(
  transaction: Kysely<Schema>,
  {
    workspaceId,
    attempts,
    failures: before,
    now,
  }: {
    workspaceId: string;
    attempts: readonly ForwardAttempt[];
    failures: number;
    now: () => Expression<number>;
  },
): Promise<void> {
  const failure = attempts.findLast((each) => each.failure !== undefined)?.failure;
  if (failure !== undefined) {
    await transaction
      .updateTable('report_forwarding')
      .set({ failed_at: now(), failure: failure.reason })
      .where('workspace_id', '=', workspaceId)
      .execute();
  }
  const isPaused = attempts.length > 0 && attempts.every((each) => each.failure?.isOfAddress);
  const failures = isPaused ? before + 1 : 0;
  await transaction
    .updateTable('report_forwarding')
    .set({
      failures,
      paused_until: failures === 0 ? 0 : sql`${now()} + ${sql.lit(forwardPause(failures))}`,
    })
    .where('workspace_id', '=', workspaceId)
    .execute();
}
