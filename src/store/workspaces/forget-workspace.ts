import { type Kysely, sql, type Transaction } from 'kysely';
import { snakeCase } from '../engine/create-tables.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { Schema } from '../schema/schema.ts';
import { tablesRemoved } from '../schema/schema.ts';

/** Rows that are deleted in one statement: other work waits no longer than for those. */
const sliceSize = 200;

/** Deletes what could act for a workspace, all of it or nothing. */
export async function forgetSettings(db: Kysely<Schema>, workspaceId: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (const { name } of tablesRemoved('at_once')) {
      await sql`delete from ${sql.table(snakeCase(name))} where workspace_id = ${workspaceId}`.execute(
        transaction,
      );
    }
  });
}

/** Deletes the history, the lists and the counts of a workspace, in slices. One that is cut off may be called again. */
export async function forgetRecords(db: Kysely<Schema>, workspaceId: string): Promise<void> {
  let deleted: number;
  do {
    deleted = await inTransaction(db, (transaction) => forgetOperations(transaction, workspaceId));
  } while (deleted === sliceSize);
  for (const { name, key } of tablesRemoved('in_slices')) {
    const table = sql.table(snakeCase(name));
    const columns = sql.join(key.map((column) => sql.ref(snakeCase(column))));
    let rows: bigint;
    do {
      const { numAffectedRows = 0n } = await sql`
        delete from ${table} where (${columns}) in (
          select ${columns} from ${table} where workspace_id = ${workspaceId} limit ${sliceSize}
        )`.execute(db);
      rows = numAffectedRows;
    } while (rows >= sliceSize);
  }
}

/** Deletes a slice of the operations with what leads to them. Returns how many. */
async function forgetOperations(transaction: Transaction<Schema>, workspaceId: string): Promise<number> {
  const rows = await transaction
    .selectFrom('operation')
    .select(['id', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .limit(sliceSize)
    .execute();
  if (rows.length === 0) {
    return 0;
  }
  const ids = rows.map(({ id }) => id);
  // By the time as well, which its index begins with.
  await transaction
    .deleteFrom('operationNumber')
    .where(
      'createdAt',
      'in',
      rows.map(({ createdAt }) => createdAt),
    )
    .where('operationId', 'in', ids)
    .execute();
  await transaction.deleteFrom('operationText').where('operationId', 'in', ids).execute();
  await transaction.deleteFrom('operation').where('id', 'in', ids).execute();
  return rows.length;
}
