import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

export type GoneRows = (eb: ExpressionBuilder<Schema, 'report_forward'>) => Expression<SqlBool>;

/**
 * Deletes requests of a queue and counts them: as delivered, or as dropped. Returns how many there were; what another
 * instance has deleted is not counted again.
 */
export async function removeForwards(
  transaction: Transaction<Schema>,
  workspaceId: string,
  which: GoneRows,
  as: 'delivered' | 'dropped',
  now: () => Expression<number>,
): Promise<number> {
  // The counts first, the order in which requests are added: the two wait for each other once.
  await transaction
    .selectFrom('report_forwarding')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .execute();
  const gone = await transaction
    .deleteFrom('report_forward')
    .where('workspace_id', '=', workspaceId)
    .where(which)
    .returning('bytes')
    .execute();
  if (gone.length === 0) {
    return 0;
  }
  const bytes = gone.reduce((sum, row) => sum + row.bytes, 0);
  await transaction
    .updateTable('report_forwarding')
    .set(({ eb }) => ({
      waiting: eb('waiting', '-', gone.length),
      bytes: eb('bytes', '-', bytes),
      ...(as === 'delivered'
        ? { delivered_at: now() }
        : { dropped: eb('dropped', '+', gone.length), dropped_at: now() }),
    }))
    .where('workspace_id', '=', workspaceId)
    .execute();
  return gone.length;
}
