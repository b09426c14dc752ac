import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { CampaignRepository, CampaignState } from './campaigns.ts';

export interface Retention {
  expire: CampaignRepository['expire'];
  /** Hides a campaign in one of the states at once; `expire` deletes it. False: it is in none of them. */
  discard(campaign: number, from: readonly CampaignState[]): Promise<boolean>;
  /** Deletes all campaigns of a workspace. */
  forget(workspaceId: string): Promise<void>;
}

/** A campaign as it is until its recipients are deleted, too: nobody finds it, and its id may be used again. */
export const discarded = { state: 'discarded', id: null, text: null } as const;

/** Hashes of operations' numbers that are deleted at a time. */
const sliceSize = 500;

export function createRetention({
  db,
  clock,
  purge,
}: {
  db: Kysely<Schema>;
  clock: () => Date;
  purge: () => Promise<void>;
}): Retention {
  /** Deletes what belongs to a campaign, in slices between which others have a turn. */
  async function empty(campaign: number): Promise<void> {
    for (const { table, column, slice } of contents) {
      for (;;) {
        const { numAffectedRows = 0n } = await sql`
          delete from ${sql.table(table)} where campaign = ${campaign} and ${sql.ref(column)} in
            (select ${sql.ref(column)} from ${sql.table(table)} where campaign = ${campaign}
             order by ${sql.ref(column)} limit ${slice})`.execute(db);
        if (numAffectedRows < slice) {
          break;
        }
      }
    }
  }

  async function sweep(workspaceId?: string): Promise<number> {
    let query = db.selectFrom('campaign').select('sequence').where('state', '=', 'discarded');
    if (workspaceId !== undefined) {
      query = query.where('workspace_id', '=', workspaceId);
    }
    const rows = await query.execute();
    for (const { sequence } of rows) {
      await empty(sequence);
      // Last: until then, what was cut off is found and gone on with.
      await db.deleteFrom('campaign').where('sequence', '=', sequence).execute();
    }
    return rows.length;
  }

  async function forgetNumbersOfOperations(before: number): Promise<void> {
    for (;;) {
      const { numDeletedRows } = await db
        .deleteFrom('operation_number')
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('hash', 'operation_id'),
            'in',
            selectFrom('operation_number as old')
              .select(['old.hash', 'old.operation_id'])
              .where('old.created_at', '<', before)
              .limit(sliceSize)
              .$asTuple('hash', 'operation_id'),
          ),
        )
        .executeTakeFirst();
      if (numDeletedRows < sliceSize) {
        return;
      }
    }
  }

  return {
    async expire(endedBefore, readyBefore) {
      const now = clock().getTime();
      const change = () => db.updateTable('campaign').where('in_flight', '=', 0);
      await change()
        .set({ state: 'cancelled', pause: null, state_changed_at: now, ended_at: now })
        .where('state', '=', 'paused')
        .where('state_changed_at', '<', endedBefore.getTime())
        .execute();
      await change()
        .set(discarded)
        .where('state', '=', 'ready')
        .where('created_at', '<', readyBefore.getTime())
        .execute();
      let emptied = await sweep();

      const old = await db
        .selectFrom('campaign')
        .select('sequence')
        .where('ended_at', '<', endedBefore.getTime())
        .where('text', 'is not', null)
        .execute();
      for (const { sequence } of old) {
        await empty(sequence);
        // Last: until then, what was cut off is found and gone on with.
        await db.updateTable('campaign').set({ text: null }).where('sequence', '=', sequence).execute();
        emptied += 1;
      }
      await forgetNumbersOfOperations(endedBefore.getTime());
      await purge();
      return emptied;
    },

    async discard(campaign, from) {
      const { numUpdatedRows } = await db
        .updateTable('campaign')
        .set(discarded)
        .where('sequence', '=', campaign)
        .where('state', 'in', from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async forget(workspaceId) {
      await db
        .updateTable('campaign')
        .set({ ...discarded, in_flight: 0, created_by: '', name: '' })
        .where('workspace_id', '=', workspaceId)
        .execute();
      await sweep(workspaceId);
      await purge();
    },
  };
}

/** In slices that others may wait for. */
const contents = [
  { table: 'campaign_number', column: 'hash', slice: 1_000 },
  { table: 'campaign_chunk_content', column: 'number', slice: 200 },
  { table: 'campaign_rejected_row', column: 'number', slice: 5 },
  { table: 'campaign_chunk', column: 'number', slice: 1_000 },
] as const;
