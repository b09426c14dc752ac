import { once } from 'node:events';
import type { Wait } from '../../src/sandbox/provider/sending.ts';

/** Slow answers of the provider's that come when the test says, in place of when some time has passed. */
export interface HeldAnswers {
  /** For the provider to wait by. */
  wait: Wait;
  /** Resolves when the first answer is held back. */
  arrived: Promise<void>;
  /** Lets every answer go, now and from now on. */
  release(): void;
}

/** Released when the test ends at the latest: call this before what is stopped then, so that nothing waits in vain. */
export function heldAnswers(test: { after(release: () => void): void }): HeldAnswers {
  const arrival = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  test.after(() => release.resolve());
  return {
    async wait(_, signal) {
      arrival.resolve();
      await Promise.race([release.promise, once(signal, 'abort')]);
    },
    arrived: arrival.promise,
    release: release.resolve,
  };
}
