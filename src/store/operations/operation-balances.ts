import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** A balance as the provider wrote it, and when it did, in milliseconds since 1970. */
export interface BalanceFigure {
  amount: string;
  at: number;
}

export interface BalanceQuery {
  workspaceId: string;
  /** Nothing that was begun earlier is read. */
  since: Date;
  /** From when on all are wanted; of those before, the last one. */
  from: Date;
  /** In milliseconds: the last one of each such span is enough. */
  spanMs: number;
}

/** Returns the balances that answers named: the last one before `from`, the first one after it, and the last of each span. */
export async function readBalances(
  db: Kysely<Schema>,
  { workspaceId, since, from, spanMs }: BalanceQuery,
): Promise<BalanceFigure[]> {
  const named = db
    .selectFrom('operation')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>=', since.getTime())
    .where('balance', 'is not', null);
  const last = await named
    .select(['balance', 'ended_at'])
    .where('created_at', '<', from.getTime())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const rest = await db
    .selectFrom(
      named
        .select(['balance', 'ended_at'])
        .select([
          sql<number>`row_number() over (order by ended_at, id)`.as('place'),
          sql<number>`row_number() over (partition by ended_at / ${sql.lit(spanMs)} order by ended_at desc, id desc)`.as(
            'place_from_last',
          ),
        ])
        .where('created_at', '>=', from.getTime())
        .as('figure'),
    )
    .select(['balance', 'ended_at'])
    .where((eb) => eb.or([eb('place', '=', 1), eb('place_from_last', '=', 1)]))
    .execute();
  return [...last, ...rest].flatMap(({ balance, ended_at }) =>
    balance === null || ended_at === null ? [] : [{ amount: balance, at: ended_at }],
  );
}
