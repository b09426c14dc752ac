import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { StoreError } from '../errors.ts';
import type { RefuseOutdated } from '../installation/epoch.ts';
import { addNotices, doubtful, type NewNotice } from '../outbox/outbox.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import { retryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';
import {
  type Ending,
  type Intent,
  type Ledger,
  type Operation,
  type OperationError,
  operationErrorSchema,
  stoppedMidway,
} from './ledger.ts';

const failedMidway: OperationError = {
  reason: 'failed_midway',
  message:
    'The program failed while the provider was being asked. It may have been done: check before repeating it.',
};

/** In milliseconds: an outcome is left to the request that brought it about before anything else tells of it. */
const leftToRequest = 30_000;

/** Made once: to make it costs many times what it costs to read a row. */
const summarySchema = z.json();

interface LedgerOptions {
  db: Kysely<Schema>;
  numberHashes: PhoneHashes;
  /** Names this run of the program: what belongs to another is left over by one that is gone. */
  run: string;
  clock: () => Date;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  refuseOutdated: RefuseOutdated;
}

/** The ledger in the table `operation`. */
export function createLedger({
  db,
  numberHashes,
  run,
  clock,
  restoredAt,
  refuseOutdated,
}: LedgerOptions): Ledger {
  const now = () => clock().getTime();
  let begun = 0;

  async function begin(intent: Intent): Promise<{ row: Row; id: string }> {
    begun += 1;
    // Counted, so that the history has the order of what began in the same millisecond.
    const id = `${begun.toString(16).padStart(8, '0')}-${randomUUID()}`;
    const created_at = now();
    // One statement inserts or finds: where the key is known, an update that changes nothing gives that row.
    const insert = (database: Kysely<Schema>) =>
      database
        .insertInto('operation')
        .values({
          id,
          workspace_id: intent.workspaceId,
          key: intent.key,
          kind: intent.kind,
          user_id: intent.userId,
          channel_id: intent.channelId ?? null,
          summary: JSON.stringify(intent.summary),
          state: 'underway',
          run,
          created_at,
        })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'key']).doUpdateSet({ key: (eb) => eb.ref('excluded.key') }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
    const { numbers = [] } = intent;
    if (numbers.length === 0) {
      return { row: await insert(db), id };
    }

    const hashes = await numberHashes.of(intent.workspaceId, [...new Set(numbers)]);
    const row = await db.transaction().execute(async (transaction) => {
      const inserted = await insert(transaction);
      if (inserted.id === id) {
        const values = hashes.map((hash) => ({ hash, operation_id: id, created_at }));
        await transaction.insertInto('operation_number').values(values).execute();
      }
      return inserted;
    });
    return { row, id };
  }

  /** Where the ending cannot be written down now, this throws, and it is written down once it can be. */
  async function end(row: Row, ending: Ending): Promise<Operation> {
    const closed = {
      state: ending.state,
      provider_id: ending.providerId ?? null,
      pages: ending.pages ?? null,
      balance: ending.balance ?? null,
      error: ending.error ? JSON.stringify(ending.error) : null,
      ended_at: now(),
    };
    await retryWrite(() =>
      db.transaction().execute(async (transaction) => {
        const ended = await transaction
          .updateTable('operation')
          .set(closed)
          .where('id', '=', row.id)
          .returning(noticed)
          .execute();
        await addNotices(transaction, ended.map(noticeOf), closed.ended_at + leftToRequest);
      }),
    ).catch((error: unknown) => {
      // It can be written down nowhere any more: then the one who waits for it is told at least.
      if (!(error instanceof StoreError) || error.fault !== 'data_gone') {
        throw error;
      }
    });
    return toOperation({ ...row, ...closed });
  }

  return {
    async perform(intent, call) {
      refuseOutdated(intent.key);
      const { row, id } = await begin(intent);
      if (row.id !== id) {
        return { operation: toOperation(row), first: false };
      }

      let ending: Ending;
      try {
        ending = await call();
      } catch (error) {
        await end(row, { state: 'unconfirmed', error: failedMidway });
        throw error;
      }
      return { operation: await end(row, ending), first: true };
    },

    async find(workspaceId, by) {
      const row = await db
        .selectFrom('operation')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where((eb) => ('id' in by ? eb('id', '=', by.id) : eb('key', '=', by.key)))
        .executeTakeFirst();
      return row && toOperation(row);
    },

    async recover(at) {
      return db.transaction().execute(async (transaction) => {
        const leftOver = await transaction
          .updateTable('operation')
          .set({ state: 'unconfirmed', error: JSON.stringify(stoppedMidway), ended_at: at.getTime() })
          .where('state', '=', 'underway')
          .where('run', '<>', run)
          .returning([...noticed, 'created_at'])
          .execute();
        const notices = leftOver.map((row) => ({
          ...noticeOf(row),
          ...doubtful(row.created_at, restoredAt),
        }));
        await addNotices(transaction, notices, at.getTime());
        return leftOver.length;
      });
    },

    async recent({ workspaceId, userId, limit, before }) {
      let query = db.selectFrom('operation').selectAll().where('workspace_id', '=', workspaceId);
      if (userId !== undefined) {
        query = query.where('user_id', '=', userId);
      }
      if (before !== undefined) {
        query = query.where(({ eb, refTuple, selectFrom }) => {
          let seen = selectFrom('operation as seen')
            .select(['seen.created_at', 'seen.id'])
            .where('seen.id', '=', before)
            .where('seen.workspace_id', '=', workspaceId);
          if (userId !== undefined) {
            seen = seen.where('seen.user_id', '=', userId);
          }
          return eb(refTuple('created_at', 'id'), '<', seen.$asTuple('created_at', 'id'));
        });
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toOperation);
    },
  };
}

type Row = Selectable<Schema['operation']>;

const noticed = ['workspace_id', 'id', 'user_id', 'channel_id'] as const;

function noticeOf(row: Pick<Row, (typeof noticed)[number]>): NewNotice {
  return {
    workspaceId: row.workspace_id,
    subject: 'operation',
    subjectId: row.id,
    userId: row.user_id,
    channelId: row.channel_id ?? undefined,
  };
}

function toOperation(row: Row): Operation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    key: row.key,
    kind: row.kind,
    userId: row.user_id,
    channelId: row.channel_id ?? undefined,
    summary: summarySchema.parse(JSON.parse(row.summary)),
    state: row.state,
    providerId: row.provider_id ?? undefined,
    pages: row.pages ?? undefined,
    balance: row.balance ?? undefined,
    error: row.error === null ? undefined : operationErrorSchema.parse(JSON.parse(row.error)),
    createdAt: new Date(row.created_at),
    endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
  };
}
