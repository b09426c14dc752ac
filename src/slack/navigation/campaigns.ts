/** Opens the form, from wherever it is offered. */
export const openBulkAction = 'campaign_form';
/** Opens the list. */
export const openCampaignsAction = 'campaign_list';
/** Opens one campaign, whose id is the value: its preview, where it is not started yet. */
export const openCampaignAction = 'campaign_open';

/** What can be done with a campaign, whose id is the value of each. */
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
