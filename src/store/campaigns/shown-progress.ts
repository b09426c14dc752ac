import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { CampaignRow } from './campaign-tables.ts';
import type { Campaign } from './campaigns.ts';
import { selectUnshownReports, storeReportsShown } from './reported/delivery-counts.ts';

/**
 * What a campaign's message shows is stored with it, so that any instance can show what an instance did not that ended
 * first. While a campaign is sent, its counts are shown by who sends it.
 */
function progressOf({ state, counts, inFlight, startAt }: Campaign): string {
  const { recipients, accepted, rejected, unconfirmed } = counts;
  return state === 'running'
    ? state
    : [state, recipients, accepted, rejected, unconfirmed, inFlight, startAt?.getTime() ?? 0].join(' ');
}

/** The same, of a row. */
const progressOfRow = sql<string>`case when state = 'running' then state
  else state || ' ' || recipients || ' ' || accepted || ' ' || rejected || ' ' || unconfirmed || ' ' || in_flight || ' '
    || coalesce(start_at, 0) end`;

/**
 * Returns the rows of the active campaigns whose messages show something else, or nothing, and of those whose messages do
 * not show all that was reported.
 */
export async function readUnshown(db: Kysely<Schema>): Promise<CampaignRow[]> {
  const active = await db
    .selectFrom('campaign')
    .selectAll()
    .where('state', 'in', ['scheduled', 'running', 'paused'])
    .where('message_shown', 'is distinct from', progressOfRow)
    .orderBy('sequence')
    .execute();
  const known = new Set(active.map(({ sequence }) => sequence));
  const reported = await selectUnshownReports(db).orderBy('sequence').execute();
  return [...active, ...reported.filter(({ sequence }) => !known.has(sequence))];
}

/** Stores that a campaign's message shows it as it is given. */
export async function storeShown(db: Kysely<Schema>, campaign: Campaign): Promise<void> {
  const { workspaceId, id } = campaign;
  const message_shown = progressOf(campaign);
  await db
    .updateTable('campaign')
    .set({ message_shown })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('message_shown', 'is distinct from', message_shown)
    .execute();
  if (campaign.reportsVersion !== undefined) {
    await storeReportsShown(db, campaign, campaign.reportsVersion);
  }
}
