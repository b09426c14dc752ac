import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { z } from 'zod';
import type { Timing } from '../../../src/provider/http/timing.ts';

/** Milliseconds of the deadline. A timer of this length is a deadline, any other a delay. */
export const deadline = 45_000;

/** Timing in which deadlines pass when the test says so, and delays immediately. */
export function manualTiming() {
  const deadlines = new Set<() => void>();
  let pauses: number[] = [];
  const timing: Timing = {
    now: Date.now,
    elapsed: () => performance.now(),
    random: () => 0,
    after(milliseconds, action) {
      if (milliseconds !== deadline) {
        pauses.push(milliseconds);
        queueMicrotask(action);
        return () => {};
      }
      deadlines.add(action);
      return () => deadlines.delete(action);
    },
  };
  return {
    timing,
    passDeadlines() {
      for (const action of deadlines) {
        action();
      }
    },
    /** The delays since the last call, in milliseconds. */
    takePauses() {
      const taken = pauses;
      pauses = [];
      return taken;
    },
  };
}

const headChannel = 'undici:request:headers';
const headMessage = z.object({ request: z.object({ origin: z.union([z.string(), z.instanceof(URL)]) }) });

/** Resolves once the client in this process has read the head of a response from this URL. */
export function headFrom(url: string): Promise<void> {
  return new Promise((resolve) => {
    const hear = (message: unknown) => {
      if (new URL(headMessage.parse(message).request.origin).href !== new URL(url).href) {
        return;
      }
      unsubscribe(headChannel, hear);
      resolve();
    };
    subscribe(headChannel, hear);
  });
}
