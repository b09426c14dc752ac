import { z } from 'zod';
import type { CampaignUser } from '../../../domain/access/ownership.ts';
import type { ShownCampaign } from '../../../store/campaigns/campaigns.ts';
import type { Viewer } from '../../navigation/navigation.ts';

/**
 * Actions on a campaign. Those that send, or change the messages, have `shownValue` as their value. The
 * others have the id.
 */
export const campaignActions = {
  pause: 'campaign_pause',
  resume: 'campaign_resume',
  leaveOut: 'campaign_leave_out',
  changeSender: 'campaign_change_sender',
  cancel: 'campaign_cancel',
  startNow: 'campaign_start_now',
  changeTime: 'campaign_change_time',
  skipNext: 'campaign_skip_next',
  edit: 'campaign_edit_scheduled',
  discard: 'campaign_discard',
  refresh: 'campaign_refresh',
  followUp: 'campaign_follow_up',
  duplicate: 'campaign_duplicate',
  download: 'campaign_download',
  all: 'campaign_file_all',
  rejected: 'campaign_file_rejected',
  unconfirmed: 'campaign_file_unconfirmed',
  invalid: 'campaign_file_invalid',
  notSent: 'campaign_file_not_sent',
} as const;

export function campaignUser({ workspaceId, userId, permissions }: Viewer): CampaignUser {
  return { workspaceId, userId, isAdmin: permissions.has('administer') };
}

/** The version of a campaign that the person saw. */
export const shownSchema = z.object({ id: z.string(), version: z.string() });

/** The value of a button that leads to sending: only the version shown with it can be sent. */
export const shownValue = ({ id, version }: ShownCampaign) => JSON.stringify({ id, version });

export const readShown = (value: string): ShownCampaign => shownSchema.parse(JSON.parse(value));
