import { type Kysely, sql } from 'kysely';
import type { StoreContext } from '../context.ts';
import { isOfDead } from '../engine/instances/instances.ts';
import { inTransaction } from '../engine/transaction.ts';
import { updateMessages } from '../operations/code-trail.ts';
import { stoppedMidway } from '../operations/operation.ts';
import { addNotices, deliveryStateAfterRestore } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import {
  addToCounters,
  awaitTelling,
  campaignEntry,
  type campaignMoves,
  discardedColumns,
  dropNotices,
  moveCampaigns,
  noOccurrence,
} from './campaign-moves.ts';
import type { NewCampaign } from './campaigns.ts';
import { releaseRuns } from './occurrences.ts';

// What the program does about campaigns without a person: after a crash, after the retention time, when they have ended.

/**
 * After a crash: chunks claimed by a dead run become `unconfirmed`, and its imports are discarded, with a notice to their
 * authors. Never touches a live run, so several instances may call it. Returns the number of recipients.
 */
export const recoverCampaigns = ({ db, restoredAt }: StoreContext, now: Date): Promise<number> =>
  inTransaction(db, async (transaction) => {
    const campaigns = await transaction
      .selectFrom('campaign')
      .select('sequence')
      .where('inFlight', '>', 0)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('campaignChunk as claimed')
            .select('claimed.number')
            .whereRef('claimed.campaign', '=', 'campaign.sequence')
            .where('claimed.state', '=', 'claimed')
            .where(isOfDead('claimed.run')),
        ),
      )
      .orderBy('sequence')
      .forUpdate()
      .execute();
    let unconfirmed = 0;
    for (const { sequence } of campaigns) {
      const chunks = await transaction
        .updateTable('campaignChunk')
        .set({ state: 'unconfirmed', run: null, error: stoppedMidway })
        .where('campaign', '=', sequence)
        // Uses the index by state, which SQLite wouldn't use to update that state.
        .where('number', 'in', (eb) =>
          eb
            .selectFrom('campaignChunk as claimed')
            .select('claimed.number')
            .where('claimed.campaign', '=', sequence)
            .where('claimed.state', '=', 'claimed')
            .where(isOfDead('claimed.run')),
        )
        .where('state', '=', 'claimed')
        .returning('recipients')
        .execute();
      const recipients = chunks.reduce((sum, chunk) => sum + chunk.recipients, 0);
      await addToCounters(transaction, sequence, { unconfirmed: recipients, inFlight: -recipients }, now);
      unconfirmed += recipients;
    }

    const imports = await transaction
      .selectFrom('campaign')
      .select([
        'sequence',
        'workspaceId',
        'id',
        'createdBy',
        'name',
        'isMessage',
        'createdAt',
        'occurrenceOf',
      ])
      .where('state', '=', 'reading')
      .where(isOfDead('run'))
      .execute();
    for (const { sequence, workspaceId, id, createdBy, createdAt, occurrenceOf, ...row } of imports) {
      const { numUpdatedRows } = await moveCampaigns(transaction, 'discard')
        .set({ ...discardedColumns, ...noOccurrence })
        .where('sequence', '=', sequence)
        .where('state', '=', 'reading')
        .executeTakeFirst();
      // Another instance was first. Runs are prepared again automatically.
      if (numUpdatedRows === 0n || occurrenceOf !== undefined) {
        continue;
      }
      const notice = {
        workspaceId,
        subject: 'import' as const,
        subjectId: id ?? String(sequence),
        userId: createdBy,
        title: titleOf(row),
        ...deliveryStateAfterRestore(createdAt, restoredAt),
      };
      await addNotices(transaction, [notice], now);
    }
    return unconfirmed;
  });

/**
 * Applies the retention time, in small transactions. Campaigns that ended before `endedBefore` lose their recipients,
 * text and rejected rows, and are no longer found by number; their counts stay. Campaigns that have been paused since
 * before then are cancelled. Operations that began before then lose their text, also in Slack, and are no longer found by number.
 * Discarded campaigns, and those that have been `ready` since before `readyBefore`, are deleted. Returns how many
 * campaigns were emptied or deleted.
 */
