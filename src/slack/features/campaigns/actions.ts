import type { CampaignUser } from '../../../domain/access/ownership.ts';
import type { Viewer } from '../../navigation/navigation.ts';

/** What can be done with a campaign. The value of each is the campaign's id. */
export const campaignActions = {
  pause: 'campaign_pause',
  resume: 'campaign_resume',
  cancel: 'campaign_cancel',
  startNow: 'campaign_start_now',
  changeTime: 'campaign_change_time',
  skipNext: 'campaign_skip_next',
  edit: 'campaign_edit_scheduled',
  discard: 'campaign_discard',
  refresh: 'campaign_refresh',
  sendToRest: 'campaign_send_to_rest',
  retryRejected: 'campaign_retry_rejected',
  retryUnconfirmed: 'campaign_retry_unconfirmed',
  useRecipients: 'campaign_use_recipients',
  duplicate: 'campaign_duplicate',
  all: 'campaign_file_all',
  rejected: 'campaign_file_rejected',
  unconfirmed: 'campaign_file_unconfirmed',
  invalid: 'campaign_file_invalid',
  notSent: 'campaign_file_not_sent',
} as const;

export function campaignUser({ workspaceId, userId, permissions }: Viewer): CampaignUser {
  return { workspaceId, userId, isAdmin: permissions.has('administer') };
}
