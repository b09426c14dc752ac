import { type Broadcast, noOthers } from './broadcast.ts';

/** Returns the key of a cache's entry that belongs to a workspace. */
export function workspaceKey(workspaceId: string, ...rest: readonly unknown[]): string {
  return JSON.stringify([workspaceId, ...rest]);
}

interface Cache {
  keys(): Iterable<string>;
  delete(key: string): unknown;
}

const topic = 'caches';

export type WorkspaceCaches = ReturnType<typeof createWorkspaceCaches>;

/**
 * The caches in memory that hold something of workspaces. What they hold of a workspace is deleted with it, on this
 * instance and the others.
 */
export function createWorkspaceCaches(broadcast: Broadcast = noOthers) {
  const caches: Cache[] = [];

  function deleteEntries(workspaceId: string | undefined): void {
    // What every key of the workspace begins with, and no key of another.
    const beginning = workspaceId === undefined ? undefined : workspaceKey(workspaceId).slice(0, -1);
    for (const cache of caches) {
      for (const key of [...cache.keys()]) {
        if (beginning === undefined || key === `${beginning}]` || key.startsWith(`${beginning},`)) {
          cache.delete(key);
        }
      }
    }
  }

  broadcast.on(topic, deleteEntries);
  return {
    /** Adds a cache whose keys come from `workspaceKey`. */
    add: (cache: Cache): void => void caches.push(cache),
    drop(workspaceId: string): void {
      deleteEntries(workspaceId);
      broadcast.send(topic, workspaceId);
    },
  };
}
