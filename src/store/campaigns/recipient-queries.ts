import type { Kysely, Transaction } from 'kysely';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { HashNumber, PhoneHashes } from '../encryption/phone-hashes.ts';
import { operationErrorSchema } from '../schema/operations.ts';
import type { Schema } from '../schema.ts';
import type { CampaignRepository } from './campaign-repository.ts';
import type { Chunk, ChunkState, KnownChunk } from './campaigns.ts';
import { chunkAdditionalData, rejectedRowsAdditionalData } from './encrypted-columns.ts';
import { readResolvedMessages, splitResolved } from './reported/split-resolved.ts';
import { type ChunkContent, readRecipients, readRejectedRows } from './row-mapping.ts';

const pageSize = 200;

/** Returns what the other tables refer to a campaign by. */
export async function sequenceOf(
  db: Kysely<Schema>,
  workspaceId: string,
  id: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.sequence;
}

/** Returns the same, and locks the campaign until the transaction ends: nothing of it is claimed or ended meanwhile. */
export async function lockCampaign(
  transaction: Transaction<Schema>,
  workspaceId: string,
  id: string,
): Promise<number | undefined> {
  const row = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.sequence;
}

/** Reads the recipients of campaigns, and the rows that were rejected. */
export function createRecipientQueries({
  db,
  encryption,
  phoneHashes,
}: {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
}): Pick<CampaignRepository, 'pick' | 'chunks' | 'rejectedRows'> {
  return {
    async pick(workspaceId, id, numbers) {
      const campaign = await sequenceOf(db, workspaceId, id);
      if (campaign === undefined) {
        return [];
      }
      const rows = await selectChunks(db, campaign).where('chunk.number', 'in', numbers).execute();
      return rows.map((row) => toChunk(encryption, { workspaceId, campaign }, row));
    },

    async *chunks(workspaceId, id, states) {
      const campaign = await sequenceOf(db, workspaceId, id);
      if (campaign === undefined) {
        return;
      }
      const hash = await phoneHashes.hasher(workspaceId);
      for (const state of states) {
        yield* knownChunks({ db, encryption, hash }, { workspaceId, campaign }, { state, states });
      }
    },

    async *rejectedRows(workspaceId, id) {
      const campaign = await sequenceOf(db, workspaceId, id);
      if (campaign !== undefined) {
        yield* rejectedRowsOf(db, encryption, { workspaceId, campaign });
      }
    },
  };
}

/** Returns the chunks of a campaign that a run of the program has claimed. */
export async function claimedChunks(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, id }: { workspaceId: string; id: string },
  run: string,
): Promise<Chunk[]> {
  const campaign = await sequenceOf(db, workspaceId, id);
  if (campaign === undefined) {
    return [];
  }
  const rows = await selectChunks(db, campaign)
    .where('chunk.state', '=', 'claimed')
    .where('chunk.run', '=', run)
    .execute();
  return rows.map((row) => toChunk(encryption, { workspaceId, campaign }, row));
}

/** Returns the content of one chunk, in whatever state it is. */
export async function readChunkContent(
  db: Kysely<Schema>,
  encryption: Encryption,
  key: CampaignKey,
  number: number,
): Promise<ChunkContent | undefined> {
  const row = await db
    .selectFrom('campaign_chunk_content')
    .select(['number', 'value'])
    .where('campaign', '=', key.campaign)
    .where('number', '=', number)
    .where('workspace_id', '=', key.workspaceId)
    .executeTakeFirst();
  return row && decryptChunk(encryption, key, row);
}

interface CampaignKey {
  workspaceId: string;
  /** Its sequence. */
  campaign: number;
}

interface ChunkReading {
  db: Kysely<Schema>;
  encryption: Encryption;
  hash: HashNumber;
}

/**
 * Reads the chunks in one of the states that are asked for. Recipients of unconfirmed chunks that turned out to be accepted
 * are read as such: where both states are asked for, with the others of their chunk, so that none is missed that turns out
 * to be in between.
 */
