import type { Kysely } from 'kysely';
import type { Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';
import { toApproval } from './approval-row.ts';
import type { ApprovalRepository, ApprovalRow } from './approvals.ts';

export function createApprovalQueries(
  db: Kysely<Schema>,
  encryption: Encryption,
): Pick<ApprovalRepository, 'find' | 'waiting' | 'unperformed'> {
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
        .orderBy('created_at')
        .execute();
      return rows.map(read);
    },
  };
}
