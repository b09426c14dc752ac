import type { Transaction } from 'kysely';
import { quickCountryOf } from '../../../domain/limits/number-country.ts';
import type { Encryption } from '../../engine/encryption/cipher.ts';
import type { HashNumber } from '../../engine/encryption/phone-hashes.ts';
import type { Row, Schema } from '../../schema/schema.ts';
import { addToCounters, moveCampaigns } from '../campaign-moves.ts';
import type { CampaignState } from '../campaigns.ts';
import { chunkAdditionalData } from '../chunk-content.ts';
import { selectChunks } from '../recipient-queries.ts';
import { readRecipients, writeRecipients } from '../row-mapping.ts';

/** The states in which a campaign may still be sent, so recipients may be removed. */
export const unfinished: readonly CampaignState[] = [
  'ready',
  'scheduled',
  'repeating',
  'missed',
  'running',
  'paused',
];

/** The entries of the list with these hashes, or up to `limit` of those added from a time on. */
type Listed = { hashes: readonly string[] } | { since: Date; limit: number };

/**
 * Removes the numbers on the suppression list from chunks that nobody has claimed yet: of one campaign, or of every
 * unfinished one of the workspace. They are counted as suppressed. A message for later keeps numbers that opted out before it
 * was written, and not again since: its review named them. A campaign that is scheduled or repeats is cancelled where it
 * loses its last recipient. Returns how many were removed, counted once for each campaign, and the ids of the campaigns that
 * changed.
 */
