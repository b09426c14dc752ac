/** What costs are counted for: an operation by its key, a campaign by its id. */
export type CostSubject = 'operation' | 'campaign';

/** Stands for the sender of what has none, such as a call that reads a code out. No sender is called that. */
export const noSenderId = '-';

/** Times are milliseconds since 1970; amounts are decimals as `writeMoney` writes them. */
export interface CostTables {
  /** What was shown before sending. */
  cost_estimate: {
    workspace_id: string;
    subject: CostSubject;
    subject_id: string;
    /** A `KeptEstimate` as JSON. */
    estimate: string;
    made_at: number;
  };
  /** What the provider reported to have charged for the messages of a subject to a country. */
  message_cost: {
    workspace_id: string;
    subject: CostSubject;
    subject_id: string;
    /** See `quickCountryOf`. */
    country: string;
    begun_at: number;
    amount: string;
    /** Messages whose cost is known. */
    messages: number;
    /** Those of them that cost nothing. */
    free: number;
    /** Pages of those that cost something. */
    pages: number;
  };
  /** The same by month, user and sender. */
  month_cost: {
    workspace_id: string;
    /** In Lagos, of when the sending began: `2026-11`. */
    month: string;
    user_id: string;
    /** See `noSenderId`. */
    sender_id: string;
    /** ISO 4217, of the account when the cost was counted; empty where it was not known. */
    currency: string;
    amount: string;
    messages: number;
  };
}
