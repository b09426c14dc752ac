import type { Kysely } from 'kysely';
import { prepareStatement, slot } from '../../engine/sqlite/prepared-statement.ts';
import type { OperationError } from '../../operations/operation.ts';
import type { Schema } from '../../schema/schema.ts';
import { countersUpdate } from '../campaign-moves.ts';
import type { SettleAndClaimStatements, SettledChunk } from './settle-and-claim.ts';

const paceSlots = {
  rate: slot<number>('rate'),
  tokens: slot<number>('tokens'),
  refilledAt: slot<number>('refilledAt'),
  backOffUntil: slot<number>('backOffUntil'),
  backOffs: slot<number>('backOffs'),
};

/**
 * Compiled once: that costs more than to run them. Each run passes values as they are stored: an instant in milliseconds,
 * an error as JSON.
 */
export function settleAndClaimStatements(db: Kysely<Schema>): SettleAndClaimStatements {
  return {
    find: prepareStatement(
      db
        .selectFrom('campaign')
        .select((eb) => [
          'sequence',
          'isProven as is_proven',
          eb
            .case()
            .when(eb.and({ worker: slot<string>('run'), leaseEpoch: slot<number>('epoch') }))
            .then(1)
            .else(0)
            .end()
            .as('holds_lease'),
        ])
        .where('workspaceId', '=', slot<string>('workspaceId'))
        .where('id', '=', slot<string>('id')),
    ),
    countClaimed: prepareStatement(
      db
        .selectFrom('campaignChunk')
        .select((eb) => eb.fn.countAll<number>().as('chunks'))
        .where('campaign', '=', slot<number>('campaign'))
        .where('state', '=', 'claimed'),
    ),
    pace: prepareStatement(
      db.selectFrom('pace').selectAll().where('workspaceId', '=', slot<string>('workspaceId')),
    ),
    setPace: prepareStatement(
      db.updateTable('pace').set(paceSlots).where('workspaceId', '=', slot<string>('workspaceId')),
    ),
    /** Ends a chunk that its run has claimed. */
    settle: prepareStatement(
      db
        .updateTable('campaignChunk')
        .set({
          run: null,
          state: slot<SettledChunk['state']>('state'),
          providerId: slot<string | null>('providerId'),
          receiptId: slot<string | null>('receiptId'),
          error: slot<OperationError | null>('error'),
        })
        .where('campaign', '=', slot<number>('campaign'))
        .where('number', '=', slot<number>('number'))
        .where('state', '=', 'claimed')
        .where('run', '=', slot<string>('run'))
        .returning('recipients'),
    ),
    /** Claims chunks that wait, and selects their contents. */
    claim: prepareStatement(
      db
        .updateTable('campaignChunk')
        .set({ state: 'claimed', run: slot<string>('run'), claimedAt: slot<Date>('now') })
        .where('campaign', '=', slot<number>('campaign'))
        .where('number', 'in', (eb) =>
          eb
            .selectFrom('campaignChunk as waiting')
            .select('waiting.number')
            .where('waiting.campaign', '=', slot<number>('campaign'))
            .where('waiting.state', '=', 'waiting')
            // The campaign, where it is running and this run has its lease.
            .where((waiting) =>
              waiting.exists(
                db
                  .selectFrom('campaign')
                  .select('sequence')
                  .where('sequence', '=', slot<number>('campaign'))
                  .where('state', '=', 'running')
                  .where('worker', '=', slot<string>('run'))
                  .where('leaseEpoch', '=', slot<number>('epoch')),
              ),
            )
            .orderBy('waiting.number')
            .limit(slot<number>('count')),
        )
        .returning((eb) => [
          'number',
          'recipients',
          'pages',
          eb
            .selectFrom('campaignChunkContent as content')
            .select('content.value')
            .whereRef('content.campaign', '=', 'campaignChunk.campaign')
            .whereRef('content.number', '=', 'campaignChunk.number')
            .as('value'),
        ]),
    ),
    count: prepareStatement(
      countersUpdate(db, {
        campaign: slot<number>('campaign'),
        accepted: slot<number>('accepted'),
        rejected: slot<number>('rejected'),
        unconfirmed: slot<number>('unconfirmed'),
        settled: slot<number>('settled'),
        inFlight: slot<number>('inFlight'),
        now: slot<number>('now'),
        balance: slot<string | null>('balance'),
      }),
    ),
  };
}
