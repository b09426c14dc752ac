import { sql } from 'kysely';
import type { ErasureContext } from './erasure-context.ts';

/** Removes the person from what counts towards the limits, and from what admins see of it. */
export async function eraseFromLimits({ db, person, counts }: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of person.hashers) {
    const recipient = hash(person.number);
    const windows = await db
      .deleteFrom('limitWindow')
      .where('workspaceId', '=', workspaceId)
      .where('key', 'in', [
        `codes/recipient/${recipient}/hour`,
        `codes/recipient/${recipient}/day`,
        `codes/again/${recipient}`,
      ])
      .executeTakeFirst();
    const reached = await db
      .deleteFrom('limitReached')
      .where('workspaceId', '=', workspaceId)
      .where((eb) =>
        eb.or([
          eb('subject', 'like', `%${recipient}%`),
          sql<boolean>`reached like ${`%"shown":"${person.masked}"%`}`,
        ]),
      )
      .executeTakeFirst();
    counts.values += Number(windows.numDeletedRows + reached.numDeletedRows);
  }
}
