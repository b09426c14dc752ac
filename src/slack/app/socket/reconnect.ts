import type { Log } from '../../../lib/log.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';

const minPauseMs = 500;
const maxPauseMs = 30_000;
/** A socket lost sooner than this is not reopened at once: Slack may drop each one it accepts. */
const steadyMs = 5_000;

export interface ReconnectingSocket {
  isOpen(): boolean;
  /** Opens the socket the first time. Throws if that fails. */
  open(): Promise<void>;
  /**
   * Called when the socket is lost. Resolves when it is open again, or when `closing` is aborted. Ignored while it is
   * being opened.
   */
  reconnect(): Promise<void>;
}

/** Reopens a lost socket, for as long as it takes, with a pause that doubles while that fails or does not last. */
export function reconnectingSocket(options: {
  connect: () => Promise<unknown>;
  closing: AbortSignal;
  elapsed: Stopwatch;
  timers: Timers;
  log: Log;
}): ReconnectingSocket {
  const { connect, closing, elapsed, timers, log } = options;
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
    const ms = pauseMs;
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    await timers.sleep(ms, closing);
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
          log.error({ err: error }, 'the socket to Slack could not be reopened yet');
          await pause();
        }
      }
    },
  };
}
