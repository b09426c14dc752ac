import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, ChunkEnding } from '../../../store/campaigns/campaigns.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';

/**
 * A campaign's part of the requests that its workspace may have in flight. A request counts until its ending is stored: a
 * crash then leaves no more chunks without an ending than requests may be in flight.
 */
export interface RequestQuota {
  /** Returns how many more requests its share has for a campaign that has `ownRequests` in flight. */
  share(ownRequests: number): number;
  /**
   * Returns how many of these it may start in a turn that stores what of it has ended. While others stand in line: none,
   * unless it is its turn.
   */
  available(own: OwnRequests): number;
  /** Whether the workspace has other campaigns that are being sent. */
  isShared(): boolean;
  /** Whether they cannot all start a request now. */
  isScarce(): boolean;
  /** Has the campaign wait for its turn to start requests. */
  standInLine(): ClaimTurn;
  reserve(requests: number): void;
  release(requests: number): void;
  /** Called at the end of each turn, whether or not it came from the line. */
  turnEnded(turn: EndedTurn): void;
}

export interface OwnRequests {
  inFlight: number;
  /** How many have ended whose ending is not stored yet. */
  ended: number;
}

export interface EndedTurn {
  /** How many requests it started. */
  started: number;
  /** How long the pace has the next chunk of any campaign wait; undefined where that is not known. */
  waitMs: number | undefined;
}

export interface ClaimTurn {
  /** Resolves when it is the campaign's turn. */
  come: Promise<void>;
  leave(): void;
}

export interface CampaignWorkerContext {
  campaigns: Pick<CampaignRepository, 'settleAndClaim' | 'releaseClaims' | 'move' | 'optOutTokens'>;
  /** Under which it is sent. */
  lease: Lease;
  account: () => Promise<ProviderAccount | undefined>;
  quota: RequestQuota;
  /** Messages a second of the workspace. */
  messagesPerSecond: number;
  timers: Timers;
  /** Milliseconds by a clock that also counts while the machine sleeps. */
  elapsed: Stopwatch;
  /** Milliseconds since 1970 by the clock of the timers. */
  paceClock: Stopwatch;
  /** Called with the campaign after each settle and claim, in order. */
  onChange: (campaign: Campaign) => void;
  /** Called with the state in which each chunk ended, and its recipients. */
  onChunkEnded: (state: ChunkEnding['state'], recipients: number) => void;
  report: (error: unknown) => void;
}
