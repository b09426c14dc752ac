import type { Context } from '../context.ts';

interface Owner {
  workspaceId: string;
  userId: string;
}

/**
 * What a user has filled in or looked up, for their next step, which may be on another instance: kept encrypted, for a
 * day, each for the user alone. A name is made of ids.
 */
export interface KeptForms {
  find(owner: Owner, name: string): Promise<unknown>;
  keep(owner: Owner, name: string, value: unknown): Promise<void>;
  drop(owner: Owner, name: string): Promise<void>;
  /** Replaces what is kept in one step, however many instances do. */
  change(owner: Owner, name: string, change: (value: unknown) => unknown): Promise<void>;
}

/** In milliseconds. */
const keptFor = 24 * 60 * 60_000;

export function createKeptForms({ store: { keyv, updateValue } }: Context): KeptForms {
  const keyOf = (userId: string, name: string) => `${userId}.${name}`;
  return {
    find: ({ workspaceId, userId }, name) => keyv(workspaceId, 'forms').get(keyOf(userId, name)),
    async keep({ workspaceId, userId }, name, value) {
      await keyv(workspaceId, 'forms').set(keyOf(userId, name), value, keptFor);
    },
    async drop({ workspaceId, userId }, name) {
      await keyv(workspaceId, 'forms').delete(keyOf(userId, name));
    },
    change: ({ workspaceId, userId }, name, change) =>
      updateValue({ workspaceId, area: 'forms', key: keyOf(userId, name) }, (value) => ({
        set: change(value),
        ttl: keptFor,
      })),
  };
}
