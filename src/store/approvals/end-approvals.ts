import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { maskPersonal } from '../../lib/redact.ts';
import type { AppendAudit } from '../audit/audit-trail.ts';
import { addNotices } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import type { ApprovalKey, ApprovalRow } from './approvals.ts';

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

/** Ends every request that has expired, or that waits for what is no longer so. */
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
              .whereRef('campaign.recipients', '=', 'approval.recipients')
              .whereRef('campaign.suppressed', '=', 'approval.suppressed'),
          ),
        ),
      ]),
    )),
    ...(await endAll(write, { state: 'expired' }, (eb) => eb('expiresAt', '<=', at))),
  ];
}

/** Makes the requests void that waited when the data was restored: what was decided since is not known. */
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
  const name = kind === 'campaign' ? await nameOf(transaction, row) : undefined;
  const details = {
    request: id,
    of: kind,
    requestedBy,
    ...(name !== undefined && { name }),
    ...(cause !== undefined && { cause }),
    ...(recipients !== undefined && { recipients }),
  };
  await append(transaction, [{ workspaceId, userId, action, subject, outcome: 'done', details }]);
}

/** What people call the campaign, masked as in its own entries. A discarded one has none. */
async function nameOf(
  transaction: Transaction<Schema>,
  { workspaceId, subject }: ApprovalRow,
): Promise<string | undefined> {
  const campaign = await transaction
    .selectFrom('campaign')
    .select('name')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', subject)
    .executeTakeFirst();
  return campaign && maskPersonal(campaign.name);
}
