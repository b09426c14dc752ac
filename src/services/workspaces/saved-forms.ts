import type { Context } from '../context.ts';

interface Owner {
  workspaceId: string;
  userId: string;
}

/** In milliseconds. */
const savedFor = 24 * 60 * 60_000;

export type SavedForms = ReturnType<typeof createSavedForms>;

/**
 * What a user has filled in or looked up, for their next step, which may be on another instance: stored encrypted, for a
 * day unless said otherwise, each for the user alone. A name is made of ids.
 */
export function createSavedForms({ store: { keyv, updateValue } }: Context) {
  const keyOf = (userId: string, name: string) => `${userId}.${name}`;
  const forms = (workspaceId: string) => keyv(workspaceId, 'forms');
  return {
    find: ({ workspaceId, userId }: Owner, name: string): Promise<unknown> =>
      forms(workspaceId).get(keyOf(userId, name)),

    /** @param ttl in milliseconds */
    async save({ workspaceId, userId }: Owner, name: string, value: unknown, ttl = savedFor): Promise<void> {
      await forms(workspaceId).set(keyOf(userId, name), value, ttl);
    },

    async delete({ workspaceId, userId }: Owner, name: string): Promise<void> {
      await forms(workspaceId).delete(keyOf(userId, name));
    },

    /**
     * Replaces the saved form atomically, even across instances.
     *
     * @param within the transaction to take part in, if any
     * @param ttl in milliseconds
     */
    change: (
      { workspaceId, userId }: Owner,
      name: string,
      change: (value: unknown) => unknown,
      within?: Parameters<typeof updateValue>[2],
      ttl = savedFor,
    ): Promise<void> =>
      updateValue(
        { workspaceId, area: 'forms', key: keyOf(userId, name) },
        (value) => ({ set: change(value), ttl }),
        within,
      ),
  };
}
