import type { ErasureContext } from './erasure-context.ts';

/** What was reported of messages to the person. Their texts are in no row. */
export async function eraseFromDeliveries({ db, person }: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of person.hashers) {
    for (const table of ['delivery', 'messageClaim'] as const) {
      await db
        .deleteFrom(table)
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(person.number))
        .execute();
    }
  }
}