export async function removeSuppressed(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { listed, campaign: only }: { listed: Listed; campaign?: number | undefined },
  options: RemovalOptions,
): Promise<{ recipients: number; campaigns: string[] }> {
  // The lock keeps their waiting chunks from being claimed until the transaction ends.
  const campaigns = await transaction
    .selectFrom('campaign')
    .select(['sequence', 'isMessage', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .where((eb) => (only === undefined ? eb('state', 'in', unfinished) : eb('sequence', '=', only)))
    .orderBy('sequence')
    .forUpdate()
    .execute();
  if (campaigns.length === 0) {
    return { recipients: 0, campaigns: [] };
  }
  const sequences = campaigns.map(({ sequence }) => sequence);
  const suppressed = transaction
    .selectFrom('suppression')
    .innerJoin('campaignNumber as recipient', 'recipient.hash', 'suppression.hash')
    .innerJoin('campaignChunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('suppression.workspaceId', '=', workspaceId)
    .where('recipient.campaign', 'in', sequences)
    .select(['suppression.hash', 'recipient.campaign', 'recipient.chunk'])
    .select(['suppression.createdAt', 'suppression.listedAgainAt'])
    // A repeated STOP doesn't change the entry of a number that is listed already.
    .select((eb) =>
      eb
        .selectFrom('replyAnswer as answer')
        .whereRef('answer.workspaceId', '=', 'suppression.workspaceId')
        .whereRef('answer.hash', '=', 'suppression.hash')
        .where('answer.answer', '=', 'stop')
        .select(({ fn }) => fn.max('answer.receivedAt').as('receivedAt'))
        .as('receivedAt'),
    );
  const found = await ('since' in listed
    ? suppressed.where('suppression.createdAt', '>=', listed.since).limit(listed.limit).execute()
    : suppressed.where('suppression.hash', 'in', listed.hashes).execute());
  const writtenAt = new Map(
    campaigns.flatMap(({ sequence, isMessage, createdAt }) => (isMessage ? [[sequence, createdAt]] : [])),
  );
  const recipients: WaitingRecipient[] = found.filter(
    ({ campaign, createdAt, listedAgainAt, receivedAt }) => {
      const written = writtenAt.get(campaign);
      const optOuts = [createdAt, listedAgainAt, receivedAt];
      return written === undefined || optOuts.some((at) => at && at > written);
    },
  );
  const removal = { recipients, countedAs: 'suppressed' as const };
  const changed = await removeWaiting(transaction, workspaceId, removal, options);
  return { recipients: recipients.length, campaigns: changed };
}

/** A recipient to remove: the hash of a number, in a chunk. */
export interface WaitingRecipient {
  hash: string;
  campaign: number;
  chunk: number;
}

/** The column that counts removed recipients. */
type RemovalCount = 'suppressed' | 'acceptedBefore';

export interface RemovalOptions {
  encryption: Encryption;
  /** Hashes the numbers of the workspace. */
  hash: HashNumber;
  now: Date;
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
 * Removes recipients from waiting chunks, and counts them. Their campaigns are locked. Returns the ids of changed campaigns.
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
    changed.push(...(id === undefined ? [] : [id]));
  }
  return changed;
}

/** Counts the removed recipients, and ends the campaign if they were its last ones. */
async function subtract(
  transaction: Transaction<Schema>,
  { campaign, countedAs }: { campaign: number; countedAs: RemovalCount },
  { recipients, pages, countryPages, chunks }: Removed,
  now: Date,
): Promise<Row<'campaign'>> {
  const counted = await transaction
    .selectFrom('campaign')
    .select('countryPages')
    .where('sequence', '=', campaign)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const left = Object.entries(counted.countryPages ?? {})
    .map(([country, before]) => [country, before - (countryPages.get(country) ?? 0)] as const)
    .filter(([, after]) => after > 0);
  await transaction
    .updateTable('campaign')
    .set((eb) => ({
      countryPages: counted.countryPages === undefined ? null : Object.fromEntries(left),
      recipients: eb('recipients', '-', recipients),
      [countedAs]: eb(countedAs, '+', recipients),
      pages: eb('pages', '-', pages),
      chunks: eb('chunks', '-', chunks),
    }))
    .where('sequence', '=', campaign)
    .execute();
  const row = await addToCounters(transaction, campaign, {}, now);
  if ((row.state === 'scheduled' || row.state === 'repeating') && row.recipients === 0) {
    await moveCampaigns(transaction, 'cancel')
      .set({ pause: null, stateChangedAt: now, endedAt: now })
      .where('sequence', '=', campaign)
      .execute();
  }
  return row;
}

interface ChunkRemoval {
  workspaceId: string;
  campaign: number;
  /** The number of the chunk. */
  chunk: number;
  /** Of the recipients to remove. */
  hashes: readonly string[];
}

/** Removes recipients from their chunk, and the chunk if it is then empty. */
async function removeFromChunk(
  transaction: Transaction<Schema>,
  { workspaceId, campaign, chunk, hashes }: ChunkRemoval,
  { encryption, hash }: RemovalOptions,
): Promise<Removed> {
  const { pages, value } = await selectChunks(transaction, campaign)
    .where('chunk.number', '=', chunk)
    .executeTakeFirstOrThrow();
  const additionalData = chunkAdditionalData(workspaceId, campaign, chunk);
  const { to, text, cells } = readRecipients(encryption.decrypt(value, additionalData));
  const removed = new Set(hashes);
  const isLeft = (_: unknown, index: number) => !removed.has(hash(to[index] ?? ''));
  const rest = to.filter(isLeft);
  // All recipients of a chunk have one text, and so the same number of pages.
  const pagesEach = pages / to.length;
  const pagesLeft = pagesEach * rest.length;
  const countryPages = new Map<string, number>();
  for (const number of to.filter((_, index) => !isLeft(_, index))) {
    const country = quickCountryOf(number);
    countryPages.set(country, (countryPages.get(country) ?? 0) + pagesEach);
  }
  if (rest.length === 0) {
    for (const table of ['campaignChunk', 'campaignChunkContent'] as const) {
      await transaction
        .deleteFrom(table)
        .where('campaign', '=', campaign)
        .where('number', '=', chunk)
        .execute();
    }
  } else {
    const content = writeRecipients({ to: rest, text, cells: cells?.filter(isLeft) });
    await transaction
      .updateTable('campaignChunkContent')
      .set({ value: encryption.encrypt(content, additionalData) })
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
    await transaction
      .updateTable('campaignChunk')
      .set({ recipients: rest.length, pages: pagesLeft })
      .where('campaign', '=', campaign)
      .where('number', '=', chunk)
      .execute();
  }
  await transaction
    .deleteFrom('campaignNumber')
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
