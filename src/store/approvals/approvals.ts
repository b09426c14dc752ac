import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import type { AppendAudit } from '../audit/audit-trail.ts';
import { isVersion } from '../campaigns/campaign-moves.ts';
import type { CampaignState } from '../campaigns/campaigns.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { type ShownMessage, shownMessage } from '../operations/operation.ts';
import { addNotices } from '../outbox/notices.ts';
import type { ApprovalState, VoidCause } from '../schema/approvals.ts';
import { encryptedColumn, type Row, type Schema } from '../schema/schema.ts';

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
  campaign?: { state: CampaignState; recipients: number; version: string } | undefined;
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

/** An approver's consent. Whoever made the request, or owns its subject, can't give it. */
export interface ApprovalGrant {
  by: string;
  at: Date;
  /** The approved content, if the approver chose something other than the requested content. */
  content?: string | undefined;
}

export function toApproval(row: ApprovalRow, encryption: Encryption): Approval {
  const {
    campaignState: state,
    recipients,
    campaignVersion: version,
    performedAt,
    messageChannel,
    messageTs,
    ...approval
  } = row;
  const isOfCampaign = state !== undefined && recipients !== undefined && version !== undefined;
  return {
    ...approval,
    content: encryption.decrypt(row.content, additionalDataOf(contentColumn, row)),
    reason: row.reason && encryption.decrypt(row.reason, additionalDataOf(reasonColumn, row)),
    campaign: isOfCampaign ? { state, recipients, version } : undefined,
    message: shownMessage(messageChannel, messageTs),
  };
}

export function writeContent(
  { workspaceId, id, content }: Pick<NewApproval, 'workspaceId' | 'id' | 'content'>,
  encryption: Encryption,
): string {
  return encryption.encrypt(content, additionalDataOf(contentColumn, { workspaceId, id }));
}

export function writeReason(key: ApprovalKey, reason: string, encryption: Encryption): string {
  return encryption.encrypt(reason.toWellFormed(), additionalDataOf(reasonColumn, key));
}

/** A transaction that makes or ends requests, with the audit of it. */
export interface ApprovalWrite {
  transaction: Transaction<Schema>;
  append: AppendAudit;
  now: Date;
}

/** How a request ends; the time is set with it. */
type Ending = Pick<ApprovalRow, 'state'> & Partial<Pick<ApprovalRow, 'cause' | 'endedBy' | 'reason'>>;

type Waiting = ExpressionBuilder<Schema, 'approval'>;

/** Ends a request that waits. Resolves with undefined where it does not. */
export async function endWaiting(
  write: ApprovalWrite,
  key: ApprovalKey,
  ending: Ending,
): Promise<ApprovalRow | undefined> {
  const [row] = await endAll(write, ending, (eb) => eb.and({ workspaceId: key.workspaceId, id: key.id }));
  return row;
}

/** Ends every request that has expired, or whose subject has changed. */
export async function sweepApprovals(write: ApprovalWrite, at: Date): Promise<ApprovalRow[]> {
  const isOfCampaign = (eb: Waiting) => eb('kind', '=', 'campaign');
  return [
    ...(await endAll(write, { state: 'void', cause: 'moved_on' }, (eb) =>
      eb.and([isOfCampaign(eb), eb.not(eb.exists(campaignInState(eb)))]),
    )),
    ...(await endAll(write, { state: 'void', cause: 'changed' }, (eb) =>
      eb.and([
        isOfCampaign(eb),
        eb.not(
          eb.exists(
            campaignInState(eb)
              .where(isVersion(eb.ref('approval.campaignVersion')))
              .where('campaign.recipients', '>', 0),
          ),
        ),
      ]),
    )),
    ...(await endAll(write, { state: 'expired' }, (eb) => eb('expiresAt', '<=', at))),
  ];
}

/** Makes the requests void that waited when the data was restored: later decisions about them are lost. */
export function voidRestored(write: ApprovalWrite, restoredAt: Date): Promise<ApprovalRow[]> {
  return endAll(write, { state: 'void', cause: 'restored' }, (eb) => eb('createdAt', '<', restoredAt));
}

function campaignInState(eb: Waiting) {
  return eb
    .selectFrom('campaign')
    .select('campaign.sequence')
    .whereRef('campaign.workspaceId', '=', 'approval.workspaceId')
    .whereRef('campaign.id', '=', 'approval.subject')
    .whereRef('campaign.state', '=', 'approval.campaignState')
    .where('campaign.text', 'is not', null);
}

async function endAll(
  write: ApprovalWrite,
  ending: Ending,
  which: (eb: Waiting) => Expression<SqlBool>,
): Promise<ApprovalRow[]> {
  const rows = await write.transaction
    .updateTable('approval')
    .set({ ...ending, endedAt: write.now })
    .where('state', '=', 'waiting')
    .where(which)
    .returningAll()
    .execute();
  await afterEnd(write, rows);
  return rows;
}

/** Asks in the channel. */
export async function afterRequest(write: ApprovalWrite, row: ApprovalRow): Promise<void> {
  const { workspaceId, id: subjectId, requestedBy: userId, channelId } = row;
  const notice = { workspaceId, subject: 'approval' as const, subjectId, userId, channelId };
  await addNotices(write.transaction, [notice], write.now);
  await record(write, row, 'approval.request', userId);
}

/**
 * Shows the end of requests in their messages, tells who asked, and records it. A campaign that is a draft is kept from
 * now on as long as a new one.
 */
export async function afterEnd(write: ApprovalWrite, rows: readonly ApprovalRow[]): Promise<void> {
  const { transaction, now } = write;
  const notices = rows.flatMap(({ workspaceId, id: subjectId, requestedBy: userId, state }) => {
    const notice = { workspaceId, subjectId, userId };
    return [
      { ...notice, subject: 'approval_end' as const },
      ...(state === 'withdrawn' ? [] : [{ ...notice, subject: 'approval_news' as const }]),
    ];
  });
  // What was approved may become void at once, while its approval is being shown.
  await addNotices(transaction, notices, now, { renew: true });
  for (const row of rows) {
    const { workspaceId, kind, subject, state, endedBy } = row;
    if (kind === 'campaign') {
      await transaction
        .updateTable('campaign')
        .set({ stateChangedAt: now })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', subject)
        .where('state', '=', 'ready')
        .execute();
    }
    // What became void after it was approved was decided by nobody.
    await record(write, row, endActions[state], state === 'void' ? undefined : endedBy);
  }
}

const endActions = {
  waiting: 'approval.request',
  approved: 'approval.approve',
  rejected: 'approval.reject',
  withdrawn: 'approval.withdraw',
  expired: 'approval.expire',
  void: 'approval.void',
} as const satisfies Record<ApprovalRow['state'], string>;

async function record(
  { transaction, append }: ApprovalWrite,
  row: ApprovalRow,
  action: string,
  userId: string | undefined,
): Promise<void> {
  const { workspaceId, id, kind, subject, requestedBy, cause, recipients } = row;
  // What people call the campaign. A discarded one has no name.
  const campaign =
    kind === 'campaign'
      ? await transaction
          .selectFrom('campaign')
          .select('name')
          .where('workspaceId', '=', workspaceId)
          .where('id', '=', row.subject)
          .executeTakeFirst()
      : undefined;
  const details = {
    request: id,
    of: kind,
    requestedBy,
    ...(campaign !== undefined && { name: campaign.name }),
    ...(cause !== undefined && { cause }),
    ...(recipients !== undefined && { recipients }),
  };
  await append(transaction, [{ workspaceId, userId, action, subject, outcome: 'done', details }]);
}
