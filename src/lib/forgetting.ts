import { type Broadcast, noOthers } from './broadcast.ts';

/**
 * Tells everything that keeps something of a workspace in memory when the workspace is deleted, on this instance and the
 * others.
 */
export interface Forgetting {
  /** Has the entries of a cache deleted with their workspace. Its keys come from `workspaceKey`. */
  cache(cache: { keys(): Iterable<string>; delete(key: string): unknown }): void;
  forget(workspaceId: string): void;
}

/** Returns the key of a cache's entry that belongs to a workspace. */
export function workspaceKey(workspaceId: string, ...rest: readonly unknown[]): string {
  return JSON.stringify([workspaceId, ...rest]);
}

const topic = 'caches';

export function createForgetting(broadcast: Broadcast = noOthers): Forgetting {
  const caches: Parameters<Forgetting['cache']>[0][] = [];

  function drop(workspaceId: string | undefined): void {
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

  broadcast.on(topic, drop);
  return {
    cache: (cache) => void caches.push(cache),
    forget(workspaceId) {
      drop(workspaceId);
      broadcast.send(topic, workspaceId);
    },
  };
}
