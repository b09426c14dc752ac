import type { Kysely } from 'kysely';
import { type PreparedStatement, prepareStatement, slot } from '../../sqlite/prepared-statement.ts';
import type { Schema } from '../../schema.ts';
import type { ChunkEnding } from '../campaigns.ts';
import { counting } from './counters.ts';
import type { CampaignRow } from '../row-mapping.ts';

/** What became of a chunk that is not given back. */
export interface SettledChunk extends ChunkEnding {
  state: 'accepted' | 'rejected' | 'unconfirmed';
}

/** What `Campaigns.turn` asks of the database's thread. */
export interface SettleAndClaim {
  workspaceId: string;
  id: string;
  /** Names this run of the program: it ends only what it claimed itself. */
  run: string;
  endings: readonly SettledChunk[];
  count: number;
  /** In milliseconds since 1970. */
  now: number;
}

export interface SettledAndClaimed {
  campaign: CampaignRow;
  /** In their order, with contents for `readContent`. */
  claimed: { number: number; pages: number; content: string }[];
}

/** The statements of a turn. They are made once: it costs more to make one than to run it. */
export interface ClaimStatements {
  find: PreparedStatement<{ sequence: number; state: string }>;
  end: PreparedStatement<{ recipients: number }>;
  claim: PreparedStatement<{ number: number; recipients: number; pages: number; value: string | null }>;
  count: PreparedStatement<CampaignRow>;
}

export function claimStatements(db: Kysely<Schema>): ClaimStatements {
  return {
    find: prepareStatement(
      db
        .selectFrom('campaign')
        .select(['sequence', 'state'])
        .where('workspace_id', '=', slot<string>('workspaceId'))
        .where('id', '=', slot<string>('id')),
    ),
    end: prepareStatement(
      db
        .updateTable('campaign_chunk')
        .set({
          run: null,
          state: slot<SettledChunk['state']>('state'),
          provider_id: slot<string | null>('providerId'),
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
        .set({ state: 'claimed', run: slot<string>('run') })
        .where('campaign', '=', slot<number>('campaign'))
        .where('number', 'in', (eb) =>
          eb
            .selectFrom('campaign_chunk as waiting')
            .select('waiting.number')
            .where('waiting.campaign', '=', slot<number>('campaign'))
            .where('waiting.state', '=', 'waiting')
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
      counting(db, {
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
