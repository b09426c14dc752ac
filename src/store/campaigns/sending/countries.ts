import type { Transaction } from 'kysely';
import { quickCountryOf } from '../../../domain/limits/number-country.ts';
import { batchesOf } from '../../../lib/batches.ts';
import type { StoreContext } from '../../context.ts';
import type { Encryption } from '../../engine/encryption/cipher.ts';
import type { HashNumber } from '../../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../../engine/transaction.ts';
import type { Row, Schema } from '../../schema/schema.ts';
import { addToCounters, campaignEntry } from '../campaign-moves.ts';
import { type Campaign, type ClaimedChunk, type KnownChunk, sizeOfChunk } from '../campaigns.ts';
import { chunkAdditionalData } from '../chunk-content.ts';
import { readChunkContent } from '../recipient-queries.ts';
import { toCampaignWithText, writeRecipients } from '../row-mapping.ts';
import type { CampaignToSend, Lease } from './leases.ts';

/** Recipients to process in one transaction. */
const batchSize = { count: 5_000, bytes: 500_000 };

/**
 * Splits a chunk claimed under this lease into one chunk per country, all claimed as well. Resolves with
 * them, smallest first, or with none if the campaign no longer runs or the lease is lost.
 */
export async function splitByCountry(
  { db, encryption, phoneHashes }: StoreContext,
  campaign: CampaignToSend,
  { lease: { run, epoch }, number }: { lease: Lease; number: number },
): Promise<ClaimedChunk[]> {
  const hash = await phoneHashes.hasher(campaign.workspaceId);
  const parts = await inTransaction(db, async (transaction) => {
    const found = await findLocked(transaction, campaign);
    if (found?.state !== 'running' || found.worker !== run || found.leaseEpoch !== epoch) {
      return [];
    }
    const chunk = await transaction
      .selectFrom('campaignChunk')
      .selectAll()
      .where('campaign', '=', found.sequence)
      .where('number', '=', number)
      .where('state', '=', 'claimed')
      .where('run', '=', run)
      .executeTakeFirst();
    return chunk === undefined
      ? []
      : splitChunk(transaction, { ...campaign, chunk, by: quickCountryOf }, { encryption, hash });
  });
  return parts
    .map(({ to, ...part }) => ({ ...part, digits: to.map((each) => each.slice(1)) }))
    .sort((one, other) => one.digits.length - other.digits.length);
}

/**
 * Rejects waiting recipients in the countries that the campaign is paused for, with the reason of the pause.
 * Recipients still in flight are counted in the pause, because they may return to be skipped as well.
 * Resolves with the updated campaign, or undefined if it isn't paused for countries.
 */
export async function leaveOutCountries(
  { db, encryption, phoneHashes, clock, audit }: StoreContext,
  campaign: CampaignToSend,
  { chunks, userId: lastActionBy }: { chunks: AsyncIterable<KnownChunk>; userId: string },
): Promise<Campaign | undefined> {
  const { workspaceId, id } = campaign;
  const hash = await phoneHashes.hasher(workspaceId);
  const appendAudit = await audit.prepare();
  const now = clock();
  const paused = await inTransaction(db, (transaction) => findLocked(transaction, campaign));
  const pause = paused?.pause;
  const { countries, error } = pause ?? {};
  if (paused === undefined || pause === undefined || countries === undefined) {
    return undefined;
  }
  /** Whether the campaign is still in the same pause. */
  const isSame = (found: Row<'campaign'> | undefined) =>
    found?.sequence === paused.sequence &&
    found.state === 'paused' &&
    found.stateChangedAt.getTime() === paused.stateChangedAt.getTime();
  const isRefused = (number: string) => Object.hasOwn(countries, quickCountryOf(number));
  let leftOut = 0;
  const inFlight: Record<string, number> = Object.fromEntries(
    Object.keys(countries).map((country) => [country, 0]),
  );
  for await (const batch of batchesOf(chunks, batchSize, sizeOfChunk)) {
    const numbers = batch.filter(({ to }) => to.some(isRefused)).map(({ number }) => number);
    leftOut += await inTransaction(db, async (transaction) => {
      if (numbers.length === 0 || !isSame(await findLocked(transaction, campaign))) {
        return 0;
      }
      const found = await transaction
        .selectFrom('campaignChunk')
        .selectAll()
        .where('campaign', '=', paused.sequence)
        .where('number', 'in', numbers)
        .where('state', 'in', ['waiting', 'claimed'])
        .execute();
      const claimed = found.filter(({ state }) => state === 'claimed').map(({ number }) => number);
      const ofClaimed = batch.filter(({ number }) => claimed.includes(number)).flatMap(({ to }) => to);
      for (const country of ofClaimed.filter(isRefused).map(quickCountryOf)) {
        inFlight[country] = (inFlight[country] ?? 0) + 1;
      }
      const refused: number[] = [];
      let rejected = 0;
      for (const chunk of found.filter(({ state }) => state === 'waiting')) {
        const split = { workspaceId, chunk, by: isRefused };
        for (const part of await splitChunk(transaction, split, { encryption, hash })) {
          if (part.to.some(isRefused)) {
            refused.push(part.number);
            rejected += part.to.length;
          }
        }
      }
      if (refused.length > 0) {
        await transaction
          .updateTable('campaignChunk')
          .set({ state: 'rejected', error })
          .where('campaign', '=', paused.sequence)
          .where('number', 'in', refused)
          .execute();
        await addToCounters(transaction, paused.sequence, { rejected }, now);
      }
      return rejected;
    });
  }
  const sum = leftOut + (pause.leftOut ?? 0);
  const after = Object.values(inFlight).some((count) => count > 0)
    ? { ...pause, countries: inFlight, leftOut: sum }
    : { ...pause, areLeftOut: true, ...(pause.leftOut !== undefined && { leftOut: sum }) };
  return inTransaction(db, async (transaction) => {
    const found = await findLocked(transaction, campaign);
    if (found === undefined) {
      return undefined;
    }
    const row = await transaction
      .updateTable('campaign')
      .set({ lastActionBy })
      .$if(isSame(found), (update) => update.set({ pause: after }))
      .where('sequence', '=', found.sequence)
      .returningAll()
      .executeTakeFirstOrThrow();
    const details = { countries: Object.keys(countries).join(', '), leftOut };
    await appendAudit(transaction, [campaignEntry('campaign.leave_out', row, { id, details })]);
    return toCampaignWithText(row, encryption);
  });
}

