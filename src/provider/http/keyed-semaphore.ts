/**
 * Lets only so many calls of one lane through at once, first come, first served. Each account has a lane of its own,
 * so that one with a hundred calls to make leaves room on the connections for the others.
 */
export interface KeyedSemaphore {
  /** Resolves to the function that gives the place back, or to `undefined` if the signal fired first. */
  acquire(lane: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

interface Lane {
  busy: number;
  /** Called in order, each with a place that has become free. */
  readonly waiting: Set<() => void>;
}

export function createKeyedSemaphore(width: number): KeyedSemaphore {
  const lanes = new Map<string, Lane>();

  const leave = (name: string, lane: Lane): void => {
    const [next] = lane.waiting;
    if (next) {
      lane.waiting.delete(next);
      next();
      return;
    }
    lane.busy -= 1;
    // A lane nobody is in is forgotten, so that accounts long gone take no room.
    if (lane.busy === 0) {
      lanes.delete(name);
    }
  };

  return {
    acquire(name, signal) {
      if (signal.aborted) {
        return Promise.resolve(undefined);
      }
      const lane = lanes.get(name) ?? { busy: 0, waiting: new Set() };
      lanes.set(name, lane);
      const pass = () => leave(name, lane);
      if (lane.busy < width) {
        lane.busy += 1;
        return Promise.resolve(pass);
      }
      return new Promise((resolve) => {
        const giveUp = () => {
          lane.waiting.delete(proceed);
          resolve(undefined);
        };
        const proceed = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(pass);
        };
        lane.waiting.add(proceed);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
