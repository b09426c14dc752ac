import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../lib/time/clock.ts';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { EncryptedColumn } from '../encryption/encrypted-column.ts';
import { type HashNumber, lockNumbers, type PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';

/** How a number came onto the list. */
const suppressionSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('typed') }),
  z.object({ kind: z.literal('file'), name: z.string() }),
  /** A button under the outcome of a message. */
  z.object({ kind: z.literal('message') }),
  /** A button under the result of a lookup. */
  z.object({ kind: z.literal('lookup') }),
  /** The recipient, by the link in a campaign's message. `campaign` is its name. */
  z.object({ kind: z.literal('opt_out_link'), campaign: z.string() }),
  /** The owner of the number, by a reply such as STOP. `sentAt` is in milliseconds, by the provider’s clock. */
  z.object({ kind: z.literal('reply'), sentAt: z.number().optional() }),
]);
export type SuppressionSource = z.infer<typeof suppressionSourceSchema>;

/** A number that no campaign goes to. */
export interface SuppressionEntry {
  /** E.164: `+2348031234567`. Encrypted at rest. Undefined for a number that was erased: its hash keeps it on the list. */
  number: string | undefined;
  /** A Slack user id. Undefined where the owner of the number did it. */
  createdBy: string | undefined;
  createdAt: Date;
  /** Undefined for a number that was added before sources were kept, or by a later version in a way unknown here. */
  source: SuppressionSource | undefined;
  /** For `after` of the next page. Opaque. */
  cursor: string;
}

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

export interface SuppressionTables {
  suppression: {
    workspace_id: string;
    hash: string;
    /** Encrypted. Empty once it is erased. */
    number: string;
    /** Empty where the owner of the number did it. */
    created_by: string;
    created_at: number;
    /** Encrypted. Null in entries that are older than the column. */
    source: string | null;
  };
}

function suppressionAdditionalData(workspaceId: string, hash: string): AdditionalData {
  return ['do_not_contact', workspaceId, hash];
}

export const suppressedNumberColumn: EncryptedColumn = {
  table: 'suppression',
  column: 'number',
  key: ['workspace_id', 'hash'],
  bound: [],
  additionalData: ([workspaceId, hash]) => suppressionAdditionalData(String(workspaceId), String(hash)),
  area: () => 'do-not-contact list',
};

function sourceAdditionalData(workspaceId: string, hash: string): AdditionalData {
  return ['do_not_contact_source', workspaceId, hash];
}

export const suppressionSourceColumn: EncryptedColumn = {
  ...suppressedNumberColumn,
  column: 'source',
  additionalData: ([workspaceId, hash]) => sourceAdditionalData(String(workspaceId), String(hash)),
};

/** Numbers that are written in one transaction. */
const batchSize = 500;

interface SuppressionListOptions {
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

  function read({
    workspace_id,
    hash,
    number,
    created_by,
    created_at,
    source,
  }: SuppressionTables['suppression']) {
    return {
      number: encryption.decrypt(number, suppressionAdditionalData(workspace_id, hash)) || undefined,
      createdBy: created_by || undefined,
      createdAt: new Date(created_at),
      source:
        source === null
          ? undefined
          : suppressionSourceSchema.safeParse(
              JSON.parse(encryption.decrypt(source, sourceAdditionalData(workspace_id, hash))),
            ).data,
      cursor: `${created_at}.${hash}`,
    };
  }

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
  const hashNumber = await phoneHashes.hasher(workspaceId);
  const now = clock().getTime();
  const sourceText = source === undefined ? undefined : JSON.stringify(source);
  const values = batch.map(({ number, hash }) => ({
    workspace_id: workspaceId,
    hash,
    number: encryption.encrypt(number, suppressionAdditionalData(workspaceId, hash)),
    created_by: userId ?? '',
    created_at: now,
    source:
      sourceText === undefined
        ? null
        : encryption.encrypt(sourceText, sourceAdditionalData(workspaceId, hash)),
  }));
  const hashes = batch.map(({ hash }) => hash);
  return inTransaction(db, async (transaction) => {
    await lockNumbers(transaction.$pickTables<'number_key'>(), workspaceId);
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('suppression')
      .values(values)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'hash']).doNothing())
      .executeTakeFirstOrThrow();
    const { campaigns } = await removeFromCampaigns(transaction, workspaceId, {
      hashes,
      hash: hashNumber,
      now,
    });
    return { inserted: numInsertedOrUpdatedRows, campaigns };
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
