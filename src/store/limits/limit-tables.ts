import type { Selectable } from 'kysely';

/** Times are milliseconds since 1970. Recipients and blocks of numbers are keyed hashes. */
export interface LimitTables {
  /** What counts towards a limit, until the window ends. */
  limit_window: {
    workspace_id: string;
    /** Which limit, and of whom: Slack user ids in the clear, recipients as hashes. */
    key: string;
    points: number;
    expires: number;
  };
  /** See `SentCode`. A row is deleted after a day. */
  limit_code: {
    workspace_id: string;
    /** The key of its operation. */
    id: string;
    user_id: string;
    recipient: string;
    block: string | null;
    verifiable: 0 | 1;
    sent_at: number;
    verified_at: number | null;
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
    lifted_at: number | null;
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
    /** 0: by a former version, which moves the campaign only afterwards. */
    begun: 0 | 1;
  };
}

export type SentCodeRow = Selectable<LimitTables['limit_code']>;
