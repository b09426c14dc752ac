import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { createOnce, type Once } from '../../../src/services/workspaces/once.ts';
import type { Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';
import { testContext } from '../../support/test-context.ts';

const workspaceId = 'T1';

/** Counts what is done for clicks on one button, each on any of the instances. */
function countClicks(instances: readonly Once[]) {
  let files = 0;
  const click = (at: number, instance = 0, work: () => Promise<void> = async () => {}) =>
    instances[instance % instances.length]?.forClick(workspaceId, { name: 'click.export', at }, async () => {
      files += 1;
      await work();
    });
  return { click, files: () => files };
}

const onceOf = (store: Store, timers: Timers = systemTimers) => createOnce(testContext(store, { timers }));

forEachDatabase(() => {
  describe('a button', () => {
    it('does its work once for a double click, also where the second lands after it is done, and again later', async (t) => {
      const { click, files } = countClicks([onceOf(await temporaryStore(t))]);
      await click(10_000);
      await click(10_300);
      await click(12_000);
      assert.equal(files(), 1);
      await click(12_001);
      assert.equal(files(), 2);
      await click(11_900);
      assert.equal(files(), 2, 'it comes late');
    });

    it('does nothing for clicks while its work is under way, however long that takes', async (t) => {
      const timers = steppedTimers();
      const { click, files } = countClicks([onceOf(await temporaryStore(t), timers)]);
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const writing = click(10_000, 0, () => {
        begun.resolve();
        return end.promise;
      });
      await begun.promise;
      await timers.advance(50_000);
      await click(60_000);
      end.resolve();
      await writing;
      assert.equal(files(), 1);
      assert.equal(timers.pending(), 0, 'the claim is no longer renewed');
      await click(61_000);
      assert.equal(files(), 2);
    });

    it('does its work for the next click where it failed', async (t) => {
      const { click, files } = countClicks([onceOf(await temporaryStore(t))]);
      const failing = async () => {
        throw new Error('Slack is away');
      };
      await assert.rejects(async () => click(10_000, 0, failing), /Slack is away/);
      await click(10_300);
      assert.equal(files(), 2);
    });

    it(
      'does its work once for a double click on several instances, in any order and at once',
      severalInstances,
      async (t) => {
        const stores = await twoStores(t);
        const instances = [...stores, stores[0]].map((store) => onceOf(store));
        const clicks = fc.array(
          fc.record({ after: fc.integer({ min: 0, max: 1_900 }), by: fc.nat(2), waits: fc.boolean() }),
          { minLength: 2, maxLength: 5 },
        );
        let at = 0;
        await fc.assert(
          fc.asyncProperty(clicks, async (all) => {
            at += 10_000;
            const { click, files } = countClicks(instances);
            const landed: Promise<void>[] = [];
            for (const { after, by, waits } of all) {
              const landing = Promise.resolve(click(at + after, by));
              landed.push(landing);
              await (waits ? landing : undefined);
            }
            await Promise.all(landed);
            assert.equal(files(), 1);
          }),
          { numRuns: rounds(20) },
        );
      },
    );
  });
});
