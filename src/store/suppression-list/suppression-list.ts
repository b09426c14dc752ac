import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Encryption } from '../encryption/cipher.ts';
import { type HashNumber, lockNumbers, type PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { type AnswerResult, answerNumber, expireAnswers, type NewAnswer } from './answer-number.ts';
import { noteListedAgain } from './list-again.ts';
import {
  newSuppressionRows,
  type SuppressionEntry,
  type SuppressionSource,
  toSuppressionEntry,
} from './suppression-rows.ts';

/** Each workspace's list of numbers that no campaign goes to. Numbers are in E.164. */
export interface SuppressionList {
  /**
   * Returns how many were new. They are also removed from campaigns, unless they were sent to already; `onRemoved` is
   * called with the ids of the campaigns that lost some.
   */
  add(
    workspaceId: string,
    numbers: readonly string[],
    userId: string | undefined,
    options?: {
      source?: SuppressionSource | undefined;
      onRemoved?: ((campaigns: readonly string[]) => void) | undefined;
    },
  ): Promise<number>;
  /** Notes that a number is put on the list once more. Resolves with false, and changes nothing, where it isn’t on it. */
  listAgain(workspaceId: string, number: string): Promise<boolean>;
  /** Puts a number on the list, or takes it off, as its owner asked for by a reply. A copy of that changes nothing. */
  answer(answer: NewAnswer): Promise<AnswerResult>;
  /** Deletes the stops and starts that were written and came before: reports of that age are refused. */
  expireAnswers(before: Date): Promise<void>;
  /** Returns how many were on the list. */
  remove(workspaceId: string, numbers: readonly string[]): Promise<number>;
  /** Returns those of the numbers that are on the list, in the same order. */
  among<Number extends string>(workspaceId: string, numbers: readonly Number[]): Promise<Number[]>;
  /** Returns the entries of those of the numbers that are on the list, erased or not, in no particular order. */
  find(workspaceId: string, numbers: readonly string[]): Promise<(SuppressionEntry & { number: string })[]>;
  count(workspaceId: string): Promise<number>;
  /** Returns how many entries come before those that `list` returns with this `after`. */
  countUpTo(workspaceId: string, after: string): Promise<number>;
  /** The latest first; `after` is the cursor of the last one seen. */
  list(query: {
    workspaceId: string;
    limit: number;
    after?: string | undefined;
  }): Promise<SuppressionEntry[]>;
}

/** Numbers that are written in one transaction. */
const batchSize = 500;

export interface SuppressionListOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  clock: Clock;
  /**
   * Called in the transaction that adds numbers with these hashes. `hash` hashes numbers of the workspace, `now` is in
   * milliseconds since 1970. Resolves with the ids of the campaigns that lost some.
   */
  removeFromCampaigns(
    transaction: Transaction<Schema>,
    workspaceId: string,
    removal: { hashes: readonly string[]; hash: HashNumber; now: number },
  ): Promise<{ campaigns: readonly string[] }>;
}

