import type { Kysely, Transaction } from 'kysely';
import { isOfDead } from '../instances/instances.ts';
import { stoppedMidway, writeOperationError } from '../operations/operation.ts';
import { addNotices, doubtful } from '../outbox/notices.ts';
import { type Schema, typed } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { moveCampaigns } from './campaign-moves.ts';
import { discardedColumns } from './retention.ts';
import { addToCounters } from './sending/counters.ts';

/** See `CampaignRepository.recover`. */
export function recoverCampaigns(
  db: Kysely<Schema>,
  { restoredAt, at }: { restoredAt: Date | undefined; at: Date },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const unconfirmed = await endInterruptedChunks(transaction, at.getTime());
    await discardInterruptedImports(transaction, { restoredAt, now: at.getTime() });
    return unconfirmed;
  });
}

/** Ends chunks that a dead run had claimed as `unconfirmed`. Returns how many recipients those have. */
async function endInterruptedChunks(transaction: Transaction<Schema>, now: number): Promise<number> {
  const campaigns = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where('in_flight', '>', 0)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('campaign_chunk as claimed')
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
      .updateTable('campaign_chunk')
      .set({ state: 'unconfirmed', run: null, error: writeOperationError(stoppedMidway) })
      .where('campaign', '=', sequence)
      // Through the index by state, which SQLite does not use to change that state.
      .where('number', 'in', (eb) =>
        eb
          .selectFrom('campaign_chunk as claimed')
          .select('claimed.number')
          .where('claimed.campaign', '=', sequence)
          .where('claimed.state', '=', 'claimed')
          .where(isOfDead('claimed.run')),
      )
      .where('state', '=', 'claimed')
      .returning('recipients')
      .execute();
    const recipients = chunks.reduce((sum, chunk) => sum + chunk.recipients, 0);
    const change = { accepted: 0, rejected: 0, unconfirmed: recipients, inFlight: -recipients };
    await addToCounters(transaction, sequence, change, { now });
    unconfirmed += recipients;
  }
  return unconfirmed;
}

async function discardInterruptedImports(
  transaction: Transaction<Schema>,
  { restoredAt, now }: { restoredAt: Date | undefined; now: number },
): Promise<void> {
  const imports = await transaction
    .selectFrom('campaign')
    .select(['sequence', 'workspace_id', 'id', 'created_by', 'name', 'created_at'])
    .where('state', '=', 'reading')
    .where(isOfDead('run'))
    .execute();
  for (const { sequence, workspace_id, id, created_by, name, created_at } of imports) {
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
      workspaceId: workspace_id,
      subject: 'import' as const,
      subjectId: id ?? String(sequence),
      userId: created_by,
      title: name,
      ...doubtful(new Date(created_at), restoredAt),
    };
    await addNotices(typed(transaction), [notice], new Date(now));
  }
}
