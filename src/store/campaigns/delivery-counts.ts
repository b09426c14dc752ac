import { type Kysely, sql, type Transaction } from 'kysely';
import { type CampaignDeliveries, summarizeDeliveries } from '../../domain/deliveries/delivery-status.ts';
import { isOneOf } from '../engine/dialect.ts';
import type { Row, Schema } from '../schema/schema.ts';

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
        .updateTable('campaignDelivery')
        .set((eb) => ({ recipients: eb('recipients', '+', recipients) }))
        .where('campaign', '=', campaign)
        .where('outcome', '=', outcome)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        await transaction.insertInto('campaignDelivery').values({ campaign, outcome, recipients }).execute();
      }
    }
  }
}

/** Notes that there is more to show of a campaign. Holds its counts until the transaction ends. */
export async function noteReported(transaction: Transaction<Schema>, campaign: number): Promise<void> {
  await transaction
    .insertInto('campaignReport')
    .values({ campaign, version: 1, shown: 0, userNotified: false })
    .onConflict((conflict) =>
      conflict.column('campaign').doUpdateSet({ version: sql<number>`campaign_report.version + 1` }),
    )
    .execute();
}

/**
 * Notes that there is more to show of campaigns whose costs were counted. A campaign without any count yet is noted with
 * its first one.
 */
export async function noteCountedCosts(
  transaction: Transaction<Schema>,
  campaigns: readonly { workspaceId: string; id: string }[],
): Promise<void> {
  if (campaigns.length === 0) {
    return;
  }
  const named = campaigns.map(({ workspaceId, id }) => [workspaceId, id]);
  const rows = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where(isOneOf(transaction, [sql.ref('workspaceId'), sql.ref('id')], named))
    .orderBy('sequence')
    .execute();
  for (const { sequence } of rows) {
    await transaction
      .updateTable('campaignReport')
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

/** Returns counts of the reports about these campaigns, by their sequence. Campaigns without a report are left out. */
export async function readReportedCounts(
  db: Kysely<Schema>,
  rows: readonly Pick<Row<'campaign'>, 'sequence' | 'accepted'>[],
): Promise<Map<number, ReportedCounts>> {
  if (rows.length === 0) {
    return new Map();
  }
  const sequences = rows.map(({ sequence }) => sequence);
  const found = await db
    .selectFrom('campaignReport')
    .leftJoin('campaignDelivery', 'campaignDelivery.campaign', 'campaignReport.campaign')
    .select([
      'campaignReport.campaign',
      'campaignReport.version',
      'campaignDelivery.outcome',
      'campaignDelivery.recipients',
    ])
    .where('campaignReport.campaign', 'in', sequences)
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
        typeof outcome === 'string' && typeof recipients === 'number' ? [[outcome, recipients] as const] : [],
      );
      const deliveries = summarizeDeliveries(counts, accepted);
      return [[sequence, { deliveries, reportsVersion: first.version }] as const];
    }),
  );
}
