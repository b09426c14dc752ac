import type { Transaction } from 'kysely';
import { chunkAdditionalData } from '../additional-data.ts';
import { suppressionAdditionalData } from '../../encryption/aad-suppression.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { Schema } from '../../schema.ts';
import type { CampaignState } from '../campaigns.ts';
import { addToCounters } from './counters.ts';
import { readRecipients, writeContent } from '../row-mapping.ts';

/** Whose recipients may still be taken out. */
const unfinished: readonly CampaignState[] = ['ready', 'scheduled', 'running', 'paused'];

/**
 * The entries of the list with these hashes, or some of those added at this time and later. In milliseconds since 1970.
 */
type Listed = { hashes: readonly string[] } | { since: number; atMost: number };

/** A recipient to be taken out; `unwanted` is the number, encrypted. */
interface Found {
  hash: string;
  unwanted: string;
  campaign: number;
  chunk: number;
}

/**
 * Takes those on the do-not-contact list out of chunks that nobody has claimed yet: of one campaign, or of every
 * unfinished one of the workspace. They are counted as not to be contacted. Gives how many were taken out, counted once
 * for each campaign.
 */
export async function removeSuppressed(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { listed, campaign: only }: { listed: Listed; campaign?: number },
  { encryption, now }: { encryption: Encryption; now: number },
): Promise<number> {
  const campaigns = only === undefined ? await unfinishedOf(transaction, workspaceId) : [only];
  if (campaigns.length === 0) {
    return 0;
  }
  let query = transaction
    .selectFrom('suppression as unwanted')
    .innerJoin('campaign_number as recipient', 'recipient.hash', 'unwanted.hash')
    .innerJoin('campaign_chunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('unwanted.workspace_id', '=', workspaceId)
    .where('recipient.campaign', 'in', campaigns)
    .select(['unwanted.hash', 'unwanted.number as unwanted', 'recipient.campaign', 'recipient.chunk']);
  query =
    'since' in listed
      ? query.where('unwanted.created_at', '>=', listed.since).limit(listed.atMost)
      : query.where('unwanted.hash', 'in', listed.hashes);
  const found = await query.execute();
  for (const [campaign, ofCampaign] of Map.groupBy(found, (one) => one.campaign)) {
    const taken = { recipients: 0, pages: 0, chunks: 0 };
    for (const [chunk, ofChunk] of Map.groupBy(ofCampaign, (one) => one.chunk)) {
      const part = { campaign, chunk, found: ofChunk };
      const { recipients, pages, isEmpty } = await takeOut(transaction, workspaceId, part, encryption);
      taken.recipients += recipients;
      taken.pages += pages;
      taken.chunks += isEmpty ? 1 : 0;
    }
    await transaction
      .updateTable('campaign')
      .set((eb) => ({
        recipients: eb('recipients', '-', taken.recipients),
        suppressed: eb('suppressed', '+', taken.recipients),
        pages: eb('pages', '-', taken.pages),
        chunks: eb('chunks', '-', taken.chunks),
      }))
      .where('sequence', '=', campaign)
      .execute();
    await addToCounters(
      transaction,
      campaign,
      { accepted: 0, rejected: 0, unconfirmed: 0, inFlight: 0 },
      { now },
    );
  }
  return found.length;
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

/** Takes recipients out of their chunk, which goes with its last one. Gives how many went, and their message pages. */
async function takeOut(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { campaign, chunk: number, found }: { campaign: number; chunk: number; found: readonly Found[] },
  encryption: Encryption,
): Promise<{ recipients: number; pages: number; isEmpty: boolean }> {
  const chunk = await transaction
    .selectFrom('campaign_chunk as chunk')
    .innerJoin('campaign_chunk_content as content', (join) =>
      join.onRef('content.campaign', '=', 'chunk.campaign').onRef('content.number', '=', 'chunk.number'),
    )
    .select(['chunk.pages', 'content.value'])
    .where('chunk.campaign', '=', campaign)
    .where('chunk.number', '=', number)
    .executeTakeFirstOrThrow();
  const place = chunkAdditionalData(workspaceId, campaign, number);
  const { to, text } = readRecipients(encryption.decrypt(chunk.value, place));
  const unwanted = new Set(
    found.map(({ hash, unwanted }) =>
      encryption.decrypt(unwanted, suppressionAdditionalData(workspaceId, hash)),
    ),
  );
  const rest = to.filter((recipient) => !unwanted.has(recipient));
  const isEmpty = rest.length === 0;
  // Those of one chunk have one text, and so as many pages.
  const pages = (chunk.pages / to.length) * rest.length;
  if (isEmpty) {
    for (const table of ['campaign_chunk', 'campaign_chunk_content'] as const) {
      await transaction
        .deleteFrom(table)
        .where('campaign', '=', campaign)
        .where('number', '=', number)
        .execute();
    }
  } else {
    await transaction
      .updateTable('campaign_chunk_content')
      .set({ value: encryption.encrypt(writeContent(rest, text), place) })
      .where('campaign', '=', campaign)
      .where('number', '=', number)
      .execute();
    await transaction
      .updateTable('campaign_chunk')
      .set({ recipients: rest.length, pages })
      .where('campaign', '=', campaign)
      .where('number', '=', number)
      .execute();
  }
  const hashes = found.map(({ hash }) => hash);
  await transaction
    .deleteFrom('campaign_number')
    .where('campaign', '=', campaign)
    .where('hash', 'in', hashes)
    .execute();
  return { recipients: to.length - rest.length, pages: chunk.pages - pages, isEmpty };
}
