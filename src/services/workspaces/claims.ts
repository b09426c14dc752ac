import { z } from 'zod';
import type { Context } from '../context.ts';

/** What is to be done once, whichever instances are asked to. A name is made of ids. */
export interface Claims {
  /** Returns whether this is the first call for the name, for a day. */
  take(workspaceId: string, name: string): Promise<boolean>;
  /** Calls `work`, or waits until another call has done it. Where it throws, the next one tries. */
  once(workspaceId: string, name: string, work: () => Promise<void>): Promise<void>;
  /**
   * Calls `work` for a click, unless it is being done for an earlier one, or was done for one that was made within two seconds
   * of this. Where `work` throws, the next click tries.
   *
   * @param click.at when it was made, in milliseconds since 1970: however late it gets here
   */
  forClick(
    workspaceId: string,
    click: { name: string; at: number },
    work: () => Promise<void>,
  ): Promise<void>;
}

/** In milliseconds. */
const takenFor = 24 * 60 * 60_000;
/** How long an instance that stops in the midst of its work keeps the others from it. */
const workingFor = 60_000;
const pollMs = 100;
/** Clicks that are no further apart are one double click. */
const doubleClickMs = 2_000;
/** How late a click may get here. */
const clickedFor = 60_000;
const renewMs = 20_000;

const clickSchema = z.object({ at: z.number(), isDone: z.boolean() });

export function createClaims({ store: { keyv, updateValue }, timers }: Context): Claims {
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

  async function renewUntil(ended: AbortSignal, renew: () => Promise<unknown>): Promise<void> {
    while (!ended.aborted) {
      await timers.sleep(renewMs, ended);
      if (!ended.aborted) {
        await renew().catch(() => {});
      }
    }
  }

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

    async forClick(workspaceId, { name, at }, work) {
      let isFirst = false;
      await updateValue({ workspaceId, area: 'claims', key: name }, (value) => {
        const before = clickSchema.safeParse(value).data;
        isFirst = before === undefined || (before.isDone && Math.abs(at - before.at) > doubleClickMs);
        return isFirst ? { set: { at, isDone: false }, ttl: workingFor } : 'keep';
      });
      if (!isFirst) {
        return;
      }
      const ended = new AbortController();
      const renewed = renewUntil(ended.signal, () =>
        values(workspaceId).set(name, { at, isDone: false }, workingFor),
      );
      try {
        await work();
      } catch (error) {
        ended.abort();
        await renewed;
        await values(workspaceId).delete(name);
        throw error;
      }
      ended.abort();
      await renewed;
      // It is done, and the claim expires.
      await values(workspaceId)
        .set(name, { at, isDone: true }, clickedFor)
        .catch(() => {});
    },
  };
}
