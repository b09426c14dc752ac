/**
 * How fast a workspace's campaigns go: so many messages a second at most, half as fast after each time that the
 * provider asks for less, and then faster again bit by bit. It goes by a clock that nobody can set.
 */
export interface RateLimiter {
  /** How many chunks of so many messages may start now. */
  chunks(size: number): number;
  /** In milliseconds: until the next chunk may start. */
  wait(): number;
  /** Fewer than none: they were counted and do not start. */
  started(messages: number): void;
  /** The provider took one. */
  wentWell(): void;
  /** The provider asks for less, or is out of reach. `pause` is how many milliseconds it asks to wait, where it does. */
  slowDown(pause?: number): void;
  /** In milliseconds: for how long nothing starts because of that. */
  held(): number;
}

const firstPause = 1_000;
const longestPause = 60_000;
/** After that it is tried again, whatever the provider asked: a timer cannot take every number, nor a campaign. */
const longestAsked = 60 * 60_000;
const slowest = 1;
/** In seconds: so much of what could have started and did not may start at once. */
const madeUpFor = 0.1;
/** So many that go well bring it back to its full speed. */
const stepsBack = 50;

/** A rate's credit: at least one message, or none would ever start. */
function most(rate: number): number {
  return Math.max(1, rate * madeUpFor);
}

export function createRateLimiter(options: { perSecond: number; now?: () => number }): RateLimiter {
  const { perSecond, now = () => performance.now() } = options;
  let rate = perSecond;
  /** Below nought, the next one waits: a chunk is never cut to fit. */
  let credit = most(perSecond);
  let creditedAt = now();
  let heldUntil = 0;
  let troubles = 0;

  function refill(): void {
    const at = now();
    credit = Math.min(most(rate), credit + ((at - creditedAt) / 1000) * rate);
    creditedAt = at;
  }

  const held = () => Math.max(0, heldUntil - now());

  return {
    held,
    chunks(size) {
      refill();
      return held() > 0 || credit <= 0 ? 0 : Math.ceil(credit / size);
    },
    wait() {
      refill();
      return Math.max(held(), credit > 0 ? 0 : (1 - credit) * (1000 / rate));
    },
    started(messages) {
      refill();
      credit -= messages;
    },
    wentWell() {
      troubles = 0;
      rate = Math.min(perSecond, rate + perSecond / stepsBack);
    },
    slowDown(pause) {
      // Those in flight together are refused together: that is one trouble.
      if (held() === 0) {
        refill();
        troubles += 1;
        rate = Math.max(Math.min(slowest, perSecond), rate / 2);
      }
      const own = Math.min(longestPause, firstPause * 2 ** (troubles - 1));
      heldUntil = Math.max(heldUntil, now() + Math.min(longestAsked, pause ?? own));
    },
  };
}
