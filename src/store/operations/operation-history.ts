import { type Kysely, sql } from 'kysely';
import type { E164 } from '../../domain/phone/phone-number.ts';
import type { StoreContext } from '../context.ts';
import { isPostgres } from '../engine/dialect.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { Schema } from '../schema/schema.ts';
import { updateMessages } from './code-trail.ts';
import {
  messageIdOf,
  messageKinds,
  type Operation,
  readOperationTexts,
  type ShownMessage,
  toOperation,
} from './operation.ts';

const pollMs = 200;
/** In milliseconds: longer than the provider is waited for. */
export const patienceMs = 60_000;

/** Which operations are read: those for which all of it is true. */
export interface OperationQuery {
  workspaceId: string;
  userId?: string | undefined;
  /** What comes before the dot of its kind. */
  subject?: string | undefined;
  states?: readonly Operation['state'][] | undefined;
  /** Only those to this number. */
  number?: E164 | undefined;
  /** Whether those are left out that their user has marked as received, or as not received. */
  isUnmarked?: boolean | undefined;
  /** Whether only those with a message that was not delivered; with a number, to that number. */
  isNotDelivered?: boolean | undefined;
  /** Reads everything of this user, but only the messages of others. */
  messagesBeside?: string | undefined;
  /** Begun then or later. */
  from?: Date | undefined;
  /** Begun earlier. */
  until?: Date | undefined;
  /** The id of the last one seen, of the same user if one is given. */
  before?: string | undefined;
  limit: number;
}

/** Reads operations, and remembers where they are shown. */
export function createOperationHistory({ db, clock, encryption, phoneHashes, timers }: StoreContext) {
  const position = isPostgres(db) ? 'strpos' : 'instr';
  return {
    find: (workspaceId: string, by: { id: string } | { key: string }) => findOperation(db, workspaceId, by),

    /** Returns the newest operations first. */
    async recent(query: OperationQuery): Promise<Operation[]> {
      const { workspaceId, userId, subject, states, number, isUnmarked, isNotDelivered } = query;
      const { messagesBeside, from, until, before, limit } = query;
      let listed = db.selectFrom('operation');
      const hashes = number === undefined ? [] : await phoneHashes.of(workspaceId, [number]);
      if (number === undefined) {
        listed = listed.where('workspaceId', '=', workspaceId);
      } else {
        // The hash is of the workspace. By its id as well, SQLite would read all of its operations.
        const toIt = db.selectFrom('operationNumber').select('operationId').where('hash', 'in', hashes);
        listed = listed.where('id', 'in', toIt);
      }
      if (userId !== undefined) {
        listed = listed.where('userId', '=', userId);
      }
      const isPaged = number !== undefined && !isFiltered(query);
      const found = isPaged
        ? db.selectFrom('operation').where('id', 'in', selectPage(db, hashes, { before, limit }))
        : listed;
      let rows = found.selectAll();
      if (subject !== undefined) {
        // As the index `operation_recent_by_subject` spells it.
        rows = rows.where(sql`substr(kind, 1, ${sql.raw(position)}(kind, '.') - 1)`, '=', subject);
      }
      if (states !== undefined) {
        rows = rows.where('state', 'in', states);
      }
      if (isUnmarked === true) {
        rows = rows.where('mark', 'is', null);
      }
      if (isNotDelivered === true) {
        rows = rows.where('notDeliveredAt', 'is not', null);
      }
      if (isNotDelivered === true && number !== undefined) {
        rows = rows.where(({ exists }) => exists(selectMissed(db, hashes)));
      }
      if (messagesBeside !== undefined) {
        rows = rows.where((eb) =>
          eb.or([eb('userId', '=', messagesBeside), eb('kind', 'in', [...messageKinds])]),
        );
      }
      if (from !== undefined) {
        rows = rows.where('createdAt', '>=', from);
      }
      if (until !== undefined) {
        rows = rows.where('createdAt', '<', until);
      }
      if (before !== undefined && !isPaged) {
        const seen = listed.select(['createdAt', 'id']).where('id', '=', before);
        rows = rows.where(({ eb, refTuple }) =>
          eb(refTuple('createdAt', 'id'), '<', seen.$asTuple('createdAt', 'id')),
        );
      }
      const page = rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit);
      return (await page.execute()).map(toOperation);
    },

    /**
     * Counts a user's operations, started since a time, whose failed delivery became known after another time.
     */
    async countNotDelivered(
      { workspaceId, userId }: { workspaceId: string; userId: string },
      { startedSince, learnedAfter }: { startedSince: Date; learnedAfter: Date },
    ): Promise<number> {
      const { operations } = await db
        .selectFrom('operation')
        .select(({ fn }) => fn.countAll<number>().as('operations'))
        .where('workspaceId', '=', workspaceId)
        .where('userId', '=', userId)
        .where('createdAt', '>=', startedSince)
        .where('notDeliveredAt', '>', learnedAfter)
        .executeTakeFirstOrThrow();
      return Number(operations);
    },

    /** Returns the texts of the operations that had one, by their ids, while they are kept. */
    texts: (workspaceId: string, ids: readonly string[]) =>
      readOperationTexts(db, encryption, { workspaceId, ids }),

    /**
     * Waits while another instance performs an operation, or this one could not store how it ended. Returns it: still
     * `underway` if that takes more than a minute. Undefined if it was taken back.
     */
    async waitForEnding({ id }: Pick<Operation, 'id'>): Promise<Operation | undefined> {
      // By looking at the row: an operation of an instance that has died is ended by another one.
      for (let waited = 0; ; waited += pollMs) {
        const row = await db.selectFrom('operation').selectAll().where('id', '=', id).executeTakeFirst();
        if (row?.state !== 'underway' || waited >= patienceMs) {
          return row && toOperation(row);
        }
        await timers.sleep(pollMs);
      }
    },

    /**
     * Stores a message of Slack that shows the outcome, and updates it with reports that came after it was written.
     *
     * @param as which of the two messages of the operation it is
     */
    posted(
      operation: Operation,
      { channel, ts }: ShownMessage,
      as: 'message' | 'resolvedMessage' = 'message',
    ): Promise<void> {
      const { id, workspaceId } = operation;
      const messageId = messageIdOf(operation);
      const shown =
        as === 'message'
          ? { messageChannel: channel, messageTs: ts }
          : { resolvedChannel: channel, resolvedTs: ts };
      return inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('operation')
          .set(shown)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        // Its code may have been verified while the message was being posted.
        if (row?.codeOutcome !== undefined) {
          await updateMessages(transaction, [row], clock());
        }
        if (messageId !== undefined) {
          await transaction
            .updateTable('delivery')
            .set({ pending: true })
            .where('workspaceId', '=', workspaceId)
            .where('providerId', '=', messageId)
            .execute();
        }
      });
    },
  };
}

