import type { Stopwatch } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';

const minPauseMs = 500;
const maxPauseMs = 30_000;
/** What is lost sooner than this after it was opened is not opened again at once: Slack may drop each one it accepts. */
const steadyMs = 5_000;

export interface ReconnectingSocket {
  isOpen(): boolean;
  /** Opens it the first time. Throws where that fails. */
  open(): Promise<void>;
  /** To be called when it is lost. Resolves once it is open again, or `closing` fires. Ignored while it is being opened. */
  reconnect(): Promise<void>;
}

/** Opens again what is lost, for as long as it takes, with a pause that grows while it fails or does not last. */
export function reconnectingSocket(options: {
  connect: () => Promise<unknown>;
  closing: AbortSignal;
  elapsed: Stopwatch;
  /** Resolves after so many milliseconds, or when `closing` fires. */
  wait: (milliseconds: number) => Promise<unknown>;
  log: Log;
}): ReconnectingSocket {
  const { connect, closing, elapsed, wait, log } = options;
  let state: 'closed' | 'opening' | 'open' = 'closed';
  let openedAt = 0;
  let pauseMs = minPauseMs;

  async function open(): Promise<void> {
    state = 'opening';
    await connect();
    state = 'open';
    openedAt = elapsed();
  }

  async function pause(): Promise<void> {
    const milliseconds = pauseMs;
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    await wait(milliseconds);
  }

  return {
    isOpen: () => state === 'open',
    open,
    async reconnect() {
      if (state !== 'open' || closing.aborted) {
        return;
      }
      state = 'opening';
      log.warn('the socket to Slack was lost');
      if (elapsed() - openedAt < steadyMs) {
        await pause();
      } else {
        pauseMs = minPauseMs;
      }
      while (!closing.aborted) {
        try {
          await open();
          log.info('the socket to Slack is open again');
          return;
        } catch (error) {
          log.error({ err: error }, 'the socket to Slack could not be opened again yet');
          await pause();
        }
      }
    },
  };
}
