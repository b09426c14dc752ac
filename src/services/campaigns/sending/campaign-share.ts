import type { Stopwatch } from '../../../lib/time/clock.ts';

/** A campaign, by what names it. */
export interface NamedCampaign {
  workspaceId: string;
  id: string;
}

export const nameOf = ({ workspaceId, id }: NamedCampaign): string => JSON.stringify([workspaceId, id]);

/** How long another instance has to take a campaign that is more than this one's share. */
const takenByOthersMs = 1_500;
/** How long an instance sends more than its share before it leaves some: for longer than a dead one counts as living. */
const leaveAfterMs = 10_000;

/** Which of the running campaigns this instance sends: as many as any other, and those that nobody takes. */
export interface CampaignShare {
  /**
   * @param state.running the campaigns of all instances, the oldest first
   * @param state.sent those that this instance sends
   * @param state.free those that no instance sends
   * @param state.living how many instances there are
   * @returns those to take, and one to leave to others
   */
  choose<Campaign extends NamedCampaign>(state: {
    running: readonly Campaign[];
    sent: readonly Campaign[];
    free: readonly NamedCampaign[];
    living: number;
  }): { take: Campaign[]; leave?: Campaign | undefined };
}

export function createCampaignShare(elapsed: Stopwatch): CampaignShare {
  /** When it was first seen that nobody sends a campaign, by its name. */
  let freeSince = new Map<string, number>();
  /** Since when this instance sends more than its share. */
  let overSince: number | undefined;

  return {
    choose({ running, sent, free, living }) {
      const share = Math.ceil(running.length / living);
      const now = elapsed();
      freeSince = new Map(free.map(nameOf).map((name) => [name, freeSince.get(name) ?? now]));
      const takeable = running.filter((campaign) => freeSince.has(nameOf(campaign)));
      overSince = sent.length > share ? (overSince ?? now) : undefined;
      const leaves = overSince !== undefined && now - overSince >= leaveAfterMs;
      const room = Math.max(0, share - sent.length);
      const isLeft = (campaign: NamedCampaign) =>
        now - (freeSince.get(nameOf(campaign)) ?? now) >= takenByOthersMs;
      return {
        take: takeable.filter((campaign, index) => index < room || isLeft(campaign)),
        // One at a time: another instance has less than its share, and takes it.
        leave: leaves ? sent.at(-1) : undefined,
      };
    },
  };
}
