import type { Selectable } from 'kysely';
import type { Campaign, CampaignState } from '../campaigns/campaigns.ts';
import type { CampaignMove } from '../campaigns/move-campaign.ts';
import type { ApprovalState, VoidCause } from '../schema/approvals.ts';
import type { Schema } from '../schema.ts';

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

export type ApprovalRow = Selectable<Schema['approval']>;
