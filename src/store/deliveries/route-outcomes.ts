import { type Kysely, sql } from 'kysely';
import type { RouteOutcomes } from '../../domain/watch/watch.ts';
import { isPostgres } from '../engine/dialect.ts';
import type { Schema } from '../schema/schema.ts';

/** Counts outcomes by route, for messages whose report came in this period. */
export async function readRouteOutcomes(
  db: Kysely<Schema>,
  { workspaceId, from, until }: { workspaceId: string; from: Date; until: Date },
): Promise<Map<string, RouteOutcomes>> {
  const summary = isPostgres(db) ? sql`operation.summary::json` : sql`operation.summary`;
  const rows = await db
    .selectFrom('delivery')
    .leftJoin('campaign', 'campaign.sequence', 'delivery.campaign')
    .leftJoin('operation', (join) =>
      join
        .onRef('operation.workspaceId', '=', 'delivery.workspaceId')
        .onRef('operation.providerId', '=', 'delivery.providerId')
        .on('delivery.campaign', 'is', null),
    )
    .select((eb) => [
      sql<string | null>`coalesce(campaign.route, ${summary} ->> 'route')`.as('sentBy'),
      'delivery.state',
      eb.fn.countAll<number>().as('messages'),
    ])
    .where('delivery.workspaceId', '=', workspaceId)
    .where('delivery.receivedAt', '>', from)
    .where('delivery.receivedAt', '<=', until)
    .where('delivery.state', 'in', ['failed', 'delivered'])
    .groupBy(['sentBy', 'delivery.state'])
    .execute();
  const outcomes = new Map<string, RouteOutcomes>();
  for (const { sentBy: route, state, messages } of rows) {
    if (route !== null && route !== undefined) {
      const known = outcomes.get(route) ?? { failed: 0, all: 0 };
      const failed = known.failed + (state === 'failed' ? Number(messages) : 0);
      outcomes.set(route, { failed, all: known.all + Number(messages) });
    }
  }
  return outcomes;
}
