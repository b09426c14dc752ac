import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Reserve } from '../../store/campaigns/move-campaign.ts';

/** The limits of campaigns: countries and the budget of pages. */
export interface LimitCampaigns {
  /** Returns what would refuse the campaign if it started at a time, now unless given. Takes nothing. */
  foresee(campaign: Campaign, at?: Date): Promise<ReachedLimit | undefined>;
  /** Moves a campaign to `running` with the pages of everybody who waits, unless a limit keeps it from running. */
  moveReserved<Moved>(
    campaign: Campaign,
    userId: string,
    move: (reserve: Reserve) => Promise<Moved>,
  ): Promise<MovedWithinLimits<Moved>>;
  /** Gives back what a campaign that does not run has not sent. Never rejects. */
  settle(campaign: Pick<Campaign, 'workspaceId' | 'id'>): Promise<void>;
}

export type MovedWithinLimits<Moved> = { limit: ReachedLimit } | { limit: undefined; moved: Moved };

/** Moves a campaign, unless a limit keeps it from running then: at `at`, or now. */
export async function moveWithinLimits<Moved>(
  campaign: Campaign,
  {
    userId,
    limiter,
    to,
    at,
  }: { userId: string; limiter: LimitCampaigns; to: CampaignState; at: Date | undefined },
  move: (reserve?: Reserve) => Promise<Moved>,
): Promise<MovedWithinLimits<Moved>> {
  if (to === 'running') {
    return limiter.moveReserved(campaign, userId, move);
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
    async finished(): Promise<void> {
      await Promise.all(underway);
    },
  };
}
