import { LRUCache } from 'lru-cache';
import type { Values } from '../block-kit/view-state.ts';

const rememberedViews = 1_000;

/**
 * What was filled in of each view, also in fields that are not shown now. Where one choice takes fields away and another
 * brings them back, they come back as they were. Only to save typing: a restart forgets it all.
 */
export function createFormMemory(): (userId: string, viewId: string, values: Values) => Values {
  const views = new LRUCache<string, Values>({ max: rememberedViews });
  return (userId, viewId, values) => {
    const key = JSON.stringify([userId, viewId]);
    const filledIn = { ...views.get(key), ...values };
    views.set(key, filledIn);
    return filledIn;
  };
}
