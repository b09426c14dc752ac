import { type Kysely, sql } from 'kysely';
import { removeSuppressed } from '../campaigns/sending/remove-suppressed.ts';
import { suppressionAdditionalData } from '../encryption/aad-suppression.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import type { SuppressionList } from './suppression-list.ts';

const sliceSize = 500;

interface DoNotContactOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  numberHashes: PhoneHashes;
  clock: () => Date;
}

/** The lists in the table `suppression`. */
export function createSuppressionList(options: DoNotContactOptions): SuppressionList {
  const { db, encryption, numberHashes, clock } = options;

  /** Does something with slices of the numbers, and adds up what it gives. */
  async function sumOver(
    workspaceId: string,
    numbers: readonly string[],
    act: (numbers: string[], hashes: string[]) => Promise<bigint>,
  ): Promise<number> {
    let sum = 0n;
    for (let start = 0; start < numbers.length; start += sliceSize) {
      const slice = numbers.slice(start, start + sliceSize);
      sum += await act(slice, await numberHashes.of(workspaceId, slice));
    }
    return Number(sum);
  }

  return {
    async list({ workspaceId, limit, after }) {
      let query = db.selectFrom('suppression').selectAll().where('workspace_id', '=', workspaceId);
      const seen = after === undefined ? undefined : readCursor(after);
      if (seen !== undefined) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'hash'), '<', tuple(seen.createdAt, seen.hash)),
        );
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('hash', 'desc').limit(limit).execute();
      return rows.map(({ hash, number, created_by, created_at }) => ({
        number: encryption.decrypt(number, suppressionAdditionalData(workspaceId, hash)),
        createdBy: created_by,
        createdAt: new Date(created_at),
        cursor: `${created_at}.${hash}`,
      }));
    },

    add: (workspaceId, numbers, userId) =>
      sumOver(workspaceId, numbers, async (slice, hashes) => {
        const createdAt = clock().getTime();
        const values = hashes.map((hash, index) => ({
          workspace_id: workspaceId,
          hash,
          number: encryption.encrypt(slice[index] ?? '', suppressionAdditionalData(workspaceId, hash)),
          created_by: userId,
          created_at: createdAt,
        }));
        return db.transaction().execute(async (transaction) => {
          const { numInsertedOrUpdatedRows = 0n } = await transaction
            .insertInto('suppression')
            .values(values)
            .onConflict((conflict) => conflict.columns(['workspace_id', 'hash']).doNothing())
            .executeTakeFirstOrThrow();
          await removeSuppressed(
            transaction,
            workspaceId,
            { listed: { hashes } },
            { encryption, now: createdAt },
          );
          return numInsertedOrUpdatedRows;
        });
      }),

    remove: (workspaceId, numbers) =>
      sumOver(workspaceId, numbers, async (_slice, hashes) => {
        const { numDeletedRows } = await db
          .deleteFrom('suppression')
          .where('workspace_id', '=', workspaceId)
          .where('hash', 'in', hashes)
          .executeTakeFirst();
        return numDeletedRows;
      }),

    async among(workspaceId, numbers) {
      const hashes = await numberHashes.of(workspaceId, numbers);
      const rows = await db
        .selectFrom('suppression')
        .select('hash')
        .where('workspace_id', '=', workspaceId)
        .where('hash', 'in', hashes)
        .execute();
      const listed = new Set(rows.map(({ hash }) => hash));
      return numbers.filter((_, index) => listed.has(hashes[index] ?? ''));
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

function readCursor(cursor: string): { createdAt: number; hash: string } {
  const [createdAt = '', hash = ''] = cursor.split('.');
  return { createdAt: Number(createdAt), hash };
}
