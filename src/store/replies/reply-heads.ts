import { sql } from 'kysely';
import { addNotices } from '../outbox/notices.ts';
import { typed } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { ReplyRepository, ReplyStoreOptions } from './replies.ts';
import { threadNotice } from './thread-changes.ts';

/** Which message is at the head of a thread: one in its channel, however many instances post. */
export function createReplyHeads({
  db,
  clock,
}: ReplyStoreOptions): Pick<
  ReplyRepository,
  'place' | 'setHead' | 'dropHead' | 'dropThread' | 'replaceHead'
> {
  return {
    async place({ workspaceId, id, threadId }, channelId) {
      const claimed = await db
        .updateTable('reply_thread')
        .set({ head_id: id, message_channel: null, message_ts: null })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', threadId)
        .where((eb) =>
          eb.or([
            eb('head_id', 'is', null),
            eb.and([eb('head_id', '=', id), eb('message_ts', 'is', null)]),
            // The workspace has chosen another channel.
            eb('message_channel', '<>', channelId),
          ]),
        )
        .returning('id')
        .executeTakeFirst();
      if (claimed !== undefined) {
        return 'head';
      }
      const posted = await db
        .selectFrom('reply_thread')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', threadId)
        .where('message_ts', 'is not', null)
        .executeTakeFirst();
      return posted === undefined ? 'later' : 'thread';
    },

    setHead: ({ workspaceId, id, headId, version: shown }, { channel, ts }) =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('reply_thread')
          .set({ message_channel: channel, message_ts: ts })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('head_id', '=', headId ?? '')
          .returning(['version', 'last_by'])
          .executeTakeFirst();
        if (row !== undefined && row.version !== shown) {
          const notice = threadNotice({ workspaceId, id }, row.version, row.last_by);
          await addNotices(typed(transaction), [notice], clock());
        }
      }),

    async dropHead(workspaceId, messageId) {
      await db
        .updateTable('reply_thread')
        .set({ head_id: null })
        .where('workspace_id', '=', workspaceId)
        .where('head_id', '=', messageId)
        .where('message_ts', 'is', null)
        .execute();
    },

    async dropThread({ workspaceId, id, message }) {
      await db
        .updateTable('reply_thread')
        .set({ head_id: null, message_channel: null, message_ts: null })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('message_channel', '=', message?.channel ?? '')
        .where('message_ts', '=', message?.ts ?? '')
        .execute();
    },

    replaceHead: ({ workspaceId, id, message }, { messageId, channel, ts }) =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('reply_thread')
          .set({
            head_id: messageId,
            message_channel: channel,
            message_ts: ts,
            version: sql<number>`version + 1`,
          })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where((eb) =>
            eb.or([
              eb.and([
                eb('message_channel', '=', message?.channel ?? ''),
                eb('message_ts', '=', message?.ts ?? ''),
              ]),
              // It was dropped meanwhile.
              eb('head_id', 'is', null),
            ]),
          )
          .returning(['version', 'last_by'])
          .executeTakeFirst();
        if (row !== undefined) {
          const notice = threadNotice({ workspaceId, id }, row.version, row.last_by);
          await addNotices(typed(transaction), [notice], clock());
        }
      }),
  };
}
