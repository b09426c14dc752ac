import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Broadcast } from '../../../lib/broadcast.ts';

/** Each returns a function that tells whether what was done is still the latest in its view. */
export interface LatestActions {
  /** A view was opened, which nobody has acted in yet. */
  opened(workspaceId: string, viewId: string): () => boolean;
  /** A user acted in a view. `at`: when, by Slack's clock, in seconds. Without it, after all that is known. */
  acted(workspaceId: string, viewId: string, at?: string): () => boolean;
}

const maxViews = 10_000;
/** In seconds: the step of Slack's times. */
const justAfter = 0.000_001;
/** In seconds: less than what passes between two actions of a person. */
const sameTime = 0.001;

const toldSchema = z.tuple([z.string(), z.number()]);

/**
 * The other instances are told of each action. As all go by Slack's time, each comes to know the same latest one. Where
 * one learns of it too late, the user sees the answer to their earlier action, until they act again.
 */
export function createLatestActions(broadcast: Broadcast): LatestActions {
  const latest = new LRUCache<string, number>({ max: maxViews });
  const latestOf = (view: string) => latest.get(view) ?? 0;
  const nameOf = (workspaceId: string, viewId: string) => JSON.stringify([workspaceId, viewId]);

  broadcast.on('action', (told) => {
    if (told === undefined) {
      return;
    }
    const [view, at] = toldSchema.parse(JSON.parse(told));
    latest.set(view, Math.max(at, latestOf(view)));
  });

  function guard(view: string, at: number): () => boolean {
    latest.set(view, at);
    return () => latestOf(view) === at;
  }

  return {
    opened: (workspaceId, viewId) => {
      const view = nameOf(workspaceId, viewId);
      return guard(view, latestOf(view) + justAfter);
    },
    acted(workspaceId, viewId, at) {
      const view = nameOf(workspaceId, viewId);
      const time = Number(at);
      if (time < latestOf(view) - sameTime) {
        return () => false;
      }
      const isLatest = guard(view, time > latestOf(view) ? time : latestOf(view) + justAfter);
      broadcast.send('action', JSON.stringify([view, latestOf(view)]));
      return isLatest;
    },
  };
}
