import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Ledger } from './ledger.ts';
import { toOperation } from './operation-row.ts';

export function createOperationQueries(db: Kysely<Schema>): Pick<Ledger, 'find' | 'recent'> {
  return {
    async find(workspaceId, by) {
      const row = await db
        .selectFrom('operation')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where((eb) => ('id' in by ? eb('id', '=', by.id) : eb('key', '=', by.key)))
        .executeTakeFirst();
      return row && toOperation(row);
    },

    async recent({ workspaceId, userId, limit, before }) {
      let query = db.selectFrom('operation').selectAll().where('workspace_id', '=', workspaceId);
      if (userId !== undefined) {
        query = query.where('user_id', '=', userId);
      }
      if (before !== undefined) {
        query = query.where(({ eb, refTuple, selectFrom }) => {
          let seen = selectFrom('operation as seen')
            .select(['seen.created_at', 'seen.id'])
            .where('seen.id', '=', before)
            .where('seen.workspace_id', '=', workspaceId);
          if (userId !== undefined) {
            seen = seen.where('seen.user_id', '=', userId);
          }
          return eb(refTuple('created_at', 'id'), '<', seen.$asTuple('created_at', 'id'));
        });
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toOperation);
    },
  };
}
