import type { CampaignState } from '../campaigns/campaigns.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { type ShownMessage, shownMessage } from '../operations/operation.ts';
import type { ApprovalState, VoidCause } from '../schema/approvals.ts';
import { encryptedColumn, type Row } from '../schema/schema.ts';

const contentColumn = encryptedColumn('approval', 'content');
const reasonColumn = encryptedColumn('approval', 'reason');

export type ApprovalRow = Row<'approval'>;

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
  message?: ShownMessage | undefined;
}

export type ApprovalKey = Pick<Approval, 'workspaceId' | 'id'>;

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

export function toApproval(row: ApprovalRow, encryption: Encryption): Approval {
  const {
    campaignState: state,
    recipients,
    suppressed,
    performedAt,
    messageChannel,
    messageTs,
    ...approval
  } = row;
  const isOfCampaign = state !== undefined && recipients !== undefined && suppressed !== undefined;
  return {
    ...approval,
    content: encryption.decrypt(row.content, additionalDataOf(contentColumn, row)),
    reason: row.reason && encryption.decrypt(row.reason, additionalDataOf(reasonColumn, row)),
    campaign: isOfCampaign ? { state, recipients, suppressed } : undefined,
    message: shownMessage(messageChannel, messageTs),
  };
}

export function writeContent({ workspaceId, id, content }: NewApproval, encryption: Encryption): string {
  return encryption.encrypt(content, additionalDataOf(contentColumn, { workspaceId, id }));
}

export function writeReason(key: ApprovalKey, reason: string, encryption: Encryption): string {
  return encryption.encrypt(reason.toWellFormed(), additionalDataOf(reasonColumn, key));
}
