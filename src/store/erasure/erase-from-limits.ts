import type { ErasureContext } from './erasure-context.ts';

/** Removes the hash of the person from the limits on codes: what counts towards them, and what was refused. */
export async function eraseFromLimits({ db, person, counts }: ErasureContext): Promise<void> {
  for (const [workspaceId, hashNumber] of person.hashers) {
    const hash = hashNumber(person.number);
    const codes = await db
      .deleteFrom('limit_code')
      .where('workspace_id', '=', workspaceId)
      .where('recipient', '=', hash)
      .executeTakeFirst();
    const windows = await db
      .deleteFrom('limit_window')
      .where('workspace_id', '=', workspaceId)
      .where('key', 'like', `%/${hash}/%`)
      .executeTakeFirst();
    const reached = await db
      .deleteFrom('limit_reached')
      .where('workspace_id', '=', workspaceId)
      .where('subject', 'like', `%/${hash}%`)
      .executeTakeFirst();
    counts.values += Number(codes.numDeletedRows + windows.numDeletedRows + reached.numDeletedRows);
  }
}
