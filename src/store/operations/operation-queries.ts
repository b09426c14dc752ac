import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Schema } from '../schema.ts';
import type { Ledger, OperationQuery } from './ledger.ts';
import { toOperation } from './operation.ts';

export function createOperationQueries(db: Kysely<Schema>): Pick<Ledger, 'find' | 'recent'> {
  const position = isPostgres(db) ? 'strpos' : 'instr';
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

    async recent(query) {
      let rows = filtered(
        db.selectFrom('operation').selectAll().where('workspace_id', '=', query.workspaceId),
        query,
        position,
      );
      if (query.before !== undefined) {
        rows = after(rows, query, query.before);
      }
      const page = rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(query.limit);
      return (await page.execute()).map(toOperation);
    },
  };
}

type Operations<Row> = SelectQueryBuilder<Schema, 'operation', Row>;

function filtered<Row>(
  rows: Operations<Row>,
  { userId, subject, states, from, until }: OperationQuery,
  position: string,
): Operations<Row> {
  let query = rows;
  if (userId !== undefined) {
    query = query.where('user_id', '=', userId);
  }
  if (subject !== undefined) {
    // As the index `operation_recent_by_subject` spells it.
    query = query.where(sql`substr(kind, 1, ${sql.raw(position)}(kind, '.') - 1)`, '=', subject);
  }
  if (states !== undefined) {
    query = query.where('state', 'in', states);
  }
  if (from !== undefined) {
    query = query.where('created_at', '>=', from.getTime());
  }
  if (until !== undefined) {
    query = query.where('created_at', '<', until.getTime());
  }
  return query;
}

/** The operations that come after another one in the order of the history. */
function after<Row>(
  rows: Operations<Row>,
  { workspaceId, userId }: OperationQuery,
  id: string,
): Operations<Row> {
  return rows.where(({ eb, refTuple, selectFrom }) => {
    let seen = selectFrom('operation as seen')
      .select(['seen.created_at', 'seen.id'])
      .where('seen.id', '=', id)
      .where('seen.workspace_id', '=', workspaceId);
    if (userId !== undefined) {
      seen = seen.where('seen.user_id', '=', userId);
    }
    return eb(refTuple('created_at', 'id'), '<', seen.$asTuple('created_at', 'id'));
  });
}
