import type { Campaign, CampaignPatch, CampaignState } from '../../../store/campaigns/campaigns.ts';
import { withheldPause } from '../../../store/campaigns/hold-campaigns.ts';
import type { Reserve } from '../../../store/campaigns/move-campaign.ts';
import type { CampaignSchedulerContext } from './scheduler-context.ts';

/**
 * Moves a campaign that is due: it runs, has missed its time, or is held because its creator or a limit no longer allows it.
 * Returns it where it is sent from now on.
 */
export async function startDue(
  campaign: Campaign,
  { now, state }: { now: Date; state: 'running' | 'missed' },
  { campaigns, limiter, standingOf, onChange }: CampaignSchedulerContext,
): Promise<Campaign | undefined> {
  // One that was emptied before that ended it.
  const to = campaign.counts.recipients === 0 ? 'cancelled' : state;
  // Not where it was moved to another time, or another took its place, since it was read.
  const move = (into: CampaignState, patch: CampaignPatch, reserve?: Reserve) =>
    campaigns.move(campaign.workspaceId, campaign.id, ['scheduled'], into, patch, {
      checked: campaign,
      reserve,
    });
  const end = async (into: CampaignState, patch: CampaignPatch) => {
    const moved = await move(into, patch);
    if (moved !== undefined) {
      onChange(moved);
    }
    return undefined;
  };
  if (to !== 'running') {
    return end(to, {});
  }
  switch (await standingOf(campaign)) {
    case 'unknown':
      // It starts once that is known, or misses its time.
      return undefined;
    case 'denied':
      return end('paused', { pause: withheldPause });
    case 'allowed':
      break;
  }
  const started = await limiter.moveReserved(campaign, campaign.createdBy, (reserve) =>
    move('running', { startedAt: now }, reserve),
  );
  if (started.limit !== undefined) {
    const error = { reason: started.limit.reason.rule };
    return end('paused', { pause: { by: 'program', error } });
  }
  if (started.moved !== undefined) {
    onChange(started.moved);
  }
  return started.moved;
}
