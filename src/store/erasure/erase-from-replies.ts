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
        .selectFrom('replyThread')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(person.number));
      const { numDeletedRows } = await transaction
        .deleteFrom('inboundMessage')
        .where('workspaceId', '=', workspaceId)
        .where('threadId', 'in', threads)
        .executeTakeFirst();
      counts.texts += Number(numDeletedRows);
      await transaction
        .deleteFrom('replyThread')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(person.number))
        .execute();
    });
  }
  counts.texts += await eraseFromColumn(context, encryptedColumn('inboundMessage', 'content'), (json) =>
    JSON.stringify(eraseFromJson(JSON.parse(json), person)),
  );
}
