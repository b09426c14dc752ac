import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { killedWorks, killWork, repeatDaily } from '../../support/killed-repeats.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

/** More steps than any of these works has. */
const mostSteps = 60;

forEachDatabase(() => {
  describe('a campaign that repeats, where the program is killed at any step, and its data are restored', () => {
    for (const what of killedWorks) {
      it(what, async (test) => {
        let commits = 0;
        while (await killWork(await repeatDaily(test), what, commits)) {
          commits += 1;
          assert.ok(commits < mostSteps, 'the work did not end');
        }
      });
    }
  });
});
