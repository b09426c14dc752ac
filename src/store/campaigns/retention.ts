import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { campaignEntry } from './audit-entries.ts';
import { moveCampaigns } from './campaign-moves.ts';
import type { CampaignRepository } from './campaign-repository.ts';

export interface Retention {
  expire: CampaignRepository['expire'];
  /**
   * Hides a campaign that is `reading` or `ready`, by its sequence; `expire` deletes it. Returns false where it is
   * neither. `id` is that of a campaign that people have seen: the audit has it.
   */
  discard(sequence: number, id?: string): Promise<boolean>;
  /** Deletes all campaigns of a workspace. */
  forget(workspaceId: string): Promise<void>;
}

/** Hides a discarded campaign until it is deleted: it is found nowhere, and its id may be used again. */
export const discardedColumns = { id: null, text: null, columns: null } as const;

/** Hashes, or texts, of operations that are deleted in one statement. */
const operationBatchSize = 500;

/** What belongs to a campaign, in slices so small that other statements need not wait long. */
const contents = [
  { table: 'campaign_number', column: 'hash', slice: 1_000 },
  { table: 'campaign_chunk_content', column: 'number', slice: 200 },
  { table: 'campaign_rejected_row', column: 'number', slice: 5 },
  { table: 'campaign_chunk', column: 'number', slice: 1_000 },
  { table: 'message_claim', column: 'hash', slice: 1_000 },
] as const;

interface RetentionOptions {
  db: Kysely<Schema>;
  clock: Clock;
  /** See `OpenDatabase`. */
  purge: () => Promise<void>;
  audit: Pick<AuditTrail, 'prepare'>;
}

export function createRetention({ db, clock, purge, audit }: RetentionOptions): Retention {
  return {
    async expire(endedBefore, readyBefore) {
      await moveExpired(db, { endedBefore, readyBefore, now: clock().getTime() });
      const deleted = await deleteDiscarded(db);
      const emptied = await emptyEnded(db, endedBefore);
      await deleteOldOperationNumbers(db, endedBefore);
      await deleteOldOperationTexts(db, endedBefore);
      await purge();
      return deleted + emptied;
    },

    async discard(sequence, id) {
      const appendAudit = await audit.prepare();
      return inTransaction(db, async (transaction) => {
        const discarded = await moveCampaigns(transaction, 'discard')
          .set(discardedColumns)
          .where('sequence', '=', sequence)
          .returningAll()
          .execute();
        await appendAudit(
          transaction,
          discarded.flatMap((row) =>
            id === undefined ? [] : [campaignEntry('campaign.discard', row, { id })],
          ),
        );
        return discarded.length > 0;
      });
    },

    async forget(workspaceId) {
      await moveCampaigns(db, 'forget')
        .set({ ...discardedColumns, in_flight: 0, created_by: '', name: '' })
        .where('workspace_id', '=', workspaceId)
        .execute();
      await deleteDiscarded(db, workspaceId);
      await purge();
    },
  };
}

/**
 * Cancels campaigns that have been paused for too long, and discards those that nobody started, unless their start waits
 * for approval.
 */
async function moveExpired(
  db: Kysely<Schema>,
  { endedBefore, readyBefore, now }: { endedBefore: Date; readyBefore: Date; now: number },
): Promise<void> {
  await moveCampaigns(db, 'cancel')
    .set({ pause: null, state_changed_at: now, ended_at: now })
    .where('in_flight', '=', 0)
    .where('state', '=', 'paused')
    .where('state_changed_at', '<', endedBefore.getTime())
    .execute();
  await moveCampaigns(db, 'discard')
    .set(discardedColumns)
    .where('in_flight', '=', 0)
    .where('state', '=', 'ready')
    .where('state_changed_at', '<', readyBefore.getTime())
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('approval')
            .select('approval.id')
            .whereRef('approval.workspace_id', '=', 'campaign.workspace_id')
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
    query = query.where('workspace_id', '=', workspaceId);
  }
  const rows = await query.execute();
  for (const { sequence } of rows) {
    await deleteContents(db, sequence);
    await db.deleteFrom('campaign_delivery').where('campaign', '=', sequence).execute();
    await db.deleteFrom('campaign_report').where('campaign', '=', sequence).execute();
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
    .where('ended_at', '<', endedBefore.getTime())
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

async function deleteContents(db: Kysely<Schema>, campaign: number): Promise<void> {
  for (const { table, column, slice } of contents) {
    let deleted: bigint;
    do {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where campaign = ${campaign} and ${sql.ref(column)} in
          (select ${sql.ref(column)} from ${sql.table(table)} where campaign = ${campaign}
           order by ${sql.ref(column)} limit ${slice})`.execute(db);
      deleted = numAffectedRows;
    } while (deleted >= slice);
  }
}

/** Operations that began before then are no longer found by number. */
async function deleteOldOperationNumbers(db: Kysely<Schema>, before: Date): Promise<void> {
  let deleted: bigint;
  do {
    const { numDeletedRows } = await db
      .deleteFrom('operation_number')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('hash', 'operation_id'),
          'in',
          selectFrom('operation_number as old')
            .select(['old.hash', 'old.operation_id'])
            .where('old.created_at', '<', before.getTime())
            .limit(operationBatchSize)
            .$asTuple('hash', 'operation_id'),
        ),
      )
      .executeTakeFirst();
    deleted = numDeletedRows;
  } while (deleted >= operationBatchSize);
}

/** The texts of operations that began before then. */
async function deleteOldOperationTexts(db: Kysely<Schema>, before: Date): Promise<void> {
  let deleted: bigint;
  do {
    const { numDeletedRows } = await db
      .deleteFrom('operation_text')
      .where('operation_id', 'in', (eb) =>
        eb
          .selectFrom('operation_text as old')
          .select('old.operation_id')
          .where('old.created_at', '<', before.getTime())
          .limit(operationBatchSize),
      )
      .executeTakeFirst();
    deleted = numDeletedRows;
  } while (deleted >= operationBatchSize);
}
