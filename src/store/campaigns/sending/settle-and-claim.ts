import { Secret } from '../../../lib/secret.ts';
import { createEncryption, type Encryption } from '../../encryption/cipher.ts';
import { writeOperationError } from '../../operations/operation-error.ts';
import { defineProcedure, type RunStatement } from '../../sqlite/procedure.ts';
import type { CampaignRow } from '../campaign-tables.ts';
import type { ChunkEnding } from '../campaigns.ts';
import { withoutCells } from '../chunk-content.ts';
import { chunkAdditionalData } from '../encrypted-columns.ts';
import type { SettleAndClaimStatements } from './settle-and-claim-statements.ts';

/** The ending of a chunk that is not released. */
export interface SettledChunk extends ChunkEnding {
  state: 'accepted' | 'rejected' | 'unconfirmed';
}

/** What the procedure is created with. It crosses to the database's thread, so the keys are in the clear. */
export interface SettleAndClaimSetup {
  /** See `createEncryption`. */
  encryptionKeys: readonly string[];
  statements: SettleAndClaimStatements;
}

export interface SettleAndClaim {
  workspaceId: string;
  id: string;
  /** Names this run of the program: only chunks that it claimed are settled. */
  run: string;
  endings: readonly SettledChunk[];
  /** How many chunks to claim, at most. */
  count: number;
  /** In milliseconds since 1970. */
  now: number;
}

export interface SettledAndClaimed {
  campaign: CampaignRow;
  /** In their order, with contents for `readDigits`. */
  claimed: { number: number; pages: number; content: string }[];
}

/** See `CampaignRepository.settleAndClaim`. Returns null where there is no such campaign. */
export const settleAndClaim = defineProcedure<SettleAndClaimSetup, SettleAndClaim, SettledAndClaimed | null>(
  'settleAndClaim',
  ({ encryptionKeys, statements }, run) => {
    const encryption = createEncryption(encryptionKeys.map((key) => new Secret(key)));
    return (argument) => settleAndClaimChunks(argument, statements, { run, encryption });
  },
);

function settleAndClaimChunks(
  { workspaceId, id, run: ofRun, endings, count, now }: SettleAndClaim,
  statements: SettleAndClaimStatements,
  { run, encryption }: { run: RunStatement; encryption: Encryption },
): SettledAndClaimed | null {
  const [found] = run(statements.find, { workspaceId, id });
  if (found === undefined) {
    return null;
  }
  const campaign = found.sequence;

  const settledBy = { accepted: 0, rejected: 0, unconfirmed: 0 };
  for (const { number, state, providerId = null, error } of endings) {
    const values = { campaign, number, state, providerId, error: writeOperationError(error), run: ofRun };
    for (const { recipients } of run(statements.settle, values)) {
      settledBy[state] += recipients;
    }
  }

  const claims = found.state === 'running' && count > 0;
  const claimed = claims ? run(statements.claim, { campaign, run: ofRun, count }) : [];

  const settled = settledBy.accepted + settledBy.rejected + settledBy.unconfirmed;
  const inFlight = claimed.reduce((sum, { recipients }) => sum + recipients, 0) - settled;
  const balance = endings.findLast((ending) => ending.balance !== undefined)?.balance ?? null;
  const [row] = run(statements.count, { ...settledBy, campaign, settled, inFlight, now, balance });
  if (row === undefined) {
    return null;
  }
  return {
    campaign: row,
    claimed: claimed
      .sort((one, other) => one.number - other.number)
      .map(({ number, pages, value }) => ({
        number,
        pages,
        content: withoutCells(
          encryption.decrypt(value ?? '', chunkAdditionalData(workspaceId, campaign, number)),
        ),
      })),
  };
}
