import { z } from 'zod';
import { keepRenewed } from '../../lib/time/interval.ts';
import type { Context } from '../context.ts';

/** In milliseconds. */
const doneFor = 24 * 60 * 60_000;
/** How long an instance that stops in the midst of its work keeps the others from it. */
const workingFor = 60_000;
const pollMs = 100;
/** Clicks that are no further apart are one double click. */
const doubleClickMs = 2_000;
/** How late a click may get here. */
const clickedFor = 60_000;
const renewMs = 20_000;

const clickSchema = z.object({ at: z.number(), isDone: z.boolean() });

export type Once = ReturnType<typeof createOnce>;

/** What is to be done once, whichever instances are asked to. A name is made of ids. */
export function createOnce(context: Context) {
  const { keyv, updateValue } = context.store;
  const { timers } = context;
  const values = (workspaceId: string) => keyv(workspaceId, 'done-once');

  return {
    ...createClicks(context),

    /** Calls `work`, or waits until another call has done it. Where it throws, the next one tries. */
    async perform(workspaceId: string, name: string, work: () => Promise<void>): Promise<void> {
      for (;;) {
        let before: unknown;
        await updateValue({ workspaceId, area: 'done-once', key: name }, (value) => {
          before = value;
          return value === undefined ? { set: 'working', ttl: workingFor } : 'keep';
        });
        if (before === undefined) {
          try {
            await work();
          } catch (error) {
            await values(workspaceId).delete(name);
            throw error;
          }
          await values(workspaceId).set(name, 'done', doneFor);
          return;
        }
        if (before === 'done') {
          return;
        }
        await timers.sleep(pollMs);
      }
    },
  };
}

function createClicks({ store: { keyv, updateValue }, timers }: Context) {
  return {
    /**
     * Calls `work` for a click, unless an earlier click within two seconds is or was handled. If `work` throws, the next
     * click tries.
     *
     * @param click.at when it was made, in milliseconds since 1970: however late it gets here
     */
    async forClick(
      workspaceId: string,
      { name, at }: { name: string; at: number },
      work: () => Promise<void>,
    ): Promise<void> {
      let isFirst = false;
      await updateValue({ workspaceId, area: 'done-once', key: name }, (value) => {
        const before = clickSchema.safeParse(value).data;
        isFirst = before === undefined || (before.isDone && Math.abs(at - before.at) > doubleClickMs);
        return isFirst ? { set: { at, isDone: false }, ttl: workingFor } : 'keep';
      });
      if (!isFirst) {
        return;
      }
      const values = keyv(workspaceId, 'done-once');
      const renew = () => values.set(name, { at, isDone: false }, workingFor);
      const stop = keepRenewed(renew, { ms: renewMs, timers });
      try {
        await work();
      } catch (error) {
        await stop();
        await values.delete(name);
        throw error;
      }
      await stop();
      // It is done, and the stored claim expires.
      await values.set(name, { at, isDone: true }, clickedFor).catch(() => {});
    },
  };
}