async function* knownChunks(
  { db, encryption, hash }: ChunkReading,
  key: CampaignKey,
  { state, states }: { state: ChunkState; states: readonly ChunkState[] },
): AsyncIterable<KnownChunk> {
  if (state !== 'unconfirmed') {
    for await (const page of chunksIn(db, encryption, key, { state })) {
      yield* page;
    }
  }
  const isResolved = state === 'accepted' && !states.includes('unconfirmed');
  if (state !== 'unconfirmed' && !isResolved) {
    return;
  }
  for await (const page of chunksIn(db, encryption, key, { state: 'unconfirmed', isResolved })) {
    const numbers = page.map(({ number }) => number);
    const resolved = await readResolvedMessages(db, key.campaign, numbers);
    for (const chunk of page) {
      const { unconfirmed, accepted } = splitResolved(chunk, resolved.get(chunk.number), hash);
      if (isResolved || states.includes('accepted')) {
        yield* accepted;
      }
      if (!isResolved) {
        yield* unconfirmed;
      }
    }
  }
}

/** Reads the chunks in one state, page by page; with `isResolved`, those that a message was found to be of. */
async function* chunksIn(
  db: Kysely<Schema>,
  encryption: Encryption,
  key: CampaignKey,
  { state, isResolved = false }: { state: ChunkState; isResolved?: boolean },
): AsyncIterable<KnownChunk[]> {
  let last = -1;
  let isLastPage = false;
  while (!isLastPage) {
    const rows = await selectChunks(db, key.campaign)
      .where('chunk.state', '=', state)
      .where('chunk.number', '>', last)
      .$if(isResolved, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('message_claim')
              .select('message_claim.hash')
              .whereRef('message_claim.campaign', '=', 'chunk.campaign')
              .whereRef('message_claim.chunk', '=', 'chunk.number'),
          ),
        ),
      )
      .orderBy('chunk.number')
      .limit(pageSize)
      .execute();
    yield rows.map((row) => ({
      number: row.number,
      ...decryptChunk(encryption, key, row),
      pages: row.pages,
      state,
      providerId: row.provider_id ?? undefined,
      error: row.error === null ? undefined : operationErrorSchema.parse(JSON.parse(row.error)),
    }));
    last = rows.at(-1)?.number ?? last;
    isLastPage = rows.length < pageSize;
  }
}

function selectChunks(db: Kysely<Schema>, campaign: number) {
  return db
    .selectFrom('campaign_chunk as chunk')
    .innerJoin('campaign_chunk_content as content', (join) =>
      join.onRef('content.campaign', '=', 'chunk.campaign').onRef('content.number', '=', 'chunk.number'),
    )
    .select(['chunk.number', 'chunk.pages', 'chunk.provider_id', 'chunk.error', 'content.value'])
    .where('chunk.campaign', '=', campaign);
}

function toChunk(
  encryption: Encryption,
  key: CampaignKey,
  row: { number: number; pages: number; value: string },
): Chunk {
  return { number: row.number, ...decryptChunk(encryption, key, row), pages: row.pages };
}

function decryptChunk(
  encryption: Encryption,
  { workspaceId, campaign }: CampaignKey,
  { number, value }: { number: number; value: string },
) {
  return readRecipients(encryption.decrypt(value, chunkAdditionalData(workspaceId, campaign, number)));
}

/** Reads the batches of rejected rows, which are numbered without gaps. */
async function* rejectedRowsOf(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, campaign }: CampaignKey,
): AsyncIterable<RejectedRow> {
  for (let number = 0; ; number += 1) {
    const row = await db
      .selectFrom('campaign_rejected_row')
      .select('value')
      .where('campaign', '=', campaign)
      .where('number', '=', number)
      .executeTakeFirst();
    if (row === undefined) {
      return;
    }
    const additionalData = rejectedRowsAdditionalData(workspaceId, campaign, number);
    yield* readRejectedRows(encryption.decrypt(row.value, additionalData));
  }
}
