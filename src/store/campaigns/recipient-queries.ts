import { type Kysely, sql } from 'kysely';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import { createYield } from '../../lib/yield-to-event-loop.ts';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import type { HashNumber } from '../engine/encryption/phone-hashes.ts';
import { encryptedColumn, type Row, type Schema } from '../schema/schema.ts';
import type { Chunk, ChunkState, KnownChunk } from './campaigns.ts';
import { chunkAdditionalData, readDigits } from './chunk-content.ts';
import { type ChunkContent, readRecipients, readRejectedRows } from './row-mapping.ts';

/**
 * The limit of one page, in chunks and in bytes of their encrypted contents. A page may exceed the bytes by
 * less than a chunk.
 */
const fullPage = { chunks: 200, bytes: 500_000 };

/** Selects what the other tables refer to a campaign by. */
export const selectSequence = (db: Kysely<Schema>, workspaceId: string, id: string) =>
  db.selectFrom('campaign').select('sequence').where('workspaceId', '=', workspaceId).where('id', '=', id);

interface CampaignKey {
  workspaceId: string;
  /** Its sequence. */
  campaign: number;
}

/** Recipients who failed with the same error. */
export interface CampaignFailure extends Pick<KnownChunk, 'state' | 'error'> {
  recipients: number;
}

/** Errors that differ only in the provider's own words are errors of their own. */
const maxFailures = 100;

type Reading = Pick<StoreContext, 'db' | 'encryption'>;

type Chunks = ReturnType<typeof selectChunks>;

