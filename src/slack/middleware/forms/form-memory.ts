import { keepLatest } from '../../../lib/lru-cache.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

const rememberedViews = 1_000;

/**
 * What was filled in of each view, also in fields that are not shown now. Where one choice takes fields away and another
 * brings them back, they come back as they were. Only to save typing: a restart forgets it all.
 */
export function createFormMemory(): (userId: string, viewId: string, values: FormValues) => FormValues {
  const views = keepLatest<FormValues>(rememberedViews);
  return (userId, viewId, values) => {
    const key = JSON.stringify([userId, viewId]);
    const filledIn = { ...views.get(key), ...values };
    views.keep(key, filledIn);
    return filledIn;
  };
}
