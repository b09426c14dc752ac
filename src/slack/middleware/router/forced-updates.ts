/**
 * Updates of modals that replace whatever is shown, under way to Slack. The acknowledgement of a submission waits for them:
 * one that overtook it would be replaced by the form.
 */
export interface ForcedUpdates {
  add(viewId: string, update: Promise<unknown>): void;
  /** Resolves when none of those of a view is under way. Never rejects. */
  settled(viewId: string): Promise<void>;
}

export function createForcedUpdates(): ForcedUpdates {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    add(viewId, update) {
      const all = Promise.allSettled([underWay.get(viewId), update]).finally(() => {
        if (underWay.get(viewId) === all) {
          underWay.delete(viewId);
        }
      });
      underWay.set(viewId, all);
    },
    async settled(viewId) {
      await underWay.get(viewId);
    },
  };
}
