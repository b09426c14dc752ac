import { once } from 'node:events';
import type { Wait } from '../../sandbox/provider/http/send-reply.ts';

/** Slow answers of the provider's that come when the test says, in place of when some time has passed. */
export interface HeldAnswers {
  /** For the provider to wait by. */
  wait: Wait;
  /** Resolves when the first answer is held back. */
  arrived: Promise<void>;
  /** Resolves when so many answers have been held back. */
  held(count: number): Promise<void>;
  /** Lets every answer go, now and from now on. */
  release(): void;
}

/** Released when the test ends at the latest: call this before what is stopped then, so that nothing waits in vain. */
export function heldAnswers(test: { after(release: () => void): void }): HeldAnswers {
  const watchers = new Set<() => void>();
  let count = 0;
  const held = (wanted: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (count >= wanted) {
          resolve();
        }
      };
      watchers.add(look);
      look();
    });
  const release = Promise.withResolvers<void>();
  test.after(() => release.resolve());
  return {
    async wait(_, signal) {
      count += 1;
      for (const look of watchers) {
        look();
      }
      await Promise.race([release.promise, once(signal, 'abort')]);
    },
    arrived: held(1),
    held,
    release: release.resolve,
  };
}
