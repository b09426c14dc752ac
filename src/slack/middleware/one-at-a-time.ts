/**
 * Ignores a click while the work of the same click is under way: two quick clicks on one button are two requests with ids of
 * their own. `clicked` tells what was clicked, and by whom or where.
 */
export type OneAtATime = (clicked: readonly unknown[], work: () => Promise<void>) => Promise<void>;

export function createOneAtATime(): OneAtATime {
  const underway = new Set<string>();
  return async (clicked, work) => {
    const key = JSON.stringify(clicked);
    if (!underway.has(key)) {
      underway.add(key);
      await work().finally(() => underway.delete(key));
    }
  };
}