export function createSuppressionList(options: SuppressionListOptions): SuppressionList {
  const { db, encryption, phoneHashes } = options;

  const read = (row: Selectable<Schema['suppression']>) => toSuppressionEntry(row, encryption);

  return {
    async list({ workspaceId, limit, after }) {
      let query = db.selectFrom('suppression').selectAll().where('workspace_id', '=', workspaceId);
      if (after !== undefined) {
        const seen = parseCursor(after);
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'hash'), '<', tuple(seen.createdAt, seen.hash)),
        );
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('hash', 'desc').limit(limit).execute();
      return rows.map(read);
    },

    add: (workspaceId, numbers, userId, { source, onRemoved = () => {} } = {}) =>
      inBatches({ workspaceId, numbers, phoneHashes }, async (batch) => {
        const { inserted, campaigns } = await insertEntries(batch, { workspaceId, userId, source }, options);
        onRemoved(campaigns);
        return inserted;
      }),

    async listAgain(workspaceId, number) {
      const hashes = await phoneHashes.of(workspaceId, [number]);
      return (await noteListedAgain(db, { workspaceId, hashes, now: options.clock().getTime() })) === 1;
    },

    answer: (answer) => answerNumber(answer, options),
    expireAnswers: (before) => expireAnswers(db, before),

    remove: (workspaceId, numbers) =>
      inBatches({ workspaceId, numbers, phoneHashes }, (batch) => deleteEntries(batch, workspaceId, db)),

    async among(workspaceId, numbers) {
      const hashes = await phoneHashes.of(workspaceId, numbers);
      const rows = await db
        .selectFrom('suppression')
        .select('hash')
        .where('workspace_id', '=', workspaceId)
        .where('hash', 'in', hashes)
        .execute();
      const listed = new Set(rows.map(({ hash }) => hash));
      return numbers.filter((_, index) => listed.has(hashes[index] ?? ''));
    },

    async find(workspaceId, numbers) {
      const found: (SuppressionEntry & { number: string })[] = [];
      const hash = await phoneHashes.hasher(workspaceId);
      for (let start = 0; start < numbers.length; start += batchSize) {
        const batch = new Map(
          numbers.slice(start, start + batchSize).map((number) => [hash(number), number]),
        );
        const rows = await db
          .selectFrom('suppression')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('hash', 'in', [...batch.keys()])
          .execute();
        found.push(...rows.map((row) => ({ ...read(row), number: batch.get(row.hash) ?? '' })));
      }
      return found;
    },

    async countUpTo(workspaceId, after) {
      const seen = parseCursor(after);
      const { count } = await db
        .selectFrom('suppression')
        .select(sql<number>`count(*)`.as('count'))
        .where('workspace_id', '=', workspaceId)
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'hash'), '>=', tuple(seen.createdAt, seen.hash)),
        )
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async count(workspaceId) {
      const { count } = await db
        .selectFrom('suppression')
        .select(sql<number>`count(*)`.as('count'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

interface HashedNumber {
  number: string;
  hash: string;
}

/** Calls `write` with one batch of the numbers after the other. Returns the sum of what it returns. */
async function inBatches(
  {
    workspaceId,
    numbers,
    phoneHashes,
  }: { workspaceId: string; numbers: readonly string[]; phoneHashes: PhoneHashes },
  write: (batch: HashedNumber[]) => Promise<bigint>,
): Promise<number> {
  let sum = 0n;
  for (let start = 0; start < numbers.length; start += batchSize) {
    const batch = numbers.slice(start, start + batchSize);
    const hashes = await phoneHashes.of(workspaceId, batch);
    sum += await write(batch.map((number, index) => ({ number, hash: hashes[index] ?? '' })));
  }
  return Number(sum);
}

/** Inserts the numbers that are new and removes them from campaigns. Returns how many were new, and those campaigns. */
async function insertEntries(
  batch: readonly HashedNumber[],
  {
    workspaceId,
    userId,
    source,
  }: { workspaceId: string; userId: string | undefined; source: SuppressionSource | undefined },
  { db, encryption, phoneHashes, clock, removeFromCampaigns }: SuppressionListOptions,
): Promise<{ inserted: bigint; campaigns: readonly string[] }> {
  const hash = await phoneHashes.hasher(workspaceId);
  const now = clock().getTime();
  const rows = newSuppressionRows({ workspaceId, numbers: batch, userId, source, now }, encryption);
  const hashes = batch.map((each) => each.hash);
  return inTransaction(db, async (transaction) => {
    await lockNumbers(transaction, workspaceId);
    const { numInsertedOrUpdatedRows: inserted = 0n } = await transaction
      .insertInto('suppression')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'hash']).doNothing())
      .executeTakeFirstOrThrow();
    if (inserted < BigInt(rows.length)) {
      await noteListedAgain(transaction, { workspaceId, hashes, now });
    }
    const { campaigns } = await removeFromCampaigns(transaction, workspaceId, { hashes, hash, now });
    return { inserted, campaigns };
  });
}

async function deleteEntries(
  batch: readonly HashedNumber[],
  workspaceId: string,
  db: Kysely<Schema>,
): Promise<bigint> {
  const hashes = batch.map(({ hash }) => hash);
  const { numDeletedRows } = await db
    .deleteFrom('suppression')
    .where('workspace_id', '=', workspaceId)
    .where('hash', 'in', hashes)
    .executeTakeFirst();
  return numDeletedRows;
}

function parseCursor(cursor: string): { createdAt: number; hash: string } {
  const [createdAt = '', hash = ''] = cursor.split('.');
  return { createdAt: Number(createdAt), hash };
}
