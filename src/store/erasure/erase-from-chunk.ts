import type { Transaction } from 'kysely';
import { chunkAdditionalData } from '../campaigns/chunk-content.ts';
import { type ChunkContent, readRecipients, writeRecipients } from '../campaigns/row-mapping.ts';
import { removeWaiting } from '../campaigns/sending/remove-waiting.ts';
import { isOfDead } from '../instances/instances.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import type { ChangedCampaign } from './erase-from-campaigns.ts';
import { addCounts, eraseFromText, noCounts } from './erased-person.ts';
import type { ErasureContext } from './erasure-context.ts';

interface ChunkErasure {
  /** Whether its request is under way: it is left as it is, and to be erased once it has ended. */
  isInFlight: boolean;
  changed: ChangedCampaign[];
}

interface Place {
  campaign: number;
  /** The number of the chunk. */
  chunk: number;
}

/**
 * Removes the person from a chunk, in one transaction: from one that waits they are removed as if suppressed, from one
 * that was sent without a change of its counts. A text that waits to be sent to others stays.
 */
export async function eraseFromChunk(context: ErasureContext, place: Place): Promise<ChunkErasure> {
  const { counts, ...erasure } = await inTransaction(context.db, (transaction) =>
    eraseWithin(transaction, { ...context, counts: noCounts() }, place),
  );
  addCounts(context.counts, counts);
  return erasure;
}

async function eraseWithin(
  transaction: Transaction<Schema>,
  context: ErasureContext,
  place: Place,
): Promise<ChunkErasure & Pick<ErasureContext, 'counts'>> {
  const { person, counts } = context;
  await lockCampaignOf(transaction, place);
  const found = await readChunk(transaction, place);
  if (found === undefined) {
    return { isInFlight: false, changed: [], counts };
  }
  if (found.state === 'claimed' && found.isOfDead === 0) {
    return { isInFlight: true, changed: [], counts };
  }
  const isWaiting = found.state === 'waiting';
  const hasRecipient = readContent(context, place, found).to.includes(person.number);
  counts.recipients += hasRecipient ? 1 : 0;
  const changed = isWaiting && hasRecipient ? await skip(transaction, context, place, found.workspaceId) : [];
  const left = isWaiting ? await readChunk(transaction, place) : found;
  if (left !== undefined) {
    await rewrite(transaction, context, { ...place, isWaiting, ...left });
  }
  return { isInFlight: false, changed, counts };
}

type FoundChunk = NonNullable<Awaited<ReturnType<typeof readChunk>>>;

/** Nothing of the campaign is claimed until the transaction ends. */
async function lockCampaignOf(transaction: Transaction<Schema>, { campaign }: Place): Promise<void> {
  await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where('sequence', '=', campaign)
    .forUpdate()
    .execute();
}

function readChunk(transaction: Transaction<Schema>, { campaign, chunk }: Place) {
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
  { campaign, chunk }: Place,
  { workspaceId, value }: FoundChunk,
): ChunkContent {
  return readRecipients(encryption.decrypt(value, chunkAdditionalData(workspaceId, campaign, chunk)));
}

async function skip(
  transaction: Transaction<Schema>,
  { encryption, person, clock, counts }: ErasureContext,
  { campaign, chunk }: Place,
  workspaceId: string,
): Promise<ChangedCampaign[]> {
  const hash = person.hashers.get(workspaceId);
  if (hash === undefined) {
    return [];
  }
  counts.skipped += 1;
  const skipped = {
    recipients: [{ hash: hash(person.number), campaign, chunk }],
    countedAs: 'suppressed' as const,
  };
  const options = { encryption, hash, now: clock() };
  const ids = await removeWaiting(transaction, workspaceId, skipped, options);
  return ids.map((id) => ({ workspaceId, id }));
}

/** Removes the person from what is left: as a recipient that was sent to, and from the rows and texts of others. */
async function rewrite(
  transaction: Transaction<Schema>,
  context: ErasureContext,
  chunk: Place & FoundChunk & { isWaiting: boolean },
): Promise<void> {
  const { encryption, person, counts } = context;
  const { to, text, cells } = readContent(context, chunk, chunk);
  const isLeft = (_: unknown, index: number) => to[index] !== person.number;
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
