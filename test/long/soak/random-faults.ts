import type { SlackFault } from '../../../sandbox/slack/web-api/faults.ts';

/** Faults of Slack: before and after it handles a call, with and without a response. */
const faults: readonly SlackFault[] = [
  { status: 503 },
  { status: 503, after: true },
  { cut: true },
  { cut: true, after: true },
  { status: 429, retryAfter: 1 },
  { delay: 1_500 },
];

/** Returns a generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a function that chooses faults for a share of the calls to Slack. */
export function createRandomFaults(share: number, random: () => number) {
  let calls = 0;
  let failed = 0;
  return {
    choose(): SlackFault | undefined {
      calls += 1;
      if (random() >= share) {
        return undefined;
      }
      failed += 1;
      return faults[Math.floor(random() * faults.length)];
    },
    figures: () => ({ calls, failed }),
  };
}
