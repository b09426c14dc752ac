import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { lockNumbers } from '../encryption/phone-hashes.ts';
import { addNotices } from '../outbox/notices.ts';
import { type Schema, typed } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { NewReply, ReplyStoreOptions } from './replies.ts';
import { writeMessageContent, writeThreadContent } from './reply-rows.ts';
import { threadNotice } from './thread-changes.ts';

/** Stores a message with its notices. Resolves with false where it is known. */
export async function takeReply(
  reply: NewReply,
  { db, encryption, phoneHashes, clock }: ReplyStoreOptions,
): Promise<boolean> {
  const { workspaceId, number, receiver, channel, text, answer, confirmation, notify } = reply;
  const hash = await phoneHashes.hasher(workspaceId);
  const now = clock().getTime();
  const id = randomUUID();
  const content = writeMessageContent({ text, answer, confirmation }, { workspaceId, id, encryption });
  const write = (threadId: string) =>
    writeThreadContent({ number, receiver, channel }, { workspaceId, id: threadId, encryption });

  return inTransaction(db, async (transaction) => {
    // The erasure of a number follows, or has ended.
    await lockNumbers(transaction, workspaceId);
    const key = { workspaceId, hash: hash(number), now };
    const thread = await findOrCreate(transaction, key, write);
    const inserted = await transaction
      .insertInto('inbound_message')
      .values({
        workspace_id: workspaceId,
        id,
        thread_id: thread.id,
        digest: hash(reply.identity),
        content,
        created_at: now,
        confirmation: confirmation === undefined ? null : 'pending',
        unposted: notify === undefined ? 1 : null,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'digest']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) {
      return false;
    }
    const version = thread.version + 1;
    await transaction
      .updateTable('reply_thread')
      .set({ content: write(thread.id), last_by: '', last_at: now, version })
      // Somebody is at it unless it is done.
      .$if(thread.state === 'done', (query) => query.set({ state: 'open', assigned_to: null }))
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', thread.id)
      .execute();
    await addNotices(
      typed(transaction),
      [
        ...(notify === undefined
          ? []
          : [{ workspaceId, subject: 'reply' as const, subjectId: id, ...notify }]),
        threadNotice({ workspaceId, id: thread.id }, version, notify?.userId ?? ''),
      ],
      new Date(now),
    );
    return true;
  });
}

/** Returns the thread of a number, locked until the transaction ends. */
async function findOrCreate(
  transaction: Transaction<Schema>,
  { workspaceId, hash, now }: { workspaceId: string; hash: string; now: number },
  write: (threadId: string) => string,
) {
  const id = randomUUID();
  await transaction
    .insertInto('reply_thread')
    .values({
      workspace_id: workspaceId,
      id,
      hash,
      content: write(id),
      state: 'open',
      last_by: '',
      last_at: now,
      version: 0,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'hash']).doNothing())
    .execute();
  return transaction
    .selectFrom('reply_thread')
    .select(['id', 'state', 'version'])
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
