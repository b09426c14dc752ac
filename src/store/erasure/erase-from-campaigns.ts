import type { ExpressionBuilder, Transaction } from 'kysely';
import { toE164 } from '../../domain/phone/phone-number.ts';
import { chunkAdditionalData } from '../campaigns/chunk-content.ts';
import {
  type ChunkContent,
  readColumns,
  readRecipients,
  readRejectedRows,
  writeColumns,
  writeRecipients,
  writeRejectedRows,
} from '../campaigns/row-mapping.ts';
import { removeWaiting } from '../campaigns/sending/remove-waiting.ts';
import { walkColumn } from '../engine/encryption/encrypted-column.ts';
import { isOfDead } from '../engine/instances/instances.ts';
import { inTransaction } from '../engine/transaction.ts';
import { encryptedColumn, type Schema } from '../schema/schema.ts';
import { type ErasureContext, eraseFromColumn, eraseFromText } from './erasure-context.ts';

/** A campaign that lost recipients it had not sent to. */
export interface ChangedCampaign {
  workspaceId: string;
  id: string;
}

/** The states in which a campaign has sent everything that it ever will. */
const finished: ReadonlySet<string> = new Set(['done', 'cancelled', 'discarded']);

/** How long to wait before chunks in flight, and imports under way, are looked at again. */
const retryAfterMs = 1_000;

/**
 * Removes the person from `campaign`, `campaignRejectedRow`, `campaignChunkContent` and `campaignNumber`. Unfinished
 * campaigns skip them from then on. Waits for chunks in flight and lists being imported.
 */
export async function eraseFromCampaigns(context: ErasureContext): Promise<ChangedCampaign[]> {
  const { db, person, counts, timers, signal } = context;
  // Before the imports are read, so that one that begins in between is new.
  let known = await readCampaigns(context);
  let imports = await readImports(context);

  const named = await db.selectFrom('campaign').select(['sequence', 'workspaceId', 'name']).execute();
  for (const { sequence, workspaceId, name } of named) {
    if (person.hashers.has(workspaceId) && person.mentions.areIn(name)) {
      await inTransaction(db, async (transaction) => {
        const campaign = await transaction
          .selectFrom('campaign')
          .select('name')
          .where('sequence', '=', sequence)
          .forUpdate()
          .executeTakeFirst();
        await transaction
          .updateTable('campaign')
          .set({ name: person.mentions.remove(campaign?.name ?? '') })
          .where('sequence', '=', sequence)
          .execute();
      });
    }
  }

  // A text that may still be sent stays as approved.
  const rows = await db.selectFrom('campaign').select(['sequence', 'state']).execute();
  const states = new Map(rows.map(({ sequence, state }) => [sequence, state]));
  counts.texts += await eraseFromColumn(
    context,
    encryptedColumn('campaign', 'text'),
    (text, { row: { sequence } }) => {
      const erased = eraseFromText(text, person);
      if (erased === text || finished.has(states.get(Number(sequence)) ?? '')) {
        return erased;
      }
      counts.keptTexts += 1;
      return text;
    },
  );

  const changed: ChangedCampaign[] = [];
  for (;;) {
    changed.push(...(await eraseContents(context)));
    // An import that began meanwhile may have copied recipients from a campaign that still had the person.
    const found = await readCampaigns(context);
    if (signal.aborted || (imports.length === 0 && found.isSubsetOf(known))) {
      return changed;
    }
    known = found;
    const underway = new Set([...imports, ...(await readImports(context))]);
    const reading = db.selectFrom('campaign').select('sequence').where('state', '=', 'reading');
    while (!signal.aborted && (await reading.execute()).some(({ sequence }) => underway.has(sequence))) {
      await timers.sleep(retryAfterMs, signal);
    }
    imports = [];
  }
}

