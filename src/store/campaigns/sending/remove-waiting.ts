import type { Transaction } from 'kysely';
import { quickCountryOf } from '../../../domain/limits/number-country.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { HashNumber } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import { moveCampaigns } from '../campaign-moves.ts';
import type { CampaignRow } from '../campaign-tables.ts';
import { chunkAdditionalData } from '../encrypted-columns.ts';
import { readCountries, readRecipients, writeRecipients } from '../row-mapping.ts';
import { addToCounters } from './counters.ts';

/** A recipient to remove: the hash of a number, in a chunk. */
export interface WaitingRecipient {
  hash: string;
  campaign: number;
  chunk: number;
}

/** The column in which the campaign counts those that were removed. */
type RemovalCount = 'suppressed' | 'accepted_before';

export interface RemovalOptions {
  encryption: Encryption;
  /** Hashes the numbers of the workspace. */
  hash: HashNumber;
  /** In milliseconds since 1970. */
  now: number;
}

interface Removed {
  recipients: number;
  pages: number;
  /** The same pages by country. */
  countryPages: Map<string, number>;
  /** Chunks that lost their last recipient, and are deleted. */
  chunks: number;
}

/**
 * Removes recipients from chunks that wait, and counts them. Their campaigns are locked. Returns the ids of the campaigns
 * that lost some.
 */
export async function removeWaiting(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { recipients, countedAs }: { recipients: readonly WaitingRecipient[]; countedAs: RemovalCount },
  options: RemovalOptions,
): Promise<string[]> {
  const changed: string[] = [];
  for (const [campaign, ofCampaign] of Map.groupBy(recipients, (recipient) => recipient.campaign)) {
    const total: Removed = { recipients: 0, pages: 0, countryPages: new Map(), chunks: 0 };
    for (const [chunk, inChunk] of Map.groupBy(ofCampaign, (recipient) => recipient.chunk)) {
      const hashes = inChunk.map(({ hash }) => hash);
      const removed = await removeFromChunk(transaction, { workspaceId, campaign, chunk, hashes }, options);
      total.recipients += removed.recipients;
      total.pages += removed.pages;
      total.chunks += removed.chunks;
      for (const [country, pages] of removed.countryPages) {
        total.countryPages.set(country, (total.countryPages.get(country) ?? 0) + pages);
      }
    }
    const { id } = await subtract(transaction, { campaign, countedAs }, total, options.now);
    changed.push(...(id === null ? [] : [id]));
  }
  return changed;
}

/** Counts what was removed, and ends the campaign where those were its last recipients. */
async function subtract(
  transaction: Transaction<Schema>,
  { campaign, countedAs }: { campaign: number; countedAs: RemovalCount },
  { recipients, pages, countryPages, chunks }: Removed,
  now: number,
): Promise<CampaignRow> {
  const { country_pages } = await transaction
    .selectFrom('campaign')
    .select('country_pages')
    .where('sequence', '=', campaign)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('campaign')
    .set((eb) => ({
      country_pages: withoutPages(country_pages, countryPages),
      recipients: eb('recipients', '-', recipients),
      [countedAs]: eb(countedAs, '+', recipients),
      pages: eb('pages', '-', pages),
      chunks: eb('chunks', '-', chunks),
    }))
    .where('sequence', '=', campaign)
    .execute();
  const change = { accepted: 0, rejected: 0, unconfirmed: 0, inFlight: 0 };
  const row = await addToCounters(transaction, campaign, change, { now });
  if (row.state === 'scheduled' && row.recipients === 0) {
    await moveCampaigns(transaction, 'cancel')
      .set({ pause: null, state_changed_at: now, ended_at: now })
      .where('sequence', '=', campaign)
      .execute();
  }
  return row;
}

function withoutPages(counted: string | null, removed: ReadonlyMap<string, number>): string | null {
  const pages = readCountries(counted);
  return pages === undefined
    ? null
    : JSON.stringify(
        Object.fromEntries(
          Object.entries(pages)
            .map(([country, count]) => [country, count - (removed.get(country) ?? 0)] as const)
            .filter(([, count]) => count > 0),
        ),
      );
}

interface ChunkRemoval {
  workspaceId: string;
  campaign: number;
  /** The number of the chunk. */
  chunk: number;
  /** Of the recipients to remove. */
  hashes: readonly string[];
}

/** Removes recipients from their chunk, and the chunk where they were all of it. */
async function removeFromChunk(
  transaction: Transaction<Schema>,
  { workspaceId, campaign, chunk, hashes }: ChunkRemoval,
  { encryption, hash }: RemovalOptions,
): Promise<Removed> {
  const { pages, value } = await transaction
    .selectFrom('campaign_chunk as chunk')
    .innerJoin('campaign_chunk_content as content', (join) =>
      join.onRef('content.campaign', '=', 'chunk.campaign').onRef('content.number', '=', 'chunk.number'),
    )
    .select(['chunk.pages', 'content.value'])
    .where('chunk.campaign', '=', campaign)
    .where('chunk.number', '=', chunk)
    .executeTakeFirstOrThrow();
  const additionalData = chunkAdditionalData(workspaceId, campaign, chunk);
  const { to, text, cells } = readRecipients(encryption.decrypt(value, additionalData));
  const removed = new Set(hashes);
  const isLeft = (index: number) => !removed.has(hash(to[index] ?? ''));
  const rest = to.filter((_, index) => isLeft(index));
  const restCells = cells?.filter((_, index) => isLeft(index));
  // All recipients of a chunk have one text, and so the same number of pages.
  const pagesEach = pages / to.length;
  const pagesLeft = pagesEach * rest.length;
  const countryPages = new Map<string, number>();
  for (const number of to.filter((_, index) => !isLeft(index))) {
    const country = quickCountryOf(number);
    countryPages.set(country, (countryPages.get(country) ?? 0) + pagesEach);
  }
  if (rest.length === 0) {
    await deleteChunk(transaction, campaign, chunk);
  } else {
    const content = encryption.encrypt(writeRecipients({ to: rest, text, cells: restCells }), additionalData);
    await transaction
      .updateTable('campaign_chunk_content')
      .set({ value: content })
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
    await transaction
      .updateTable('campaign_chunk')
      .set({ recipients: rest.length, pages: pagesLeft })
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
  }
  await transaction
    .deleteFrom('campaign_number')
    .where('campaign', '=', campaign)
    .where('hash', 'in', hashes)
    .execute();
  return {
    recipients: to.length - rest.length,
    pages: pages - pagesLeft,
    countryPages,
    chunks: rest.length === 0 ? 1 : 0,
  };
}

async function deleteChunk(transaction: Transaction<Schema>, campaign: number, chunk: number): Promise<void> {
  for (const table of ['campaign_chunk', 'campaign_chunk_content'] as const) {
    await transaction
      .deleteFrom(table)
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
  }
}
