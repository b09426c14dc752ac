import type { Kysely } from 'kysely';
import type { Schema } from '../../schema.ts';
import { type PreparedStatement, prepareStatement, slot } from '../../sqlite/prepared-statement.ts';
import type { CampaignRow, PaceRow } from '../campaign-tables.ts';
import { countersUpdate } from './counters.ts';
import type { SettledChunk } from './settle-and-claim.ts';

/** The statements of `settleAndClaim`. They are compiled once: that costs more than to run them. */
export interface SettleAndClaimStatements {
  find: PreparedStatement<{ sequence: number; holds_lease: number }>;
  pace: PreparedStatement<PaceRow>;
  setPace: PreparedStatement<unknown>;
  settle: PreparedStatement<{ recipients: number }>;
  claim: PreparedStatement<{ number: number; recipients: number; pages: number; value: string | null }>;
  count: PreparedStatement<CampaignRow>;
}

const paceSlots = {
  rate: slot<number>('rate'),
  tokens: slot<number>('tokens'),
  refilled_at: slot<number>('refilledAt'),
  back_off_until: slot<number>('backOffUntil'),
  back_offs: slot<number>('backOffs'),
};

/** The campaign, where it is running and this run has its lease. */
function leasedCampaign(db: Kysely<Schema>) {
  return db
    .selectFrom('campaign')
    .select('sequence')
    .where('sequence', '=', slot<number>('campaign'))
    .where('state', '=', 'running')
    .where('worker', '=', slot<string>('run'))
    .where('lease_epoch', '=', slot<number>('epoch'));
}

export function settleAndClaimStatements(db: Kysely<Schema>): SettleAndClaimStatements {
  return {
    find: prepareStatement(
      db
        .selectFrom('campaign')
        .select((eb) => [
          'sequence',
          eb
            .case()
            .when(eb.and({ worker: slot<string>('run'), lease_epoch: slot<number>('epoch') }))
            .then(1)
            .else(0)
            .end()
            .as('holds_lease'),
        ])
        .where('workspace_id', '=', slot<string>('workspaceId'))
        .where('id', '=', slot<string>('id')),
    ),
    pace: prepareStatement(
      db.selectFrom('pace').selectAll().where('workspace_id', '=', slot<string>('workspaceId')),
    ),
    setPace: prepareStatement(
      db.updateTable('pace').set(paceSlots).where('workspace_id', '=', slot<string>('workspaceId')),
    ),
    settle: prepareStatement(
      db
        .updateTable('campaign_chunk')
        .set({
          run: null,
          state: slot<SettledChunk['state']>('state'),
          provider_id: slot<string | null>('providerId'),
          receipt_id: slot<string | null>('receiptId'),
          error: slot<string | null>('error'),
        })
        .where('campaign', '=', slot<number>('campaign'))
        .where('number', '=', slot<number>('number'))
        .where('state', '=', 'claimed')
        .where('run', '=', slot<string>('run'))
        .returning('recipients'),
    ),
    claim: prepareStatement(
      db
        .updateTable('campaign_chunk')
        .set({ state: 'claimed', run: slot<string>('run'), claimed_at: slot<number>('now') })
        .where('campaign', '=', slot<number>('campaign'))
        .where('number', 'in', (eb) =>
          eb
            .selectFrom('campaign_chunk as waiting')
            .select('waiting.number')
            .where('waiting.campaign', '=', slot<number>('campaign'))
            .where('waiting.state', '=', 'waiting')
            .where((waiting) => waiting.exists(leasedCampaign(db)))
            .orderBy('waiting.number')
            .limit(slot<number>('count')),
        )
        .returning((eb) => [
          'number',
          'recipients',
          'pages',
          eb
            .selectFrom('campaign_chunk_content as content')
            .select('content.value')
            .whereRef('content.campaign', '=', 'campaign_chunk.campaign')
            .whereRef('content.number', '=', 'campaign_chunk.number')
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
