import { type Kysely, sql, type Transaction } from 'kysely';
import type { NewAuditEntry } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { isOfDead } from '../engine/instances/instances.ts';
import { inTransaction } from '../engine/transaction.ts';
import { stoppedMidway } from '../operations/operation.ts';
import { addNotices, doubtful } from '../outbox/notices.ts';
import type { Row, Schema } from '../schema/schema.ts';
import { addToCounters, campaignEntry, discardedColumns, moveCampaigns } from './campaign-moves.ts';

// What the program does about campaigns without a person: after a crash, after the retention time, when they have ended.

/**
 * After a crash: chunks that a dead run had claimed become `unconfirmed`, and imports that it had begun are discarded,
 * with a notice to their authors. Never touches those of a run that lives. Returns how many recipients became
 * unconfirmed. Several instances may call it at once.
 */
export const recoverCampaigns = (context: StoreContext, now: Date): Promise<number> =>
  inTransaction(context.db, async (transaction) => {
    const unconfirmed = await endInterruptedChunks(transaction, now);
    await discardInterruptedImports(transaction, context, now);
    return unconfirmed;
  });

/**
 * Applies the retention time, in small transactions. Campaigns that ended before `endedBefore` lose their recipients,
 * text and rejected rows, and are no longer found by number; their counts stay. Campaigns that have been paused since
 * before then are cancelled. Operations that began before then lose their text and are no longer found by number.
 * Discarded campaigns, and those that have been `ready` since before `readyBefore`, are deleted. Returns how many
 * campaigns were emptied or deleted.
 */
export async function expireCampaigns(
  { db, clock, purge }: StoreContext,
  endedBefore: Date,
  readyBefore: Date,
): Promise<number> {
  await moveExpired(db, { endedBefore, readyBefore, now: clock() });
  const deleted = await deleteDiscarded(db);
  const emptied = await emptyEnded(db, endedBefore);
  await emptyOldOperations(db, endedBefore);
  await purge();
  return deleted + emptied;
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
      const ended = await markRecorded(transaction, now);
      await appendAudit(transaction, ended.map(endEntry));
      return ended.length;
    }),
  );
}

/**
 * Hides a campaign that is `reading` or `ready`, by its sequence; `expireCampaigns` deletes it. Resolves with false where
 * it is neither. `id` is that of a campaign that people have seen: the audit has it.
 */
export async function discardDraft(
  { db, audit }: StoreContext,
  sequence: number,
  id?: string,
): Promise<boolean> {
  const appendAudit = await audit.prepare();
  return inTransaction(db, async (transaction) => {
    const discarded = await moveCampaigns(transaction, 'discard')
      .set(discardedColumns)
      .where('sequence', '=', sequence)
      .returningAll()
      .executeTakeFirst();
    if (discarded !== undefined && id !== undefined) {
      await appendAudit(transaction, [campaignEntry('campaign.discard', discarded, { id })]);
    }
    return discarded !== undefined;
  });
}

/** Deletes all campaigns of a workspace. */
export async function forgetCampaigns({ db, purge }: StoreContext, workspaceId: string): Promise<void> {
  await moveCampaigns(db, 'forget')
    .set({ ...discardedColumns, inFlight: 0, createdBy: '', name: '' })
    .where('workspaceId', '=', workspaceId)
    .execute();
  await deleteDiscarded(db, workspaceId);
  await purge();
}

/** Ends chunks that a dead run had claimed as `unconfirmed`. Returns how many recipients those have. */
async function endInterruptedChunks(transaction: Transaction<Schema>, now: Date): Promise<number> {
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
      // Through the index by state, which SQLite does not use to change that state.
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
  return unconfirmed;
}

