import { describe, it } from 'node:test';
import { killedWorks, killWork, repeatDaily } from '../../support/killed-repeats.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

// Every step is tested in test/long/campaigns/killed-repeats.test.ts.
forEachDatabase(() => {
  describe('a campaign that repeats, where the program is killed, and its data are restored', () => {
    for (const what of killedWorks) {
      it(what, async (test) => void (await killWork(await repeatDaily(test), what, 2)));
    }
  });
});
