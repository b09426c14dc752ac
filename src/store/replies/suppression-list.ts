import type { ExpressionBuilder } from 'kysely';
import type { E164 } from '../../domain/phone/phone-number.ts';
import { removeSuppressed } from '../campaigns/sending/remove-waiting.ts';
import type { StoreContext } from '../context.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type AnswerResult,
  answerNumber,
  type HashedNumber,
  type NewAnswer,
  newSuppressionRows,
  noteListedAgain,
  type Removal,
  removeAsAsked,
  type SuppressionEntry,
  type SuppressionSource,
  toSuppressionEntry,
} from './suppression-records.ts';

/** Numbers that are written in one transaction. */
const batchSize = 500;

export type SuppressionList = ReturnType<typeof createSuppressionList>;

/** Each workspace's list of numbers that no campaign goes to. Numbers are in E.164. */
export function createSuppressionList(context: StoreContext) {
  const { db, phoneHashes, clock } = context;

  return {
    /**
     * Returns how many were new. They are also removed from campaigns, unless they were sent to already; `onRemoved` is
     * called with the ids of the campaigns that lost some.
     */
    add: (
      workspaceId: string,
      numbers: readonly E164[],
      userId: string | undefined,
      options: {
        source?: SuppressionSource | undefined;
        onRemoved?: ((campaigns: readonly string[]) => void) | undefined;
      } = {},
    ): Promise<number> =>
      inBatches(context, { workspaceId, numbers }, async (batch) => {
        const added = { workspaceId, numbers: batch, userId, source: options.source, now: clock() };
        const { inserted, campaigns } = await insertEntries(context, added);
        options.onRemoved?.(campaigns);
        return inserted;
      }),

    /** Puts a number on the list, or takes it off, as its owner asked for by a reply. A copy of that changes nothing. */
    answer: (answer: NewAnswer): Promise<AnswerResult> => answerNumber(answer, context),

    /** Opts a number back in when a person accepts its START, unless it opted out again later. */
    removeAsAsked: (start: Parameters<typeof removeAsAsked>[0]): Promise<Removal> =>
      removeAsAsked(start, context),

    /** Deletes the stops and starts that were written and came before: reports of that age are refused. */
    async expireAnswers(before: Date): Promise<void> {
      await db
        .deleteFrom('replyAnswer')
        .where('receivedAt', '<', before)
        .where((eb) => eb.or([eb('sentAt', 'is', null), eb('sentAt', '<', before)]))
        .execute();
    },

    /** Returns how many were on the list. */
    remove: (workspaceId: string, numbers: readonly E164[]): Promise<number> =>
      inBatches(context, { workspaceId, numbers }, async (batch) => {
        const hashes = batch.map(({ hash }) => hash);
        const { numDeletedRows } = await db
          .deleteFrom('suppression')
          .where('workspaceId', '=', workspaceId)
          .where('hash', 'in', hashes)
          .executeTakeFirst();
        return numDeletedRows;
      }),

    /** Returns the listed numbers among these, in the same order. */
    async among<Number extends E164>(workspaceId: string, numbers: readonly Number[]): Promise<Number[]> {
      const hashes = await phoneHashes.of(workspaceId, numbers);
      const rows = await db
        .selectFrom('suppression')
        .select('hash')
        .where('workspaceId', '=', workspaceId)
        .where('hash', 'in', hashes)
        .execute();
      const listed = new Set(rows.map(({ hash }) => hash));
      return numbers.filter((_, index) => listed.has(hashes[index] ?? ''));
    },

    ...createSuppressionQueries(context),
  };
}

function createSuppressionQueries({ db, encryption, phoneHashes }: StoreContext) {
  const entries = (workspaceId: string) =>
    db.selectFrom('suppression').where('workspaceId', '=', workspaceId);

  return {
    /** Returns the entries of the listed numbers among these, erased or not, in any order. */
    async find(
      workspaceId: string,
      numbers: readonly E164[],
    ): Promise<(SuppressionEntry & { number: string })[]> {
      const found: (SuppressionEntry & { number: string })[] = [];
      const hash = await phoneHashes.hasher(workspaceId);
      for (let start = 0; start < numbers.length; start += batchSize) {
        const batch = new Map(
          numbers.slice(start, start + batchSize).map((number) => [hash(number), number]),
        );
        const rows = await entries(workspaceId)
          .selectAll()
          .where('hash', 'in', [...batch.keys()])
          .execute();
        found.push(
          ...rows.map((row) => ({
            ...toSuppressionEntry(row, encryption),
            number: String(batch.get(row.hash)),
          })),
        );
      }
      return found;
    },

    /** Returns the latest first; `after` is the cursor of the last one seen. */
    async list(query: {
      workspaceId: string;
      limit: number;
      after?: string | undefined;
    }): Promise<SuppressionEntry[]> {
      const { workspaceId, limit, after } = query;
      const rows = await entries(workspaceId)
        .selectAll()
        .$if(after !== undefined, (rest) => rest.where(isAt('<', after ?? '')))
        .orderBy('createdAt', 'desc')
        .orderBy('hash', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => toSuppressionEntry(row, encryption));
    },

    async count(workspaceId: string): Promise<number> {
      const { count } = await entries(workspaceId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Returns how many entries come before those that `list` returns with this `after`. */
    async countUpTo(workspaceId: string, after: string): Promise<number> {
      const { count } = await entries(workspaceId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(isAt('>=', after))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** Returns the condition that an entry is older than the cursor, or not. */
function isAt(side: '<' | '>=', cursor: string) {
  const [createdAt = '', hash = ''] = cursor.split('.');
  return ({ eb, refTuple, tuple }: ExpressionBuilder<Schema, 'suppression'>) =>
    eb(refTuple('createdAt', 'hash'), side, tuple(new Date(Number(createdAt)), hash));
}

/** Calls `write` with one batch of the numbers after the other. Returns the sum of what it returns. */
async function inBatches(
  { phoneHashes }: StoreContext,
  { workspaceId, numbers }: { workspaceId: string; numbers: readonly E164[] },
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
  { db, encryption, phoneHashes }: StoreContext,
  added: Parameters<typeof newSuppressionRows>[0],
): Promise<{ inserted: bigint; campaigns: readonly string[] }> {
  const { workspaceId, numbers, now } = added;
  const hash = await phoneHashes.hasher(workspaceId);
  const rows = newSuppressionRows(added, encryption);
  const hashes = numbers.map((each) => each.hash);
  return inTransaction(db, async (transaction) => {
    await lockNumbers(transaction, workspaceId);
    const { numInsertedOrUpdatedRows: inserted = 0n } = await transaction
      .insertInto('suppression')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['workspaceId', 'hash']).doNothing())
      .executeTakeFirstOrThrow();
    if (inserted < BigInt(rows.length)) {
      await noteListedAgain(transaction, { workspaceId, hashes, now });
    }
    const removal = { encryption, hash, now };
    const { campaigns } = await removeSuppressed(transaction, workspaceId, { listed: { hashes } }, removal);
    return { inserted, campaigns };
  });
}