/** Reads the campaign and locks its row. */
const findLocked = (transaction: Transaction<Schema>, { workspaceId, id }: CampaignToSend) =>
  transaction
    .selectFrom('campaign')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Recipients of a chunk that move to a chunk of their own. */
interface ChunkPart {
  number: number;
  to: string[];
  text: string | undefined;
  pages: number;
}

/**
 * Splits a chunk by what `by` returns for each recipient. The parts keep its state, and the first keeps its
 * number. The campaign has to be locked.
 */
async function splitChunk(
  transaction: Transaction<Schema>,
  {
    workspaceId,
    chunk,
    by,
  }: { workspaceId: string; chunk: Row<'campaignChunk'>; by(number: string): unknown },
  { encryption, hash }: { encryption: Encryption; hash: HashNumber },
): Promise<ChunkPart[]> {
  const { campaign } = chunk;
  const key = { workspaceId, campaign };
  const content = await readChunkContent(transaction, encryption, key, chunk.number);
  const { to = [], text, cells } = content ?? {};
  const groups = [...Map.groupBy(to.keys(), (index) => by(to[index] ?? '')).values()];
  if (groups.length < 2) {
    return [{ number: chunk.number, to, text, pages: chunk.pages }];
  }
  const { last } = await transaction
    .selectFrom('campaignChunk')
    .select((eb) => eb.fn.max<number>('number').as('last'))
    .where('campaign', '=', campaign)
    .executeTakeFirstOrThrow();
  const parts: ChunkPart[] = [];
  for (const [index, group] of groups.entries()) {
    const number = index === 0 ? chunk.number : last + index;
    const numbers = group.map((each) => to[each] ?? '');
    // All recipients have the same text, and so the same number of pages.
    const counts = { recipients: numbers.length, pages: (chunk.pages / to.length) * numbers.length };
    const recipients = { to: numbers, text, cells: cells && group.map((each) => cells[each] ?? []) };
    const value = encryption.encrypt(
      writeRecipients(recipients),
      chunkAdditionalData(workspaceId, campaign, number),
    );
    await transaction
      .insertInto('campaignChunk')
      .values({ ...chunk, number, ...counts })
      .onConflict((conflict) => conflict.columns(['campaign', 'number']).doUpdateSet(counts))
      .execute();
    await transaction
      .insertInto('campaignChunkContent')
      .values({ ...key, number, value })
      .onConflict((conflict) => conflict.columns(['campaign', 'number']).doUpdateSet({ value }))
      .execute();
    await transaction
      .updateTable('campaignNumber')
      .set({ chunk: number })
      .where('campaign', '=', campaign)
      .where('hash', 'in', numbers.map(hash))
      .execute();
    parts.push({ number, to: numbers, text, pages: counts.pages });
  }
  await transaction
    .updateTable('campaign')
    .set((eb) => ({ chunks: eb('chunks', '+', groups.length - 1) }))
    .where('sequence', '=', campaign)
    .execute();
  return parts;
}
