import { addNotices } from '../outbox/notices.ts';
import { typed } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { ReplyRepository, ReplyStoreOptions } from './replies.ts';

/** Messages that are nowhere in Slack: kept until a channel is chosen that it takes them in. */
export function createUnpostedReplies({
  db,
}: ReplyStoreOptions): Pick<ReplyRepository, 'noteUnposted' | 'countUnposted' | 'repost'> {
  return {
    async noteUnposted({ workspaceId, id }) {
      await db
        .updateTable('inbound_message')
        .set({ unposted: 1 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async countUnposted(workspaceId) {
      const { count } = await db
        .selectFrom('inbound_message')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .where('unposted', '=', 1)
        .executeTakeFirstOrThrow();
      return count;
    },

    repost: (workspaceId, { channelId, userId }) =>
      inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('outbox')
          .set({ channel_id: channelId, user_id: userId })
          .where('workspace_id', '=', workspaceId)
          .where('subject', '=', 'reply')
          .where('channel_error', 'is', null)
          .where('repeated', '=', 0)
          .where('lease', 'is', null)
          .execute();
        const unposted = await transaction
          .updateTable('inbound_message')
          .set({ unposted: null })
          .where('workspace_id', '=', workspaceId)
          .where('unposted', '=', 1)
          // One that is just being noted has its notice until that ends: it is posted the next time.
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('outbox')
                  .select('outbox.subject_id')
                  .where('outbox.workspace_id', '=', workspaceId)
                  .where('outbox.subject', '=', 'reply')
                  .whereRef('outbox.subject_id', '=', 'inbound_message.id'),
              ),
            ),
          )
          .returning(['id', 'created_at'])
          .execute();
        for (const { id, created_at: dueAt } of unposted) {
          const notice = { workspaceId, subject: 'reply' as const, subjectId: id, userId, channelId };
          // Due when it came in: so the oldest is posted first.
          await addNotices(typed(transaction), [notice], new Date(dueAt));
        }
      }),
  };
}
