import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;

/** What a run of the program writes, at a time. */
const writes: Record<string, (store: Store, now: number) => Promise<unknown>> = {
  'an entry of the audit': ({ audit }) =>
    audit.append({ workspaceId: 'T1', action: 'lookup.number', outcome: 'done' }),
  'an operation': ({ db }, now) =>
    db
      .insertInto('operationText')
      .values({ operationId: 'o1', workspaceId: 'T1', value: '', createdAt: new Date(now) })
      .execute(),
};

forEachDatabase((database) => {
  for (const [what, write] of Object.entries(writes)) {
    it(`a start is refused by a clock that is more than a day before ${what}, and changes nothing`, async (test) => {
      const { clock, leap } = stoppedClock();
      const options = { dataDir: temporaryFolder(test), encryptionKeys: [newEncryptionKey()], database };
      const open = () => temporaryStore(test, { ...options, time: clock });
      const wrong = clock.now();
      leap(24 * hour + 1);
      const newest = clock.now();
      const store = await open();
      await write(store, newest.getTime());
      await store.close();
      leap(-24 * hour - 1);
      for (let again = 0; again < 2; again += 1) {
        await assert.rejects(open, {
          fault: 'wrong_clock',
          message: new RegExp(
            `shows ${wrong.toISOString()}, .* is from ${newest.toISOString()}\\. Set the clock`,
          ),
        });
      }
      leap(1);
      await open();
    });
  }
});
