import { Secret } from '../../../lib/secret.ts';
import { createEncryption } from '../../engine/encryption/cipher.ts';
import type { PreparedStatement } from '../../engine/sqlite/prepared-statement.ts';
import { defineProcedure } from '../../engine/sqlite/procedure.ts';
import type { ChunkEnding } from '../campaigns.ts';
import { chunkAdditionalData, withoutCells } from '../chunk-content.ts';
import type { Lease } from './leases.ts';
import {
  chunksAllowed,
  fullPace,
  type Pace,
  type PaceAfter,
  type PaceSignals,
  paceAfter,
  paceAt,
} from './pace.ts';

/** The ending of a chunk that is not released. */
export interface SettledChunk extends ChunkEnding {
  state: 'accepted' | 'rejected' | 'unconfirmed';
}

interface PaceRow {
  rate: number;
  tokens: number;
  refilled_at: number;
  back_off_until: number;
  back_offs: number;
}

/** The statements of `settleAndClaim`. Their rows are as the database has them. */
export interface SettleAndClaimStatements {
  find: PreparedStatement<{ sequence: number; holds_lease: number; is_proven: number }>;
  countClaimed: PreparedStatement<{ chunks: number }>;
  pace: PreparedStatement<PaceRow>;
  setPace: PreparedStatement<unknown>;
  settle: PreparedStatement<{ recipients: number }>;
  claim: PreparedStatement<{ number: number; recipients: number; pages: number; value: string | null }>;
  count: PreparedStatement<SettledAndClaimed['campaign']>;
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
  /** Only chunks that its run claimed are settled; nothing is claimed where it is lost. */
  lease: Lease;
  endings: readonly SettledChunk[];
  /** How many chunks to claim, at most. */
  count: number;
  /**
   * How many chunks may be claimed in total, across instances, until the first is accepted after a start or
   * resume.
   */
  maxUnproven: number;
  pace: PaceRequest;
  /** In milliseconds since 1970. */
  now: number;
}

/** The responses since the last turn, and what the next chunks may not exceed. */
export interface PaceRequest extends PaceSignals {
  /** Messages a second of the workspace, at most. */
  maxRate: number;
  /** In messages. */
  chunkSize: number;
  /** Milliseconds since 1970 by a clock that nobody sets; a database of several instances goes by its own. */
  at: number;
}

export interface SettledAndClaimed {
  /** The row as the database has it, see `readRow`. PostgreSQL leaves out its encrypted values. */
  campaign: { sequence: number; [column: string]: unknown };
  /** In their order, with contents for `readDigits`. */
  claimed: { number: number; pages: number; content: string }[];
  /** Whether the lease is lost: another may send the campaign. */
  isLeaseLost: boolean;
  pace: PaceAfter;
}

/** See `settleAndClaim` of `createTurns`. Returns null where there is no such campaign. */
export const settleAndClaim = defineProcedure<SettleAndClaimSetup, SettleAndClaim, SettledAndClaimed | null>(
  'settleAndClaim',
  ({ encryptionKeys, statements }, run) => {
    const encryption = createEncryption(encryptionKeys.map((key) => new Secret(key)));
    return ({ workspaceId, id, lease, endings, count, maxUnproven, pace: asked, now }) => {
      const [found] = run(statements.find, { workspaceId, id, ...lease });
      if (found === undefined) {
        return null;
      }
      const campaign = found.sequence;

      const settledBy = { accepted: 0, rejected: 0, unconfirmed: 0 };
      for (const { number, state, providerId = null, receiptId = null, error: failure } of endings) {
        const error = failure === undefined ? null : JSON.stringify(failure);
        const values = { campaign, number, state, providerId, receiptId, error, run: lease.run };
        for (const { recipients } of run(statements.settle, values)) {
          settledBy[state] += recipients;
        }
      }
      const pace = paceAt(readPace(run(statements.pace, { workspaceId })[0], asked), asked);
      const allowed = chunksAllowed(pace, asked.chunkSize);
      const isProven = found.is_proven === 1 || settledBy.accepted > 0;
      const inFlightBefore =
        isProven || count === 0 ? 0 : (run(statements.countClaimed, { campaign })[0]?.chunks ?? 0);
      const limit = Math.min(count, allowed, isProven ? count : maxUnproven - inFlightBefore);
      const claimed = limit > 0 ? run(statements.claim, { campaign, ...lease, count: limit, now }) : [];
      const messages = claimed.reduce((sum, { recipients }) => sum + recipients, 0);
      if (messages > 0 || asked.successes > 0 || asked.backOff !== undefined) {
        run(statements.setPace, { workspaceId, ...pace, tokens: pace.tokens - messages });
      }

      const settled = settledBy.accepted + settledBy.rejected + settledBy.unconfirmed;
      const inFlight = messages - settled;
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
        isLeaseLost: found.holds_lease === 0,
        pace: { allowed, ...paceAfter(pace, messages) },
      };
    };
  },
);

function readPace(row: PaceRow | undefined, { maxRate, at }: PaceRequest): Pace {
  return row === undefined
    ? fullPace(maxRate, at)
    : {
        rate: row.rate,
        tokens: row.tokens,
        refilledAt: row.refilled_at,
        backOffUntil: row.back_off_until,
        backOffs: row.back_offs,
      };
}