/** Reads the recipients of campaigns, and the rows that were rejected. */
export function createRecipientQueries(context: StoreContext) {
  const { db, encryption, phoneHashes } = context;

  async function keyOf(workspaceId: string, id: string): Promise<CampaignKey | undefined> {
    const row = await selectSequence(db, workspaceId, id).executeTakeFirst();
    return row && { workspaceId, campaign: row.sequence };
  }

  async function read(workspaceId: string, id: string, narrow: (chunks: Chunks) => Chunks): Promise<Chunk[]> {
    const key = await keyOf(workspaceId, id);
    const rows = key && (await narrow(selectChunks(db, key.campaign)).execute());
    return (rows ?? []).map((row) => toChunk(encryption, { workspaceId, campaign: row.campaign }, row));
  }

  return {
    /** Returns the existing chunks with these numbers, in any state. */
    pick: (workspaceId: string, id: string, numbers: readonly number[]): Promise<Chunk[]> =>
      read(workspaceId, id, (chunks) => chunks.where('chunk.number', 'in', numbers)),

    /** Returns the number of recipients per chunk. A personalized campaign has one recipient per chunk. */
    sizesOfChunks: (
      workspaceId: string,
      id: string,
    ): Promise<Pick<Row<'campaignChunk'>, 'number' | 'recipients'>[]> =>
      db
        .selectFrom('campaignChunk')
        .select(['number', 'recipients'])
        .where('campaign', '=', selectSequence(db, workspaceId, id))
        .orderBy('number')
        .execute(),

    /**
     * Returns with which errors recipients of a campaign were rejected or are unconfirmed, the most frequent first. Recipients of
     * whom more is known by now are left out.
     */
    async failures(campaign: number): Promise<CampaignFailure[]> {
      const resolved = db
        .selectFrom('messageClaim')
        .select(['chunk', ({ fn }) => fn.countAll<number>().as('recipients')])
        .where('campaign', '=', campaign)
        .groupBy('chunk')
        .as('resolved');
      const recipients = sql<number>`sum(chunk.recipients - coalesce(resolved.recipients, 0))`;
      const rows = await db
        .selectFrom('campaignChunk as chunk')
        .leftJoin(resolved, 'resolved.chunk', 'chunk.number')
        .select(['chunk.state', 'chunk.error', recipients.as('recipients')])
        .where('chunk.campaign', '=', campaign)
        .where('chunk.state', 'in', ['rejected', 'unconfirmed'])
        .groupBy(['chunk.state', 'chunk.error'])
        .orderBy(recipients, 'desc')
        .limit(maxFailures)
        .execute();
      return rows.map((row) => ({ ...row, recipients: Number(row.recipients) }));
    },

    /** Yields the numbers of chunks in the given order, until the chunks read exceed this many bytes. */
    async *numbersIn(
      workspaceId: string,
      id: string,
      { numbers, maxBytes }: { numbers: readonly number[]; maxBytes: number },
    ): AsyncIterable<Pick<Chunk, 'number' | 'to'>> {
      const key = await keyOf(workspaceId, id);
      if (key === undefined) {
        return;
      }
      const giveWay = createYield();
      const contents = db
        .selectFrom('campaignChunkContent as content')
        .where('content.campaign', '=', key.campaign);
      const found = await contents
        .select(['content.number', bytesOfContent])
        .where('content.number', 'in', numbers)
        .execute();
      const bytes = new Map(found.map((row) => [row.number, row.bytes]));
      let read = 0;
      let left = numbers.map((number) => ({ number, bytes: bytes.get(number) ?? 0 }));
      while (left.length > 0 && read < maxBytes) {
        const page = firstPage(left);
        read += left.slice(0, page.length).reduce((sum, chunk) => sum + chunk.bytes, 0);
        left = left.slice(page.length);
        const rows = await contents
          .select(['content.number', 'content.value'])
          .where('content.number', 'in', page)
          .execute();
        for (const { number, value } of rows) {
          const data = chunkAdditionalData(workspaceId, key.campaign, number);
          const { digits } = readDigits(encryption.decrypt(value, data));
          yield { number, to: digits.map((each) => `+${each}`) };
          await giveWay();
        }
      }
    },

    /** Returns the chunks that a run of the program has claimed. */
    claimedBy: (workspaceId: string, id: string, run: string): Promise<Chunk[]> =>
      read(workspaceId, id, (chunks) =>
        chunks.where('chunk.state', '=', 'claimed').where('chunk.run', '=', run),
      ),

    /**
     * Reads the chunks in these states, by state and number, in constant memory. Recipients of an unconfirmed chunk whose
     * outcome is known by now come as an accepted part of it.
     */
    async *chunks(workspaceId: string, id: string, states: readonly ChunkState[]): AsyncIterable<KnownChunk> {
      const key = await keyOf(workspaceId, id);
      if (key === undefined) {
        return;
      }
      const hash = await phoneHashes.hasher(workspaceId);
      for (const state of states) {
        yield* knownChunks(context, key, { state, states, hash });
      }
    },

    /**
     * Reads all chunks by their numbers, in constant memory: each once, even while the campaign is sent. Recipients of an
     * unconfirmed chunk whose outcome is known by now come as an accepted part of it.
     */
    async *everyChunk(workspaceId: string, id: string): AsyncIterable<KnownChunk> {
      const key = await keyOf(workspaceId, id);
      if (key === undefined) {
        return;
      }
      const hash = await phoneHashes.hasher(workspaceId);
      for await (const page of chunksIn(context, key, {})) {
        const unconfirmed = page.filter(({ state }) => state === 'unconfirmed');
        const resolved = await readResolvedMessages(db, key.campaign, unconfirmed);
        for (const chunk of page) {
          const parts = splitResolved(chunk, resolved.get(chunk.number), hash);
          yield* parts.unconfirmed;
          yield* parts.accepted;
        }
      }
    },

    /** Reads the rejected rows in their order, in constant memory. */
    async *rejectedRows(workspaceId: string, id: string): AsyncIterable<RejectedRow> {
      const key = await keyOf(workspaceId, id);
      if (key !== undefined) {
        yield* rejectedRowsOf(context, key);
      }
    },
  };
}

/** Returns the content of one chunk, in whatever state it is. */
export async function readChunkContent(
  db: Kysely<Schema>,
  encryption: Encryption,
  key: CampaignKey,
  number: number,
): Promise<ChunkContent | undefined> {
  const row = await db
    .selectFrom('campaignChunkContent')
    .select(['number', 'value'])
    .where('campaign', '=', key.campaign)
    .where('number', '=', number)
    .where('workspaceId', '=', key.workspaceId)
    .executeTakeFirst();
  return row && decryptChunk(encryption, key, row);
}