/** Removes the person from the titles, rejected rows and recipients of all lists. */
async function eraseContents(context: ErasureContext): Promise<ChangedCampaign[]> {
  const { db, encryption, person, counts, timers, signal } = context;

  counts.rows += await eraseFromColumn(context, encryptedColumn('campaign', 'columns'), (json) => {
    const titles = readColumns(json);
    return person.mentions.areIn(titles.join('\n'))
      ? writeColumns(titles.map((title) => eraseFromText(title, person)))
      : json;
  });

  // Keep an empty batch if all its rows are removed, because batches are numbered without gaps.
  await eraseFromColumn(context, encryptedColumn('campaignRejectedRow', 'value'), (json) => {
    if (!person.mentions.areIn(json)) {
      return json;
    }
    const rejected = readRejectedRows(json);
    const kept = rejected.filter((row) => !person.mentions.areIn(JSON.stringify(row)));
    counts.rows += rejected.length - kept.length;
    return kept.length === rejected.length ? json : writeRejectedRows(kept);
  });

  const changed: ChangedCampaign[] = [];
  let inFlight: ChunkKey[] = [];
  const erase = async (chunkKey: ChunkKey) => {
    const result = await eraseFromChunk(context, chunkKey);
    if (result.isInFlight) {
      inFlight.push(chunkKey);
    }
    changed.push(...result.changed);
  };
  const column = encryptedColumn('campaignChunkContent', 'value');
  const isWanted = ({ workspaceId }: { workspaceId: string }) => person.hashers.has(workspaceId);
  for await (const { row, text } of walkColumn(db, encryption, column, { isWanted, signal })) {
    if (person.mentions.areIn(text)) {
      await erase({ campaign: Number(row.campaign), chunk: Number(row.number) });
    }
  }
  while (inFlight.length > 0 && !signal.aborted) {
    await timers.sleep(retryAfterMs, signal);
    const waiting = inFlight;
    inFlight = [];
    for (const chunkKey of waiting) {
      await erase(chunkKey);
    }
  }

  // Delete entries that point to deleted chunks, such as chunks of expired campaigns.
  for (const [workspaceId, hash] of person.hashers) {
    if (!signal.aborted) {
      await db
        .deleteFrom('campaignNumber')
        .where(isInCampaigns(workspaceId, hash(person.number)))
        .execute();
    }
  }
  return changed;
}

/** Selects the rows of a number. By campaign, as the table has no index by hash alone, which each import would pay for. */
export function isInCampaigns(workspaceId: string, hash: string) {
  return (eb: ExpressionBuilder<Schema, 'campaignNumber'>) =>
    eb('hash', '=', hash).and(
      'campaign',
      'in',
      eb.selectFrom('campaign').select('sequence').where('workspaceId', '=', workspaceId),
    );
}

/** Returns the campaigns that a run of the program that lives is importing. */
async function readImports({ db, person }: ErasureContext): Promise<number[]> {
  const rows = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('state', '=', 'reading')
    .where(({ not }) => not(isOfDead('run')))
    .where('workspaceId', 'in', [...person.hashers.keys()])
    .execute();
  return rows.map(({ sequence }) => sequence);
}

/** Returns all campaigns of these workspaces: on PostgreSQL, one may be committed after others that began later. */
async function readCampaigns({ db, person }: ErasureContext): Promise<Set<number>> {
  const rows = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('workspaceId', 'in', [...person.hashers.keys()])
    .execute();
  return new Set(rows.map(({ sequence }) => sequence));
}

interface ChunkErasure {
  /** Whether its request is under way: it is left as it is, and to be erased once it has ended. */
  isInFlight: boolean;
  changed: ChangedCampaign[];
}

interface ChunkKey {
  campaign: number;
  /** The number of the chunk. */
  chunk: number;
}

/**
 * Removes the person from a chunk, in one transaction: from a waiting one as if suppressed, from a sent one without changing
 * its counts. A text that waits to be sent to others stays.
 */
