import type { Generated, Selectable } from 'kysely';
import type { Campaign, CampaignState } from '../campaigns/campaigns.ts';
import type { CampaignMove } from '../campaigns/move-campaign.ts';

/**
 * - `waiting`: for an approver;
 * - `approved`: an approver said yes, and it is done;
 * - `rejected`: an approver said no;
 * - `withdrawn`: by the person who asked;
 * - `expired`: nobody decided in time;
 * - `void`: what was asked for has changed.
 */
export type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'void';

/**
 * Why a request is void:
 *
 * - `changed`: its campaign has changed;
 * - `moved_on`: its campaign was started otherwise, edited or discarded;
 * - `price`, `plan_gone`: the plan has another price, or is no longer on sale;
 * - `purchases_off`: eSIMs can no longer be bought;
 * - `not_permitted`: the person who asked may no longer do it;
 * - `cancelled`, `limited`, `not_connected`, `late`: it was approved and could not be done;
 * - `restored`: what was decided since the backup is not known.
 */
export type VoidCause =
  | 'changed'
  | 'moved_on'
  | 'price'
  | 'plan_gone'
  | 'purchases_off'
  | 'not_permitted'
  | 'cancelled'
  | 'limited'
  | 'not_connected'
  | 'late'
  | 'restored';

export interface NewApproval {
  workspaceId: string;
  /** The same id is the same request. Opaque, but for its user. */
  id: string;
  kind: 'campaign' | 'esim';
  /** The id of the campaign, or the key of the order. At most one request of a subject waits. */
  subject: string;
  /** A Slack user id. */
  requestedBy: string;
  /** Whose campaign or order it is: may not approve it either. */
  owner: string;
  /** Where approvers are asked: a Slack channel id. */
  channelId: string;
  /** What is asked for and shown, as JSON. Encrypted at rest. */
  content: string;
  /** The campaign as it is asked for: once it is otherwise, the request is void. */
  campaign?: { state: CampaignState; recipients: number; suppressed: number } | undefined;
  expiresAt: Date;
}

export interface Approval extends NewApproval {
  state: ApprovalState;
  cause?: VoidCause | undefined;
  /** Why it was rejected, as the approver wrote it. Encrypted at rest. */
  reason?: string | undefined;
  createdAt: Date;
  endedAt?: Date | undefined;
  /** Who approved, rejected or withdrew it: a Slack user id. */
  endedBy?: string | undefined;
  /** The message in the channel. */
  message?: { channel: string; ts: string } | undefined;
}

type ApprovalKey = Pick<Approval, 'workspaceId' | 'id'>;

/** How a request ends without being approved. */
export interface ApprovalEnd {
  state: 'rejected' | 'withdrawn' | 'void';
  by?: string | undefined;
  cause?: VoidCause | undefined;
  reason?: string | undefined;
}

/** An approver's yes. The person who asked, or owns what it is about, approves nothing. */
export interface Yes {
  by: string;
  at: Date;
}

/**
 * Requests for approval. Each is decided by one statement with its state in the condition, so of any number of decisions
 * one counts. What ends a request, or makes one, writes its notices and its entry in the audit in the same transaction.
 */
export interface ApprovalRepository {
  /** Stores a request. `first`: whether this call did; otherwise the one of its id, or that waits for its subject, is returned. */
  request(approval: NewApproval): Promise<{ approval: Approval; first: boolean }>;

  find(workspaceId: string, id: string): Promise<Approval | undefined>;

  /** Returns the requests that wait, the oldest first. */
  waiting(query: {
    workspaceId: string;
    kind?: Approval['kind'] | undefined;
    subjects?: readonly string[] | undefined;
  }): Promise<Approval[]>;

  /** Ends a request that waits. Resolves with undefined where it does not. */
  end(key: ApprovalKey, end: ApprovalEnd): Promise<Approval | undefined>;

  /** Approves a request that waits and has not expired. Resolves with undefined for any other. */
  approve(key: ApprovalKey, yes: Yes): Promise<Approval | undefined>;

  /**
   * Approves a request as `approve`, and makes the move of its campaign in the same transaction: both or neither.
   *
   * @param isSame whether the campaign is what was asked for; called with it as it is within the transaction
   * @returns `changed` where it is not, or can no longer make the move; `ended` where the request does not wait
   * @throws StoreError `outdated` for a campaign from before the data was restored
   */
  approveMove(
    key: ApprovalKey,
    yes: Yes,
    move: Omit<CampaignMove, 'workspaceId'>,
    isSame: (campaign: Campaign) => boolean,
  ): Promise<
    { kind: 'approved'; approval: Approval; campaign: Campaign } | { kind: 'changed' } | { kind: 'ended' }
  >;

  /**
   * Returns the approved orders of all workspaces that are still to be placed: the instance that was to stopped before.
   */
  unperformed(): Promise<Approval[]>;

  setPerformed(key: ApprovalKey, at: Date): Promise<void>;

  /** Makes an approved request void that could not be performed. */
  revoke(key: ApprovalKey, cause: VoidCause): Promise<Approval | undefined>;

  /** Ends the requests that have expired, and those whose campaign has changed or gone. Returns them. */
  sweep(now: Date): Promise<Approval[]>;

  /** Called at the start of the program: requests that waited when the data was restored are void. */
  recover(): Promise<void>;

  setMessage(key: ApprovalKey, message: { channel: string; ts: string }): Promise<void>;

  /** Deletes the requests that ended before a time. */
  expire(endedBefore: Date): Promise<void>;
}

/** Times are milliseconds since 1970. */
export interface ApprovalTables {
  approval: {
    workspace_id: string;
    id: string;
    kind: Approval['kind'];
    subject: string;
    requested_by: string;
    owner: string;
    channel_id: string;
    /** Encrypted. */
    content: string;
    /** Null but for campaigns, as `recipients` and `suppressed`. */
    campaign_state: CampaignState | null;
    recipients: number | null;
    suppressed: number | null;
    state: ApprovalState;
    cause: VoidCause | null;
    /** Encrypted. */
    reason: string | null;
    created_at: number;
    expires_at: number;
    ended_at: number | null;
    ended_by: string | null;
    /** When what was approved was done: with the approval itself for a campaign. */
    performed_at: Generated<number | null>;
    message_channel: string | null;
    message_ts: string | null;
  };
}

export type ApprovalRow = Selectable<ApprovalTables['approval']>;
