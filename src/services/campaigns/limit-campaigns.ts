import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';

/** The limits of campaigns: countries and the budget of pages. */
export interface LimitCampaigns {
  /** Returns what would refuse the campaign if it started at a time, now unless given. Takes nothing. */
  foresee(campaign: Campaign, at?: Date): Promise<ReachedLimit | undefined>;
  /** Takes the pages of everybody who waits, before the campaign is moved to `running`. Repeated, it takes nothing more. */
  reserve(campaign: Campaign, userId: string): Promise<ReachedLimit | undefined>;
  /** Gives back what a campaign that does not run has not sent. With `begun` after the move. Never rejects. */
  settle(campaign: Pick<Campaign, 'workspaceId' | 'id'>, options?: { begun?: boolean }): Promise<void>;
  /** The same for all campaigns, at the start of the program. */
  settleAll(): Promise<void>;
}

/** Reserves the pages of a campaign, moves it, and keeps them only where it runs. `move` resolves with what was moved. */
export async function moveReserved<Moved>(
  campaign: Campaign,
  { userId, limiter }: { userId: string; limiter: LimitCampaigns },
  move: () => Promise<Moved>,
): Promise<{ limit: ReachedLimit } | { limit: undefined; moved: Moved }> {
  const limit = await limiter.reserve(campaign, userId);
  if (limit !== undefined) {
    return { limit };
  }
  try {
    return { limit, moved: await move() };
  } finally {
    await limiter.settle(campaign, { begun: true });
  }
}

/** Moves a campaign, unless a limit keeps it from running then: at `at`, or now. */
export async function moveWithinLimits<Moved>(
  campaign: Campaign,
  {
    userId,
    limiter,
    to,
    at,
  }: { userId: string; limiter: LimitCampaigns; to: CampaignState; at: Date | undefined },
  move: () => Promise<Moved>,
): Promise<{ limit: ReachedLimit } | { limit: undefined; moved: Moved }> {
  if (to === 'running') {
    return moveReserved(campaign, { userId, limiter }, move);
  }
  const limit = to === 'scheduled' ? await limiter.foresee(campaign, at ?? campaign.startAt) : undefined;
  return limit === undefined ? { limit, moved: await move() } : { limit };
}

/** Gives back the pages of campaigns that pause or end, beside what they do. */
export function createSettling(limiter: LimitCampaigns) {
  const underway = new Set<Promise<void>>();

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underway.delete(tracked));
    underway.add(tracked);
  }

  return {
    settle(campaign: Campaign): void {
      if (campaign.state !== 'running' && campaign.state !== 'scheduled' && campaign.inFlight === 0) {
        track(limiter.settle(campaign));
      }
    },
    settleAll: () => track(limiter.settleAll()),
    async finished(): Promise<void> {
      await Promise.all(underway);
    },
  };
}
