import type { ApprovalRepositoryOptions } from './approval-repository.ts';
import { toApproval } from './approval-row.ts';
import type { ApprovalRepository, ApprovalRow } from './approvals.ts';

/** In milliseconds: an instance that approved an order has begun to place it by then, or is gone. */
const beginsWithin = 30_000;

export function createApprovalQueries({
  db,
  encryption,
  clock,
  isAlone,
}: Pick<ApprovalRepositoryOptions, 'db' | 'encryption' | 'clock' | 'isAlone'>): Pick<
  ApprovalRepository,
  'find' | 'waiting' | 'unperformed'
> {
  const read = (row: ApprovalRow) => toApproval(row, encryption);
  return {
    async find(workspaceId, id) {
      const row = await db
        .selectFrom('approval')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && read(row);
    },

    async waiting({ workspaceId, kind, subjects }) {
      if (subjects?.length === 0) {
        return [];
      }
      let query = db
        .selectFrom('approval')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', 'waiting');
      if (kind !== undefined) {
        query = query.where('kind', '=', kind);
      }
      if (subjects !== undefined) {
        query = query.where('subject', 'in', subjects);
      }
      return (await query.orderBy('created_at').orderBy('id').execute()).map(read);
    },

    async unperformed() {
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('state', '=', 'approved')
        .where('performed_at', 'is', null)
        .$if(!isAlone, (query) => query.where('ended_at', '<=', clock().getTime() - beginsWithin))
        .orderBy('created_at')
        .execute();
      return rows.map(read);
    },
  };
}