/** A number in a chunk of a campaign. */
export interface NumberInChunk {
  /** The sequence of the campaign. */
  campaign: number;
  chunk: number;
  hash: string;
}

const numberName = ({ campaign, chunk, hash }: NumberInChunk) => JSON.stringify([campaign, chunk, hash]);

/** Returns a lookup of whether a number is a recipient of its chunk. */
export async function findChunkRecipients(
  db: Kysely<Schema>,
  asked: readonly NumberInChunk[],
): Promise<(number: NumberInChunk) => boolean> {
  if (asked.length === 0) {
    return () => false;
  }
  const pairs = asked.map(({ campaign, hash }) => [campaign, hash]);
  const rows = await db
    .selectFrom('campaignNumber')
    .select(['campaign', 'chunk', 'hash'])
    .where(isOneOf(db, [sql.ref('campaign'), sql.ref('hash')], pairs))
    .execute();
  const found = new Set(rows.map(numberName));
  return (number) => found.has(numberName(number));
}

/**
 * Reads the chunks in one of these states. Recipients of unconfirmed chunks that turned out to be accepted are read as
 * accepted. If both states are asked for, they come with the rest of their chunk, so that none is missed in between.
 */
async function* knownChunks(
  context: Reading,
  key: CampaignKey,
  { state, states, hash }: { state: ChunkState; states: readonly ChunkState[]; hash: HashNumber },
): AsyncIterable<KnownChunk> {
  if (state !== 'unconfirmed') {
    for await (const page of chunksIn(context, key, { state })) {
      yield* page;
    }
  }
  const isResolved = state === 'accepted' && !states.includes('unconfirmed');
  if (state !== 'unconfirmed' && !isResolved) {
    return;
  }
  for await (const page of chunksIn(context, key, { state: 'unconfirmed', isResolved })) {
    const resolved = await readResolvedMessages(context.db, key.campaign, page);
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

/** Reads the chunks page by page: all, those in one state, or with `isResolved` those with a matched message. */
async function* chunksIn(
  { db, encryption }: Reading,
  key: CampaignKey,
  { state, isResolved = false }: { state?: ChunkState; isResolved?: boolean },
): AsyncIterable<KnownChunk[]> {
  const giveWay = createYield();
  let last = -1;
  for (;;) {
    const found = await db
      .selectFrom('campaignChunk as chunk')
      .innerJoin('campaignChunkContent as content', (join) =>
        join.onRef('content.campaign', '=', 'chunk.campaign').onRef('content.number', '=', 'chunk.number'),
      )
      .select(['chunk.number', bytesOfContent])
      .where('chunk.campaign', '=', key.campaign)
      .where('chunk.number', '>', last)
      .where((eb) => eb.and({ ...(state && { 'chunk.state': state }) }))
      .$if(isResolved, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('messageClaim')
              .select('messageClaim.hash')
              .whereRef('messageClaim.campaign', '=', 'chunk.campaign')
              .whereRef('messageClaim.chunk', '=', 'chunk.number'),
          ),
        ),
      )
      .orderBy('chunk.number')
      .limit(fullPage.chunks)
      .execute();
    const numbers = firstPage(found);
    const end = numbers.at(-1);
    if (end === undefined) {
      return;
    }
    const rows = await selectChunks(db, key.campaign)
      .select('chunk.state')
      .where((eb) => eb.and({ ...(state && { 'chunk.state': state }) }))
      .where('chunk.number', 'in', numbers)
      .orderBy('chunk.number')
      .execute();
    const chunks: KnownChunk[] = [];
    for (const row of rows) {
      chunks.push({
        ...toChunk(encryption, key, row),
        state: row.state,
        providerId: row.providerId,
        error: row.error,
      });
      await giveWay();
    }
    yield chunks;
    last = end;
  }
}

const bytesOfContent = sql<number>`octet_length(content.value)`.as('bytes');