async function eraseFromChunk(context: ErasureContext, chunkKey: ChunkKey): Promise<ChunkErasure> {
  const { db, encryption, person, clock } = context;
  const { campaign, chunk } = chunkKey;
  const { counts, ...erasure } = await inTransaction(db, async (transaction) => {
    // A separate copy, because the transaction may be retried.
    const counts = { ...context.counts };
    // The lock keeps the campaign's chunks from being claimed until the transaction ends.
    const list = await transaction
      .selectFrom('campaign')
      .select((eb) => ['state', eb.case().when(isOfDead('run')).then(1).else(0).end().as('isOfDead')])
      .where('sequence', '=', campaign)
      .forUpdate()
      .executeTakeFirst();
    // An import under way would overwrite the erasure's counts, so its campaign is erased from once it has ended.
    if (list?.state === 'reading' && list.isOfDead === 0) {
      return { isInFlight: false, changed: [], counts };
    }
    const found = await readChunk(transaction, chunkKey);
    if (found === undefined) {
      return { isInFlight: false, changed: [], counts };
    }
    if (found.state === 'claimed' && found.isOfDead === 0) {
      return { isInFlight: true, changed: [], counts };
    }
    const { workspaceId } = found;
    const isWaiting = found.state === 'waiting';
    const hasRecipient = readContent(context, chunkKey, found).to.includes(toE164(person.number));
    counts.recipients += hasRecipient ? 1 : 0;
    const hash = person.hashers.get(workspaceId);
    let changed: ChangedCampaign[] = [];
    if (isWaiting && hasRecipient && hash !== undefined) {
      counts.skipped += 1;
      const skipped = {
        recipients: [{ hash: hash(person.number), campaign, chunk }],
        countedAs: 'suppressed' as const,
      };
      const options = { encryption, hash, now: clock() };
      const ids = await removeWaiting(transaction, workspaceId, skipped, options);
      changed = ids.map((id) => ({ workspaceId, id }));
    }
    const left = isWaiting ? await readChunk(transaction, chunkKey) : found;
    if (left !== undefined) {
      await rewrite(transaction, { ...context, counts }, { ...chunkKey, isWaiting, ...left });
    }
    return { isInFlight: false, changed, counts };
  });
  Object.assign(context.counts, counts);
  return erasure;
}

type FoundChunk = NonNullable<Awaited<ReturnType<typeof readChunk>>>;

function readChunk(transaction: Transaction<Schema>, { campaign, chunk }: ChunkKey) {
  return transaction
    .selectFrom('campaignChunkContent as content')
    .innerJoin('campaignChunk as chunk', (join) =>
      join.onRef('chunk.campaign', '=', 'content.campaign').onRef('chunk.number', '=', 'content.number'),
    )
    .select((eb) => [
      'chunk.state',
      'content.workspaceId',
      'content.value',
      eb.case().when(isOfDead('chunk.run')).then(1).else(0).end().as('isOfDead'),
    ])
    .where('content.campaign', '=', campaign)
    .where('content.number', '=', chunk)
    .executeTakeFirst();
}

function readContent(
  { encryption }: ErasureContext,
  { campaign, chunk }: ChunkKey,
  { workspaceId, value }: FoundChunk,
): ChunkContent {
  return readRecipients(encryption.decrypt(value, chunkAdditionalData(workspaceId, campaign, chunk)));
}

/** Removes the person from the remaining rows: as a recipient already sent to, and from the rows and texts of others. */
async function rewrite(
  transaction: Transaction<Schema>,
  context: ErasureContext,
  chunk: ChunkKey & FoundChunk & { isWaiting: boolean },
): Promise<void> {
  const { encryption, person, counts } = context;
  const { to, text, cells } = readContent(context, chunk, chunk);
  const isLeft = (_: unknown, index: number) => to[index] !== toE164(person.number);
  const erasedText = text === undefined ? undefined : eraseFromText(text, person);
  const keepsText = chunk.isWaiting && erasedText !== text;
  counts.keptTexts += keepsText ? 1 : 0;
  const erased = {
    to: to.filter(isLeft),
    text: keepsText ? text : erasedText,
    cells: cells?.filter(isLeft).map((row) => row.map((cell) => eraseFromText(cell, person))),
  };
  const additionalData = chunkAdditionalData(chunk.workspaceId, chunk.campaign, chunk.chunk);
  if (erased.to.length === 0) {
    await transaction
      .deleteFrom('campaignChunkContent')
      .where('campaign', '=', chunk.campaign)
      .where('number', '=', chunk.chunk)
      .execute();
    return;
  }
  await transaction
    .updateTable('campaignChunkContent')
    .set({ value: encryption.encrypt(writeRecipients(erased), additionalData) })
    .where('campaign', '=', chunk.campaign)
    .where('number', '=', chunk.chunk)
    .execute();
}
