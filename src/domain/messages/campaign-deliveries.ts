/** Recipients whose message failed for one reason. */
export interface FailedDeliveries {
  /** In the middle of a sentence; undefined where the provider gives none. */
  reason: string | undefined;
  recipients: number;
}

/** What became of the messages of a campaign that the provider has accepted, in recipients: each is in one of these. */
export interface CampaignDeliveries {
  delivered: number;
  onTheWay: number;
  /** Those with the most recipients first. */
  failed: readonly FailedDeliveries[];
  /** Reported in words that are not in the table of statuses. */
  other: number;
  /** Nothing was reported of them yet. */
  waiting: number;
}
