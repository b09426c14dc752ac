import { once } from 'node:events';
import type { Wait } from '../../../sandbox/provider/http/replies.ts';

/** Slow responses of the provider that the test releases. */
export interface HeldResponses {
  /** Passed to the provider as its way to wait. */
  wait: Wait;
  /** Resolves when the first response is held. */
  arrived: Promise<void>;
  /** Resolves when `count` responses are held. */
  held(count: number): Promise<void>;
  /** Releases every response, held and future. */
  release(): void;
}

/** Released at the end of the test at the latest. Call it before starting what is stopped then, which would wait otherwise. */
export function heldResponses(test: { after(release: () => void): void }): HeldResponses {
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
