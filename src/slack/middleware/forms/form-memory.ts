import { LRUCache } from 'lru-cache';
import { type Forgetting, workspaceKey } from '../../../lib/forgetting.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

const maxViews = 1_000;

/**
 * Remembers what was entered in each view, fields that are hidden now included: where one choice removes fields and
 * another restores them, they keep their values. Only to save typing; a restart forgets it all.
 */
export function createFormMemory(
  forgetting: Forgetting,
): (owner: { workspaceId: string; userId: string }, viewId: string, values: FormValues) => FormValues {
  const views = new LRUCache<string, FormValues>({ max: maxViews });
  forgetting.cache(views);
  return ({ workspaceId, userId }, viewId, values) => {
    const key = workspaceKey(workspaceId, userId, viewId);
    const merged = { ...views.get(key), ...values };
    views.set(key, merged);
    return merged;
  };
}
