import { type Kysely, sql, type Transaction } from 'kysely';
import { type CampaignDeliveries, summarizeDeliveries } from '../../../domain/deliveries/delivery-status.ts';
import { isOneOf } from '../../row-list.ts';
import type { Schema } from '../../schema.ts';
import type { CampaignRow } from '../campaign-tables.ts';

/** By how much the recipients of each outcome become more, by the sequence of their campaign and the outcome. */
export type DeliveryChanges = Map<number, Map<string, number>>;

/**
 * Adds to the counts of campaigns. What a delivery is counted as changes in the same transaction, so each counts once.
 * The counts have rows of their own: a campaign that is sent meanwhile is not held up.
 */
export async function addToDeliveryCounts(
  transaction: Transaction<Schema>,
  changes: DeliveryChanges,
): Promise<void> {
  // In their order, so that two that add wait for each other once.
  for (const [campaign, outcomes] of [...changes].sort(([one], [other]) => one - other)) {
    const added = [...outcomes].filter(([, recipients]) => recipients !== 0);
    if (added.length > 0) {
      await noteReported(transaction, campaign);
    }
    for (const [outcome, recipients] of added.sort(([one], [other]) => (one < other ? -1 : 1))) {
      // First, as an insert that would leave fewer than none is refused before it finds the row that is there.
      const { numUpdatedRows } = await transaction
        .updateTable('campaign_delivery')
        .set((eb) => ({ recipients: eb('recipients', '+', recipients) }))
        .where('campaign', '=', campaign)
        .where('outcome', '=', outcome)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        await transaction.insertInto('campaign_delivery').values({ campaign, outcome, recipients }).execute();
      }
    }
  }
}

/** Notes that there is more to show of a campaign. Holds its counts until the transaction ends. */
export async function noteReported(transaction: Transaction<Schema>, campaign: number): Promise<void> {
  await transaction
    .insertInto('campaign_report')
    .values({ campaign, version: 1, shown: 0, told: 0 })
    .onConflict((conflict) =>
      conflict.column('campaign').doUpdateSet({ version: sql<number>`campaign_report.version + 1` }),
    )
    .execute();
}

/**
 * Notes that there is more to show of campaigns whose costs were counted. One of which nothing is counted yet is noted with its
 * first count.
 */
export async function noteCountedCosts(
  transaction: Transaction<Schema>,
  campaigns: readonly { workspaceId: string; id: string }[],
): Promise<void> {
  if (campaigns.length === 0) {
    return;
  }
  const byName = Map.groupBy(campaigns, ({ workspaceId, id }) => JSON.stringify([workspaceId, id]));
  const named = [...byName.values()].flatMap(([first]) =>
    first === undefined ? [] : [[first.workspaceId, first.id]],
  );
  const rows = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where(isOneOf(transaction, [sql.ref('workspace_id'), sql.ref('id')], named))
    .orderBy('sequence')
    .execute();
  for (const { sequence } of rows) {
    await transaction
      .updateTable('campaign_report')
      .set({ version: sql<number>`version + 1` })
      .where('campaign', '=', sequence)
      .execute();
  }
}

/** What is read beside the row of a campaign. */
export interface ReportedCounts {
  deliveries: CampaignDeliveries;
  /** Counts up with each change. */
  reportsVersion: number;
}

/** Returns what was reported of these campaigns, by their sequence; those of which nothing was are left out. */
export async function readReportedCounts(
  db: Kysely<Schema>,
  rows: readonly Pick<CampaignRow, 'sequence' | 'accepted'>[],
): Promise<Map<number, ReportedCounts>> {
  if (rows.length === 0) {
    return new Map();
  }
  const found = await db
    .selectFrom('campaign_report')
    .leftJoin('campaign_delivery', 'campaign_delivery.campaign', 'campaign_report.campaign')
    .select([
      'campaign_report.campaign',
      'campaign_report.version',
      'campaign_delivery.outcome',
      'campaign_delivery.recipients',
    ])
    .where(
      'campaign_report.campaign',
      'in',
      rows.map(({ sequence }) => sequence),
    )
    .execute();
  const byCampaign = Map.groupBy(found, ({ campaign }) => campaign);
  return new Map(
    rows.flatMap(({ sequence, accepted }) => {
      const reported = byCampaign.get(sequence);
      const [first] = reported ?? [];
      if (reported === undefined || first === undefined) {
        return [];
      }
      const counts = reported.flatMap(({ outcome, recipients }) =>
        outcome === null || recipients === null ? [] : [[outcome, recipients] as const],
      );
      const deliveries = summarizeDeliveries(counts, accepted);
      return [[sequence, { deliveries, reportsVersion: first.version }] as const];
    }),
  );
}

/** Stores that a campaign's message shows a version of what was reported. */
export async function storeReportsShown(
  db: Kysely<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  version: number,
): Promise<void> {
  await db
    .updateTable('campaign_report')
    .set({ shown: version })
    .where('campaign', '=', (eb) =>
      eb
        .selectFrom('campaign')
        .select('sequence')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id),
    )
    .where('shown', '<', version)
    .execute();
}

/** Selects the campaigns whose message does not show all that was reported. */
export function selectUnshownReports(db: Kysely<Schema>) {
  return db
    .selectFrom('campaign')
    .selectAll()
    .where('message_ts', 'is not', null)
    .where('id', 'is not', null)
    .where('sequence', 'in', (eb) =>
      eb.selectFrom('campaign_report').select('campaign_report.campaign').whereRef('version', '<>', 'shown'),
    );
}
