import { type Expression, type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { ReportForwardTables } from './forward-rows.ts';

type ForwardRow = Selectable<ReportForwardTables['report_forward']>;

/** How much may wait in a workspace: what comes when its queue is full is dropped and counted. */
export const maxWaiting = { requests: 20_000, bytes: 256 * 1024 * 1024 };

/** Rows of one statement. */
const batchSize = 200;

/** Puts requests into the queues of their workspaces. One that has no address any more, or a full queue, takes none. */
export async function addForwards(
  db: Kysely<Schema>,
  rows: readonly ForwardRow[],
  now: () => Expression<number>,
): Promise<void> {
  const byWorkspace = [...Map.groupBy(rows, (row) => row.workspace_id)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  await inTransaction(db, async (transaction) => {
    for (const [workspaceId, own] of byWorkspace) {
      const requests = own.length;
      const bytes = own.reduce((sum, row) => sum + row.bytes, 0);
      const { numUpdatedRows } = await transaction
        .updateTable('report_forwarding')
        .set(({ eb }) => ({ waiting: eb('waiting', '+', requests), bytes: eb('bytes', '+', bytes) }))
        .where('workspace_id', '=', workspaceId)
        .where(sql<boolean>`waiting + ${sql.lit(requests)} <= ${sql.lit(maxWaiting.requests)}`)
        .where(sql<boolean>`bytes + ${sql.lit(bytes)} <= ${sql.lit(maxWaiting.bytes)}`)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        await countDropped(transaction, workspaceId, requests, now);
        continue;
      }
      for (let start = 0; start < requests; start += batchSize) {
        await transaction
          .insertInto('report_forward')
          .values(own.slice(start, start + batchSize))
          .execute();
      }
    }
  });
}

async function countDropped(
  db: Kysely<Schema>,
  workspaceId: string,
  requests: number,
  now: () => Expression<number>,
): Promise<void> {
  await db
    .updateTable('report_forwarding')
    .set(({ eb }) => ({ dropped: eb('dropped', '+', requests), dropped_at: now() }))
    .where('workspace_id', '=', workspaceId)
    .execute();
}
