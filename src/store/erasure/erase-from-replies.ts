import { lockNumbers } from '../encryption/phone-hashes.ts';
import { encryptedColumn } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { eraseFromJson } from './erased-person.ts';
import { type ErasureContext, eraseFromColumn } from './erasure-context.ts';

/** What the person wrote, and what others wrote of their number. */
export async function eraseFromReplies(context: ErasureContext): Promise<void> {
  const { db, person, counts } = context;
  for (const [workspaceId, hash] of person.hashers) {
    await inTransaction(db, async (transaction) => {
      await lockNumbers(transaction, workspaceId);
      const threads = transaction
        .selectFrom('reply_thread')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('hash', '=', hash(person.number));
      const { numDeletedRows } = await transaction
        .deleteFrom('inbound_message')
        .where('workspace_id', '=', workspaceId)
        .where('thread_id', 'in', threads)
        .executeTakeFirst();
      counts.texts += Number(numDeletedRows);
      await transaction
        .deleteFrom('reply_thread')
        .where('workspace_id', '=', workspaceId)
        .where('hash', '=', hash(person.number))
        .execute();
    });
  }
  counts.texts += await eraseFromColumn(context, encryptedColumn('inboundMessage', 'content'), (json) =>
    JSON.stringify(eraseFromJson(JSON.parse(json), person)),
  );
}
