import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { Approval, ApprovalRow } from './approvals.ts';

const contentAdditionalData = (workspaceId: string, id: string): AdditionalData => [
  'approval_content',
  workspaceId,
  id,
];

const reasonAdditionalData = (workspaceId: string, id: string): AdditionalData => [
  'approval_reason',
  workspaceId,
  id,
];

export function writeContent(
  { workspaceId, id, content: value }: Pick<Approval, 'workspaceId' | 'id' | 'content'>,
  encryption: Encryption,
): string {
  return encryption.encrypt(value, contentAdditionalData(workspaceId, id));
}

export function writeReason(
  { workspaceId, id }: Pick<Approval, 'workspaceId' | 'id'>,
  value: string | undefined,
  encryption: Encryption,
): string | null {
  return value === undefined
    ? null
    : encryption.encrypt(value.toWellFormed(), reasonAdditionalData(workspaceId, id));
}

export function toApproval(row: ApprovalRow, encryption: Encryption): Approval {
  const { workspace_id: workspaceId, id, campaign_state: state, recipients, suppressed } = row;
  const { message_channel: channel, message_ts: ts } = row;
  return {
    workspaceId,
    id,
    kind: row.kind,
    subject: row.subject,
    requestedBy: row.requested_by,
    owner: row.owner,
    channelId: row.channel_id,
    content: encryption.decrypt(row.content, contentAdditionalData(workspaceId, id)),
    campaign:
      state === null || recipients === null || suppressed === null
        ? undefined
        : { state, recipients, suppressed },
    expiresAt: new Date(row.expires_at),
    state: row.state,
    cause: row.cause ?? undefined,
    reason:
      row.reason === null ? undefined : encryption.decrypt(row.reason, reasonAdditionalData(workspaceId, id)),
    createdAt: new Date(row.created_at),
    endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
    endedBy: row.ended_by ?? undefined,
    message: channel === null || ts === null ? undefined : { channel, ts },
  };
}
