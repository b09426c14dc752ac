import { noticeOf } from '../operations/operation-row.ts';
import { isFree } from '../outbox/notice-leases.ts';
import { addNotices } from '../outbox/notice-rows.ts';
import { inTransaction } from '../transaction.ts';
import type { FollowOptions } from './follow-deliveries.ts';

/**
 * Has the messages of Slack changed that show the operations of these messages of the provider. Returns how many, and the
 * provider’s ids of those that are being changed just now: what they show may have been read before.
 */
export function addDeliveryNotices(
  { db, databaseNow, clock }: FollowOptions,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<{ added: number; busy: Set<string> }> {
  return inTransaction(db, async (transaction) => {
    const shown = await transaction
      .selectFrom('operation')
      .select(['id', 'workspace_id', 'user_id', 'channel_id', 'provider_id'])
      .where('workspace_id', '=', workspaceId)
      .where('provider_id', 'in', providerIds)
      .where('message_ts', 'is not', null)
      .execute();
    if (shown.length === 0) {
      return { added: 0, busy: new Set<string>() };
    }
    const ids = shown.map(({ id }) => id);
    const waiting = transaction
      .selectFrom('outbox')
      .select('subject_id')
      .where('workspace_id', '=', workspaceId)
      .where('subject', '=', 'delivery')
      .where('subject_id', 'in', ids);
    const locked = await waiting.forUpdate().execute();
    const free = new Set((await waiting.where(isFree(databaseNow())).execute()).map((row) => row.subject_id));
    const busy = new Set(locked.map((row) => row.subject_id).filter((id) => !free.has(id)));
    const notices = shown.filter(({ id }) => !busy.has(id));
    await addNotices(
      transaction,
      notices.map((row) => ({ ...noticeOf(row), subject: 'delivery' as const })),
      clock().getTime(),
    );
    return {
      added: notices.length,
      busy: new Set(shown.flatMap((row) => (busy.has(row.id) ? (row.provider_id ?? []) : []))),
    };
  });
}