export async function expireCampaigns(
  { db, clock, purge }: StoreContext,
  endedBefore: Date,
  readyBefore: Date,
): Promise<number> {
  const now = clock();
  await moveCampaigns(db, 'cancel')
    .set({ pause: null, stateChangedAt: now, endedAt: now })
    .where('inFlight', '=', 0)
    .where('state', '=', 'paused')
    .where('stateChangedAt', '<', endedBefore)
    .execute();
  await moveCampaigns(db, 'discard')
    .set(discardedColumns)
    .where('inFlight', '=', 0)
    .where('state', '=', 'ready')
    .where('stateChangedAt', '<', readyBefore)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('approval')
            .select('approval.id')
            .whereRef('approval.workspaceId', '=', 'campaign.workspaceId')
            .whereRef('approval.subject', '=', 'campaign.id')
            .where('approval.kind', '=', 'campaign')
            .where('approval.state', '=', 'waiting'),
        ),
      ),
    )
    .execute();
  const deleted = await deleteDiscarded(db);

  const ended = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('endedAt', '<', endedBefore)
    .where('text', 'is not', null)
    .execute();
  for (const { sequence } of ended) {
    await deleteContents(db, sequence);
    // Delete this last, so that an interrupted deletion is found and continued.
    await db
      .updateTable('campaign')
      .set({ text: null, columns: null })
      .where('sequence', '=', sequence)
      .execute();
  }

  await repeatFull(operationBatchSize, async () => {
    const { numAffectedRows = 0n } = await sql`
      delete from operation_number where (hash, operation_id) in
        (select hash, operation_id from operation_number where created_at < ${endedBefore} limit ${operationBatchSize})`.execute(
      db,
    );
    return numAffectedRows;
  });
  await repeatFull(operationBatchSize, () =>
    inTransaction(db, async (transaction) => {
      const old = await transaction
        .selectFrom('operationText')
        .select('operationId')
        .where('createdAt', '<', endedBefore)
        .limit(operationBatchSize)
        .execute();
      const ids = old.map(({ operationId }) => operationId);
      await transaction.deleteFrom('operationText').where('operationId', 'in', ids).execute();
      // Their messages in Slack show the text and the numbers until they are rendered again.
      const emptied = await transaction.selectFrom('operation').selectAll().where('id', 'in', ids).execute();
      await updateMessages(transaction, emptied, now);
      return ids.length;
    }),
  );
  await purge();
  return deleted + ended.length;
}

/**
 * Puts an entry into the audit for each campaign that has ended since the last call, with its counts. That there is one
 * is on the disk with the entry: after a crash none is missing, and none is there twice.
 */
export async function recordEndedCampaigns({ db, clock, audit }: StoreContext): Promise<void> {
  const isAny = await selectUnrecorded(db).limit(1).executeTakeFirst();
  if (isAny === undefined) {
    return;
  }
  const appendAudit = await audit.prepare();
  const now = clock();
  await repeatFull(entryBatchSize, () =>
    inTransaction(db, async (transaction) => {
      // Skip rows that another instance is recording.
      const rows = await selectUnrecorded(transaction)
        .limit(entryBatchSize)
        .forUpdate()
        .skipLocked()
        .execute();
      const sequences = rows.map(({ sequence }) => sequence);
      const ended = await transaction
        .updateTable('campaign')
        .set({ auditedAt: now })
        .where('sequence', 'in', sequences)
        .returningAll()
        .execute();
      const entries = ended.map((row) => {
        const { state, accepted, rejected, unconfirmed } = row;
        return campaignEntry('campaign.end', row, { details: { state, accepted, rejected, unconfirmed } });
      });
      await appendAudit(transaction, entries);
      return ended.length;
    }),
  );
}

/**
 * Hides a campaign in one of these states. `expireCampaigns` deletes it later. Resolves with false if it is
 * in another state.
 *
 * Pass `id` for a campaign that people have seen, so that it is audited and its run isn't created again.
 * Leave it out for an abandoned import, which may turn out to have been committed. `awaited`: the notice that
 * its creator was waiting for.
 */