/** Returns the numbers of the first page of these chunks. */
function firstPage(chunks: readonly { number: number; bytes: number }[]): number[] {
  const page: number[] = [];
  let bytes = 0;
  for (const chunk of chunks.slice(0, fullPage.chunks)) {
    page.push(chunk.number);
    bytes += chunk.bytes;
    if (bytes >= fullPage.bytes) {
      break;
    }
  }
  return page;
}

/** Selects the chunks of a campaign with their contents. */
export const selectChunks = (db: Kysely<Schema>, campaign: number) =>
  db
    .selectFrom('campaignChunk as chunk')
    .innerJoin('campaignChunkContent as content', (join) =>
      join.onRef('content.campaign', '=', 'chunk.campaign').onRef('content.number', '=', 'chunk.number'),
    )
    .select([
      'chunk.campaign',
      'chunk.number',
      'chunk.pages',
      'chunk.providerId',
      'chunk.error',
      'content.value',
    ])
    .where('chunk.campaign', '=', campaign);

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
): ChunkContent {
  return readRecipients(encryption.decrypt(value, chunkAdditionalData(workspaceId, campaign, number)));
}

/** The messages that unconfirmed recipients turned out to have got, by chunk and hash of the phone number. */
type ResolvedMessages = Map<number, Map<string, string>>;

async function readResolvedMessages(
  db: Kysely<Schema>,
  campaign: number,
  chunks: readonly KnownChunk[],
): Promise<ResolvedMessages> {
  if (chunks.length === 0) {
    return new Map();
  }
  const numbers = chunks.map(({ number }) => number);
  const rows = await db
    .selectFrom('messageClaim')
    .select(['chunk', 'hash', 'providerId'])
    .where('campaign', '=', campaign)
    .where('chunk', 'in', numbers)
    .execute();
  const resolved: ResolvedMessages = new Map();
  for (const { chunk, hash, providerId } of rows) {
    if (chunk !== undefined) {
      resolved.set(chunk, (resolved.get(chunk) ?? new Map<string, string>()).set(hash, providerId));
    }
  }
  return resolved;
}

/** Splits an unconfirmed chunk into recipients that are still unconfirmed, and parts accepted by the same message. */
function splitResolved(
  chunk: KnownChunk,
  messages: ReadonlyMap<string, string> | undefined,
  hash: HashNumber,
): { unconfirmed: KnownChunk[]; accepted: KnownChunk[] } {
  if (messages === undefined) {
    return { unconfirmed: [chunk], accepted: [] };
  }
  const byMessage = Map.groupBy(chunk.to.keys(), (index) => messages.get(hash(chunk.to[index] ?? '')));
  const split: { unconfirmed: KnownChunk[]; accepted: KnownChunk[] } = { unconfirmed: [], accepted: [] };
  for (const [providerId, indexes] of byMessage) {
    const part: KnownChunk = {
      ...chunk,
      to: indexes.map((index) => chunk.to[index] ?? ''),
      // All have one text, and so the same number of pages.
      pages: (chunk.pages / chunk.to.length) * indexes.length,
      ...(chunk.cells && { cells: indexes.map((index) => chunk.cells?.[index] ?? []) }),
    };
    if (providerId === undefined) {
      split.unconfirmed.push(part);
    } else {
      split.accepted.push({ ...part, state: 'accepted', providerId, error: undefined });
    }
  }
  return split;
}

/** Reads the batches of rejected rows, which are numbered without gaps. */
async function* rejectedRowsOf({ db, encryption }: Reading, key: CampaignKey): AsyncIterable<RejectedRow> {
  const column = encryptedColumn('campaignRejectedRow', 'value');
  for (let number = 0; ; number += 1) {
    const row = await db
      .selectFrom('campaignRejectedRow')
      .select('value')
      .where('campaign', '=', key.campaign)
      .where('number', '=', number)
      .executeTakeFirst();
    if (row === undefined) {
      return;
    }
    yield* readRejectedRows(encryption.decrypt(row.value, additionalDataOf(column, { ...key, number })));
  }
}
