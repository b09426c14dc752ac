/**
 * How much work was done, as a number that is the same on every machine: rounds of loops, calls of functions, steps of
 * patterns, and characters or items that a built-in function goes through.
 */
let steps = 0;
let most = Number.POSITIVE_INFINITY;
let counts = false;

/** Thrown where a call would take so many steps that nobody should wait for it. */
class TooManySteps extends Error {}

export function addSteps(count: number): void {
  if (!counts) {
    return;
  }
  steps += count;
  if (steps > most) {
    counts = false;
    throw new TooManySteps();
  }
}

export const isCounting = (): boolean => counts;

/** Does something whose steps don't count. */
export function uncounted<T>(work: () => T): T {
  const before = counts;
  counts = false;
  try {
    return work();
  } finally {
    counts = before;
  }
}

/** Returns how many steps something takes, or infinity if these are more than `limit`. */
export async function countSteps(work: () => unknown, limit: number): Promise<number> {
  steps = 0;
  most = limit;
  counts = true;
  try {
    await work();
  } catch (error) {
    if (steps <= limit) {
      throw error;
    }
  } finally {
    counts = false;
  }
  return steps > limit ? Number.POSITIVE_INFINITY : steps;
}
