/** Times are milliseconds since 1970. Recipients are keyed hashes. */
export interface LimitTables {
  /** What counts towards a limit. A row is deleted an hour after its window ended, or later. */
  limit_window: {
    workspace_id: string;
    /** Which limit, and of whom: Slack user ids in the clear, recipients as hashes. */
    key: string;
    points: number;
    expires: number;
  };
  /** What was refused, the last of each subject. A row is deleted a day after it has no effect any more. */
  limit_reached: {
    workspace_id: string;
    /** The rule, and whom it is about. */
    subject: string;
    /** A `ReachedLimit` as JSON: numbers masked. */
    reached: string;
    /** Who asked last. */
    user_id: string;
    refusals: number;
    at: number;
    /** Null: only when somebody acts. */
    frees_at: number | null;
  };
  /** The pages that a campaign has taken of the budget since it was last started. */
  limit_reservation: {
    workspace_id: string;
    campaign_id: string;
    /** The keys of the windows, as JSON. */
    windows: string;
    pages: number;
    /** Pages of the campaign that were taken before, by earlier reservations. */
    taken_before: number;
  };
}