export async function discardDraft(
  { db, audit, clock }: StoreContext,
  sequence: number,
  {
    id,
    from = ['reading'],
    awaited,
  }: { id?: string; from?: readonly DiscardableState[]; awaited?: NewCampaign | undefined } = {},
): Promise<boolean> {
  const appendAudit = await audit.prepare();
  return inTransaction(db, async (transaction) => {
    const discarded = await moveCampaigns(transaction, 'discard')
      .set({ ...discardedColumns, ...(id === undefined && noOccurrence) })
      .where('sequence', '=', sequence)
      .where('state', 'in', from)
      .returningAll()
      .executeTakeFirst();
    if (discarded !== undefined) {
      await releaseRuns(transaction, sequence);
    }
    if (discarded !== undefined && awaited !== undefined) {
      await awaitTelling(transaction, { ...awaited, title: titleOf(awaited) }, clock());
    }
    if (discarded !== undefined && id !== undefined) {
      await dropNotices(transaction, { workspaceId: discarded.workspaceId, id });
      await appendAudit(transaction, [campaignEntry('campaign.discard', discarded, { id })]);
    }
    return discarded !== undefined;
  });
}

/** What a person knows an interrupted import by: a message has no name of its own. */
const titleOf = ({ name, isMessage }: Pick<NewCampaign, 'name' | 'isMessage'>) => (isMessage ? '' : name);

type DiscardableState = (typeof campaignMoves.discard.from)[number];

/** Deletes all campaigns of a workspace. */
export async function forgetCampaigns({ db, purge }: StoreContext, workspaceId: string): Promise<void> {
  await moveCampaigns(db, 'forget')
    .set({ ...discardedColumns, ...noOccurrence, inFlight: 0, createdBy: '', name: '' })
    .where('workspaceId', '=', workspaceId)
    .execute();
  await deleteDiscarded(db, workspaceId);
  await purge();
}

/** Entries of the audit that are appended in one transaction. */
const entryBatchSize = 50;

const selectUnrecorded = (db: Kysely<Schema>) =>
  db
    .selectFrom('campaign')
    .select('sequence')
    .where('endedAt', 'is not', null)
    .where('auditedAt', 'is', null)
    .where('state', 'in', ['done', 'cancelled'])
    .orderBy('endedAt');

/** Deletes discarded campaigns. Returns how many there were. */
async function deleteDiscarded(db: Kysely<Schema>, workspaceId?: string): Promise<number> {
  let query = db
    .selectFrom('campaign')
    .select(['sequence', 'occurrenceOf'])
    .where('state', '=', 'discarded')
    // The record of a run stays as long as its repeating campaign.
    .where((eb) => eb.or([eb('occurrenceOf', 'is', null), eb('name', '<>', '')]));
  if (workspaceId !== undefined) {
    query = query.where('workspaceId', '=', workspaceId);
  }
  const rows = await query.execute();
  for (const { sequence, occurrenceOf } of rows) {
    await deleteContents(db, sequence);
    await db.deleteFrom('campaignDelivery').where('campaign', '=', sequence).execute();
    await db.deleteFrom('campaignReport').where('campaign', '=', sequence).execute();
    await releaseRuns(db, sequence);
    // Last, so that a deletion that was cut off is found and continued.
    await (occurrenceOf === undefined
      ? db.deleteFrom('campaign').where('sequence', '=', sequence).execute()
      : db
          .updateTable('campaign')
          .set({ createdBy: '', name: '' })
          .where('sequence', '=', sequence)
          .execute());
  }
  return rows.length;
}

/** What belongs to a campaign, in slices so small that other statements need not wait long. */
const contents = [
  { table: 'campaignNumber', column: 'hash', slice: 1_000 },
  { table: 'campaignChunkContent', column: 'number', slice: 200 },
  { table: 'campaignRejectedRow', column: 'number', slice: 5 },
  { table: 'campaignChunk', column: 'number', slice: 1_000 },
  { table: 'messageClaim', column: 'hash', slice: 1_000 },
] as const;

async function deleteContents(db: Kysely<Schema>, campaign: number): Promise<void> {
  for (const { table, column, slice } of contents) {
    await repeatFull(slice, async () => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where campaign = ${campaign} and ${sql.ref(column)} in
          (select ${sql.ref(column)} from ${sql.table(table)} where campaign = ${campaign}
           order by ${sql.ref(column)} limit ${slice})`.execute(db);
      return numAffectedRows;
    });
  }
}

/** Rows of operations that are deleted in one statement. */
const operationBatchSize = 500;

/** Calls `batch`, which returns how many rows it took, until it takes fewer than `size`. */
async function repeatFull(size: number, batch: () => Promise<number | bigint>): Promise<void> {
  let taken: number | bigint;
  do {
    taken = await batch();
  } while (taken >= size);
}
