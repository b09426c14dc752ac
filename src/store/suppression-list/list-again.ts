import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Notes of those of the numbers that are on the list that they are put there once more: a start from before that takes none
 * of them off. Returns how many are on it.
 */
export async function noteListedAgain(
  db: Kysely<Schema>,
  { workspaceId, hashes, now }: { workspaceId: string; hashes: readonly string[]; now: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('suppression')
    .set({ listed_again_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
