import type { Kysely } from 'kysely';
import { stoppedMidway } from '../operations/ledger.ts';
import { addNotices, doubtful } from '../outbox/outbox.ts';
import type { Schema } from '../schema.ts';
import { addToCounters } from './sending/counters.ts';
import { discarded } from './retention.ts';

/** See `Campaigns.recover`. */
export function recoverCampaigns(
  db: Kysely<Schema>,
  { run, restoredAt }: { run: string; restoredAt: Date | undefined },
  at: Date,
): Promise<number> {
  const now = at.getTime();
  return db.transaction().execute(async (transaction) => {
    const inFlight = await transaction
      .selectFrom('campaign')
      .select('sequence')
      .where('in_flight', '>', 0)
      .execute();
    let unconfirmed = 0;
    for (const { sequence } of inFlight) {
      const chunks = await transaction
        .updateTable('campaign_chunk')
        .set({ state: 'unconfirmed', run: null, error: JSON.stringify(stoppedMidway) })
        .where('campaign', '=', sequence)
        // Through the index by state, which SQLite does not use to change that state.
        .where('number', 'in', (eb) =>
          eb
            .selectFrom('campaign_chunk as claimed')
            .select('claimed.number')
            .where('claimed.campaign', '=', sequence)
            .where('claimed.state', '=', 'claimed')
            .where('claimed.run', '<>', run),
        )
        .returning('recipients')
        .execute();
      const recipients = chunks.reduce((sum, chunk) => sum + chunk.recipients, 0);
      const movement = { accepted: 0, rejected: 0, unconfirmed: recipients, inFlight: -recipients };
      await addToCounters(transaction, sequence, movement, { now });
      unconfirmed += recipients;
    }
    const halfRead = await transaction
      .selectFrom('campaign')
      .select(['sequence', 'workspace_id', 'id', 'created_by', 'name', 'created_at'])
      .where('state', '=', 'reading')
      .where('run', '<>', run)
      .execute();
    for (const {
      sequence,
      workspace_id: workspaceId,
      id,
      created_by: userId,
      name: title,
      created_at,
    } of halfRead) {
      await transaction.updateTable('campaign').set(discarded).where('sequence', '=', sequence).execute();
      const notice = { workspaceId, subjectId: id ?? String(sequence), userId, title };
      const attempted = doubtful(created_at, restoredAt);
      await addNotices(transaction, [{ subject: 'import', ...notice, ...attempted }], now);
    }
    return unconfirmed;
  });
}
