import type { ErasureContext } from './erasure-context.ts';

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
    counts.values += Number(windows.numDeletedRows + reached.numDeletedRows);
  }
}