async function discardInterruptedImports(
  transaction: Transaction<Schema>,
  { restoredAt }: StoreContext,
  now: Date,
): Promise<void> {
  const imports = await transaction
    .selectFrom('campaign')
    .select(['sequence', 'workspaceId', 'id', 'createdBy', 'name', 'createdAt'])
    .where('state', '=', 'reading')
    .where(isOfDead('run'))
    .execute();
  for (const { sequence, workspaceId, id, createdBy, name, createdAt } of imports) {
    const { numUpdatedRows } = await moveCampaigns(transaction, 'discard')
      .set(discardedColumns)
      .where('sequence', '=', sequence)
      .where('state', '=', 'reading')
      .executeTakeFirst();
    // Another instance was first.
    if (numUpdatedRows === 0n) {
      continue;
    }
    const notice = {
      workspaceId,
      subject: 'import' as const,
      subjectId: id ?? String(sequence),
      userId: createdBy,
      title: name,
      ...doubtful(createdAt, restoredAt),
    };
    await addNotices(transaction, [notice], now);
  }
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

/** Returns the rows of a batch of ended campaigns, which count as recorded from now on. */
async function markRecorded(transaction: Transaction<Schema>, now: Date): Promise<Row<'campaign'>[]> {
  // What another instance has in hand, it records.
  const rows = await selectUnrecorded(transaction).limit(entryBatchSize).forUpdate().skipLocked().execute();
  const sequences = rows.map(({ sequence }) => sequence);
  return transaction
    .updateTable('campaign')
    .set({ auditedAt: now })
    .where('sequence', 'in', sequences)
    .returningAll()
    .execute();
}

function endEntry(row: Row<'campaign'>): NewAuditEntry {
  const { state, accepted, rejected, unconfirmed } = row;
  return campaignEntry('campaign.end', row, { details: { state, accepted, rejected, unconfirmed } });
}

/**
 * Cancels campaigns that have been paused for too long, and discards those that nobody started, unless their start waits
 * for approval.
 */
async function moveExpired(
  db: Kysely<Schema>,
  { endedBefore, readyBefore, now }: { endedBefore: Date; readyBefore: Date; now: Date },
): Promise<void> {
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
}

/** Deletes discarded campaigns. Returns how many there were. */
async function deleteDiscarded(db: Kysely<Schema>, workspaceId?: string): Promise<number> {
  let query = db.selectFrom('campaign').select('sequence').where('state', '=', 'discarded');
  if (workspaceId !== undefined) {
    query = query.where('workspaceId', '=', workspaceId);
  }
  const rows = await query.execute();
  for (const { sequence } of rows) {
    await deleteContents(db, sequence);
    await db.deleteFrom('campaignDelivery').where('campaign', '=', sequence).execute();
    await db.deleteFrom('campaignReport').where('campaign', '=', sequence).execute();
    // Last, so that a deletion that was cut off is found and continued.
    await db.deleteFrom('campaign').where('sequence', '=', sequence).execute();
  }
  return rows.length;
}

/** Deletes the recipients and texts of campaigns that ended before a time. Returns how many there were. */
async function emptyEnded(db: Kysely<Schema>, endedBefore: Date): Promise<number> {
  const rows = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('endedAt', '<', endedBefore)
    .where('text', 'is not', null)
    .execute();
  for (const { sequence } of rows) {
    await deleteContents(db, sequence);
    // Last, so that a deletion that was cut off is found and continued.
    await db
      .updateTable('campaign')
      .set({ text: null, columns: null })
      .where('sequence', '=', sequence)
      .execute();
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

/** What is deleted of old operations, with the keys of the tables. */
const ofOperations = [
  { table: 'operationNumber', key: ['hash', 'operationId'] },
  { table: 'operationText', key: ['operationId'] },
] as const;

/** Operations that began before then lose their text, and are no longer found by number. */
async function emptyOldOperations(db: Kysely<Schema>, before: Date): Promise<void> {
  for (const { table, key } of ofOperations) {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    await repeatFull(operationBatchSize, async () => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where (${columns}) in
          (select ${columns} from ${sql.table(table)} where created_at < ${before} limit ${operationBatchSize})`.execute(
        db,
      );
      return numAffectedRows;
    });
  }
}

/** Calls `batch`, which returns how many rows it took, until it takes fewer than `size`. */
async function repeatFull(size: number, batch: () => Promise<number | bigint>): Promise<void> {
  let taken: number | bigint;
  do {
    taken = await batch();
  } while (taken >= size);
}
