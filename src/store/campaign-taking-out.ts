import type { Transaction } from 'kysely';
import { countIn } from './campaign-counting.ts';
import { chunkPlace } from './campaign-places.ts';
import { readRecipients, writeContent } from './campaign-rows.ts';
import type { CampaignState } from './campaigns.ts';
import { doNotContactPlace } from './do-not-contact-place.ts';
import type { Encryption } from './encryption.ts';
import type { Schema } from './schema.ts';

/** Whose recipients may still be taken out. */
const unfinished: readonly CampaignState[] = ['ready', 'scheduled', 'running', 'paused'];

/** Which entries of the do-not-contact list are taken out, and of which campaigns. */
type Unwanted =
  /** Those with these hashes, of every unfinished campaign. */
  | { hashes: readonly string[] }
  /** Some of those put on the list since then, of a campaign that is being read. */
  | { since: number; campaign: number; atMost: number };

/**
 * Takes people on the do-not-contact list out of chunks that nobody has claimed yet. They are counted as not to be
 * contacted. Gives how many were taken out, counted once for each campaign.
 */
export async function takeOutUnwanted(
  transaction: Transaction<Schema>,
  workspaceId: string,
  unwanted: Unwanted,
  { encryption, now }: { encryption: Encryption; now: number },
): Promise<number> {
  const ofOne = 'campaign' in unwanted;
  const campaigns = ofOne ? [unwanted.campaign] : await unfinishedOf(transaction, workspaceId);
  if (campaigns.length === 0) return 0;
  let query = transaction
    .selectFrom('do_not_contact as unwanted')
    .innerJoin('campaign_number as recipient', 'recipient.hash', 'unwanted.hash')
    .innerJoin('campaign_chunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('unwanted.workspace_id', '=', workspaceId)
    .where('recipient.campaign', 'in', campaigns)
    .select(['unwanted.hash', 'unwanted.number as encrypted', 'recipient.campaign', 'recipient.chunk']);
  query = ofOne
    ? query.where('unwanted.added_at', '>=', unwanted.since).limit(unwanted.atMost)
    : query.where('unwanted.hash', 'in', unwanted.hashes);
  const rows = await query.execute();
  for (const { hash, encrypted, campaign, chunk } of rows) {
    const number = encryption.decrypt(encrypted, doNotContactPlace(workspaceId, hash));
    await takeOut(transaction, workspaceId, { campaign, chunk, hash, number }, encryption);
  }
  for (const campaign of new Set(rows.map((row) => row.campaign))) {
    await countIn(transaction, campaign, { accepted: 0, rejected: 0, unconfirmed: 0, inFlight: 0 }, { now });
  }
  return rows.length;
}

async function unfinishedOf(transaction: Transaction<Schema>, workspaceId: string): Promise<number[]> {
  const rows = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', unfinished)
    .execute();
  return rows.map(({ sequence }) => sequence);
}

async function takeOut(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { campaign, chunk, hash, number }: { campaign: number; chunk: number; hash: string; number: string },
  encryption: Encryption,
): Promise<void> {
  const content = await transaction
    .selectFrom('campaign_chunk_content')
    .select('value')
    .where('campaign', '=', campaign)
    .where('number', '=', chunk)
    .executeTakeFirstOrThrow();
  const place = chunkPlace(workspaceId, campaign, chunk);
  const { to, text } = readRecipients(encryption.decrypt(content.value, place));
  const { recipients, pages } = await transaction
    .selectFrom('campaign_chunk')
    .select(['recipients', 'pages'])
    .where('campaign', '=', campaign)
    .where('number', '=', chunk)
    .executeTakeFirstOrThrow();
  // Those of one chunk have one text, and so as many pages.
  const pagesEach = pages / recipients;
  const rest = to.filter((other) => other !== number);
  if (rest.length === 0) {
    for (const table of ['campaign_chunk', 'campaign_chunk_content'] as const) {
      await transaction
        .deleteFrom(table)
        .where('campaign', '=', campaign)
        .where('number', '=', chunk)
        .execute();
    }
  } else {
    const value = encryption.encrypt(writeContent(rest, text), place);
    await transaction
      .updateTable('campaign_chunk_content')
      .set({ value })
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
    await transaction
      .updateTable('campaign_chunk')
      .set({ recipients: rest.length, pages: pages - pagesEach })
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
  }
  await transaction
    .deleteFrom('campaign_number')
    .where('campaign', '=', campaign)
    .where('hash', '=', hash)
    .execute();
  await transaction
    .updateTable('campaign')
    .set((eb) => ({
      recipients: eb('recipients', '-', 1),
      do_not_contact: eb('do_not_contact', '+', 1),
      pages: eb('pages', '-', pagesEach),
      ...(rest.length === 0 ? { chunks: eb('chunks', '-', 1) } : {}),
    }))
    .where('sequence', '=', campaign)
    .execute();
}
