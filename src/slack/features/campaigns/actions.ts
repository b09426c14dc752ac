import { openActions } from '../../navigation/open-actions.ts';

export const openCampaignAction = openActions.campaign;

/** What can be done with a campaign. The value of each is the campaign's id. */
export const campaignActions = {
  pause: 'campaign_pause',
  resume: 'campaign_resume',
  cancel: 'campaign_cancel',
  refresh: 'campaign_refresh',
  retryRejected: 'campaign_retry_rejected',
  retryUnconfirmed: 'campaign_retry_unconfirmed',
  rejected: 'campaign_file_rejected',
  unconfirmed: 'campaign_file_unconfirmed',
  invalid: 'campaign_file_invalid',
  notSent: 'campaign_file_not_sent',
} as const;
