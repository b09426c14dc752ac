import type { ErasureContext } from './erasure-context.ts';

/** What stands for a recipient that was erased: their codes still count for who sent them. */
const erasedRecipient = 'erased';

/** Removes the person from what counts towards the limits, and from what admins see of it. */
export async function eraseFromLimits({ db, person, counts }: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of person.hashers) {
    const recipient = hash(person.number);
    const windows = await db
      .deleteFrom('limit_window')
      .where('workspace_id', '=', workspaceId)
      .where('key', 'in', [
        `codes/recipient/${recipient}/hour`,
        `codes/recipient/${recipient}/day`,
        `codes/again/${recipient}`,
      ])
      .executeTakeFirst();
    const codes = await db
      .updateTable('limit_code')
      .set({ recipient: erasedRecipient, block: null })
      .where('workspace_id', '=', workspaceId)
      .where('recipient', '=', recipient)
      .executeTakeFirst();
    const reached = await db
      .deleteFrom('limit_reached')
      .where('workspace_id', '=', workspaceId)
      .where((eb) =>
        eb.or([
          eb('subject', 'like', `%${recipient}%`),
          eb('reached', 'like', `%"shown":"${person.masked}"%`),
        ]),
      )
      .executeTakeFirst();
    counts.values += Number(windows.numDeletedRows + codes.numUpdatedRows + reached.numDeletedRows);
  }
}
