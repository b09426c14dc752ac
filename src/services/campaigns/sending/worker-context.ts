import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, ChunkEnding } from '../../../store/campaigns/campaigns.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';

/** A campaign's part of the requests that its workspace may have in flight. */
export interface RequestQuota {
  /** Returns how many more requests the campaign may start, when it has `ownRequests` in flight. */
  available(ownRequests: number): number;
  /** Whether the workspace has other campaigns that are being sent. */
  isShared(): boolean;
  reserve(requests: number): void;
  release(requests: number): void;
}

export interface CampaignWorkerContext {
  campaigns: Pick<CampaignRepository, 'settleAndClaim' | 'releaseClaims' | 'move'>;
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
