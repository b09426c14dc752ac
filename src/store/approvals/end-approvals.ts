import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { addNotices } from '../outbox/notice-rows.ts';
import type { Schema } from '../schema.ts';
import type { ApprovalRow } from './approvals.ts';

/** How a request ends; the time is set with it. */
type Ending = Pick<ApprovalRow, 'state'> & Partial<Pick<ApprovalRow, 'cause' | 'ended_by' | 'reason'>>;

type Waiting = ExpressionBuilder<Schema, 'approval'>;

/** Ends a request that waits. Resolves with undefined where it does not. */
export async function endWaiting(
  transaction: Transaction<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  ending: Ending,
  now: number,
): Promise<ApprovalRow | undefined> {
  const [row] = await endAll(transaction, ending, now, (eb) => eb.and({ workspace_id: workspaceId, id }));
  return row;
}

/**
 * Ends every request that waits for what is no longer so. Without a time to trust, none has expired.
 *
 * @param at when it is, for what expires
 */
export async function sweepApprovals(
  transaction: Transaction<Schema>,
  at: Date | undefined,
  now: number,
): Promise<ApprovalRow[]> {
  const isOfCampaign = (eb: Waiting) => eb('kind', '=', 'campaign');
  return [
    ...(await endAll(transaction, { state: 'void', cause: 'moved_on' }, now, (eb) =>
      eb.and([isOfCampaign(eb), eb.not(eb.exists(campaignInState(eb)))]),
    )),
    ...(await endAll(transaction, { state: 'void', cause: 'changed' }, now, (eb) =>
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
    ...(at === undefined
      ? []
      : await endAll(transaction, { state: 'expired' }, now, (eb) => eb('expires_at', '<=', at.getTime()))),
  ];
}

/** Makes every request that waits void: what was decided since the backup is not known. */
export async function voidApprovals(transaction: Transaction<Schema>, now: number): Promise<void> {
  await endAll(transaction, { state: 'void', cause: 'restored' }, now, (eb) => eb('state', '=', 'waiting'));
}

function campaignInState(eb: Waiting) {
  return eb
    .selectFrom('campaign')
    .select('campaign.sequence')
    .whereRef('campaign.workspace_id', '=', 'approval.workspace_id')
    .whereRef('campaign.id', '=', 'approval.subject')
    .whereRef('campaign.state', '=', 'approval.campaign_state')
    .where('campaign.text', 'is not', null);
}

async function endAll(
  transaction: Transaction<Schema>,
  ending: Ending,
  now: number,
  which: (eb: Waiting) => Expression<SqlBool>,
): Promise<ApprovalRow[]> {
  const rows = await transaction
    .updateTable('approval')
    .set({ ...ending, ended_at: now })
    .where('state', '=', 'waiting')
    .where(which)
    .returningAll()
    .execute();
  await afterEnd(transaction, rows, now);
  return rows;
}

/** Asks in the channel. */
export async function noticesOfRequest(
  transaction: Transaction<Schema>,
  { workspace_id: workspaceId, id: subjectId, requested_by: userId, channel_id: channelId }: ApprovalRow,
  now: number,
): Promise<void> {
  await addNotices(transaction, [{ workspaceId, subject: 'approval', subjectId, userId, channelId }], now);
}

/**
 * Shows the end of requests in their messages, and tells who asked. A campaign that is a draft is kept from now on as
 * long as a new one.
 */
export async function afterEnd(
  transaction: Transaction<Schema>,
  rows: readonly ApprovalRow[],
  now: number,
): Promise<void> {
  const notices = rows.flatMap(
    ({ workspace_id: workspaceId, id: subjectId, requested_by: userId, state }) => {
      const notice = { workspaceId, subjectId, userId };
      return [
        { ...notice, subject: 'approval_end' as const },
        ...(state === 'withdrawn' ? [] : [{ ...notice, subject: 'approval_news' as const }]),
      ];
    },
  );
  await addNotices(transaction, notices, now);
  for (const { workspace_id, subject } of rows.filter(({ kind }) => kind === 'campaign')) {
    await transaction
      .updateTable('campaign')
      .set({ state_changed_at: now })
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', subject)
      .where('state', '=', 'ready')
      .execute();
  }
}