/** Whether a query asks for some operations of its workspace or number only. */
function isFiltered({
  userId,
  subject,
  states,
  isUnmarked = false,
  isNotDelivered = false,
  messagesBeside,
  from,
  until,
}: OperationQuery): boolean {
  const filters = [userId, subject, states, messagesBeside, from, until];
  return isUnmarked || isNotDelivered || filters.some((filter) => filter !== undefined);
}

/**
 * Selects a page of the operations that sent to a number, from the table of numbers alone: sorting the operations themselves
 * would read all of them again for each page.
 */
function selectPage(
  db: Kysely<Schema>,
  hashes: readonly string[],
  { before, limit }: Pick<OperationQuery, 'before' | 'limit'>,
) {
  let rows = db.selectFrom('operationNumber').where('hash', 'in', hashes);
  if (before !== undefined) {
    const seen = rows.select(['createdAt', 'operationId']).where('operationId', '=', before).limit(1);
    rows = rows.where(({ eb, refTuple }) =>
      eb(refTuple('createdAt', 'operationId'), '<', seen.$asTuple('createdAt', 'operationId')),
    );
  }
  const newest = rows.orderBy('createdAt', 'desc').orderBy('operationId', 'desc');
  return newest.select('operationId').limit(limit);
}

/** Selects, of the operation that a query is about, messages to a number that were not delivered. */
function selectMissed(db: Kysely<Schema>, hashes: readonly string[]) {
  return db
    .selectFrom('delivery')
    .select('delivery.hash')
    .where('delivery.hash', 'in', hashes)
    .where('delivery.state', '=', 'failed')
    .where(
      sql<boolean>`delivery.workspace_id = operation.workspace_id and (
        delivery.provider_id = operation.provider_id or exists (
          select 1 from message_claim as claim
          where claim.workspace_id = delivery.workspace_id and claim.provider_id = delivery.provider_id
            and claim.hash = delivery.hash and claim.operation_id = operation.id
        )
      )`,
    );
}

export async function findOperation(
  db: Kysely<Schema>,
  workspaceId: string,
  by: { id: string } | { key: string },
): Promise<Operation | undefined> {
  const row = await db
    .selectFrom('operation')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where((eb) => ('id' in by ? eb('id', '=', by.id) : eb('key', '=', by.key)))
    .executeTakeFirst();
  return row && toOperation(row);
}
