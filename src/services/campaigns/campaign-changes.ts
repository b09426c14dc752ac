import type { Campaign } from '../../store/campaigns/campaigns.ts';

/** Who has to know of a campaign that has changed. */
export interface CampaignChanges {
  /** It is shown otherwise than before. */
  changed(campaign: Campaign): void;
  /** It was moved: every instance looks at it as well. */
  moved(campaign: Campaign): Promise<void>;
}
