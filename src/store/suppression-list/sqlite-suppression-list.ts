import { type Kysely, sql } from 'kysely';
import { takeOutUnwanted } from '../campaigns/remove-suppressed.ts';
import { doNotContactPlace } from '../encryption/aad-suppression.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { NumberHashes } from '../phone-index/phone-hashes.ts';
import type { Schema } from '../sqlite/schema.ts';
import type { DoNotContact } from './suppression-list.ts';

const sliceSize = 500;

interface DoNotContactOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  numberHashes: NumberHashes;
  clock: () => Date;
}

/** The lists in the table `do_not_contact`. */
export function createDoNotContact(options: DoNotContactOptions): DoNotContact {
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
      let query = db.selectFrom('do_not_contact').selectAll().where('workspace_id', '=', workspaceId);
      const seen = after === undefined ? undefined : readCursor(after);
      if (seen !== undefined) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('added_at', 'hash'), '<', tuple(seen.addedAt, seen.hash)),
        );
      }
      const rows = await query.orderBy('added_at', 'desc').orderBy('hash', 'desc').limit(limit).execute();
      return rows.map(({ hash, number, added_by, added_at }) => ({
        number: encryption.decrypt(number, doNotContactPlace(workspaceId, hash)),
        addedBy: added_by,
        addedAt: new Date(added_at),
        cursor: `${added_at}.${hash}`,
      }));
    },

    add: (workspaceId, numbers, personId) =>
      sumOver(workspaceId, numbers, async (slice, hashes) => {
        const addedAt = clock().getTime();
        const values = hashes.map((hash, index) => ({
          workspace_id: workspaceId,
          hash,
          number: encryption.encrypt(slice[index] ?? '', doNotContactPlace(workspaceId, hash)),
          added_by: personId,
          added_at: addedAt,
        }));
        return db.transaction().execute(async (transaction) => {
          const { numInsertedOrUpdatedRows = 0n } = await transaction
            .insertInto('do_not_contact')
            .values(values)
            .onConflict((conflict) => conflict.columns(['workspace_id', 'hash']).doNothing())
            .executeTakeFirstOrThrow();
          await takeOutUnwanted(
            transaction,
            workspaceId,
            { listed: { hashes } },
            { encryption, now: addedAt },
          );
          return numInsertedOrUpdatedRows;
        });
      }),

    remove: (workspaceId, numbers) =>
      sumOver(workspaceId, numbers, async (_slice, hashes) => {
        const { numDeletedRows } = await db
          .deleteFrom('do_not_contact')
          .where('workspace_id', '=', workspaceId)
          .where('hash', 'in', hashes)
          .executeTakeFirst();
        return numDeletedRows;
      }),

    async among(workspaceId, numbers) {
      const hashes = await numberHashes.of(workspaceId, numbers);
      const rows = await db
        .selectFrom('do_not_contact')
        .select('hash')
        .where('workspace_id', '=', workspaceId)
        .where('hash', 'in', hashes)
        .execute();
      const listed = new Set(rows.map(({ hash }) => hash));
      return numbers.filter((_, index) => listed.has(hashes[index] ?? ''));
    },

    async count(workspaceId) {
      const { count } = await db
        .selectFrom('do_not_contact')
        .select(sql<number>`count(*)`.as('count'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

function readCursor(cursor: string): { addedAt: number; hash: string } {
  const [addedAt = '', hash = ''] = cursor.split('.');
  return { addedAt: Number(addedAt), hash };
}
