import type { Keyv } from 'keyv';
import type { Timers } from '../../lib/time/timers.ts';
import type { UpdateValue } from '../../store/key-value/update-value.ts';

/** What is to be done once, whichever instances are asked to. A name is made of ids. */
export interface Claims {
  /** Returns whether this is the first call for the name, for a day. */
  take(workspaceId: string, name: string): Promise<boolean>;
  /** Calls `work`, or waits until another call has done it. Where it throws, the next one tries. */
  once(workspaceId: string, name: string, work: () => Promise<void>): Promise<void>;
  /** Calls `work` unless it is being done. */
  oneAtATime(workspaceId: string, name: string, work: () => Promise<void>): Promise<void>;
}

/** In milliseconds. */
const takenFor = 24 * 60 * 60_000;
/** How long an instance that stops in the midst of its work keeps the others from it. */
const workingFor = 60_000;
const pollMs = 100;

export function createClaims({
  keyv,
  updateValue,
  timers,
}: {
  keyv: (workspaceId: string, area: string) => Keyv;
  updateValue: UpdateValue;
  timers: Pick<Timers, 'sleep'>;
}): Claims {
  /** Claims a name unless it is claimed, and returns what it was claimed for before. */
  async function claim(workspaceId: string, key: string, as: 'working' | 'done'): Promise<unknown> {
    let before: unknown;
    await updateValue({ workspaceId, area: 'claims', key }, (value) => {
      before = value;
      return value === undefined ? { set: as, ttl: as === 'done' ? takenFor : workingFor } : 'keep';
    });
    return before;
  }

  const values = (workspaceId: string) => keyv(workspaceId, 'claims');

  return {
    take: async (workspaceId, name) => (await claim(workspaceId, name, 'done')) === undefined,

    async once(workspaceId, name, work) {
      for (;;) {
        const before = await claim(workspaceId, name, 'working');
        if (before === undefined) {
          try {
            await work();
          } catch (error) {
            await values(workspaceId).delete(name);
            throw error;
          }
          await values(workspaceId).set(name, 'done', takenFor);
          return;
        }
        if (before === 'done') {
          return;
        }
        await timers.sleep(pollMs);
      }
    },

    async oneAtATime(workspaceId, name, work) {
      if ((await claim(workspaceId, name, 'working')) === undefined) {
        await work().finally(() => values(workspaceId).delete(name));
      }
    },
  };
}
