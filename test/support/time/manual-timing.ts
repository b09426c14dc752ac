import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { z } from 'zod';
import type { Timing } from '../../../src/provider/http/timing.ts';

/** Milliseconds that a call has; what is asked for with this is its deadline, anything else a pause. */
export const deadline = 45_000;

/** Time in which deadlines pass when a test says so, and pauses at once. */
export function heldTime() {
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
    /** The pauses since the last time they were taken, in milliseconds. */
    takePauses() {
      const taken = pauses;
      pauses = [];
      return taken;
    },
  };
}

const headChannel = 'undici:request:headers';
const headMessage = z.object({ request: z.object({ origin: z.union([z.string(), z.instanceof(URL)]) }) });

/** Resolves once the client in this process has read the head of an answer from there. */
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
