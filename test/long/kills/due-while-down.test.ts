import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPostgresDatabase, forEachDatabase } from '../../support/store/databases.ts';
import { startHarness } from './crash-harness.ts';

const hour = 3_600_000;

forEachDatabase((database) => {
  it('a campaign whose time came while the program was down starts once it is up again', async (test) => {
    const postgres = database === 'postgres' ? await createPostgresDatabase({ queues: true }) : undefined;
    const harness = await startHarness(test, {
      messagesPerSecond: 100,
      settings: postgres === undefined ? {} : { DATABASE_URL: postgres.url.reveal() },
    });
    test.after(() => postgres?.drop());
    await harness.whileStopped((services, store) =>
      harness.start(services, store, { recipients: 20, personal: true, after: hour }),
    );
    const killed = harness.run();
    await killed.ready();
    await killed.kill();
    assert.equal(harness.asked().size, 0);

    // Its time comes: as if an hour had passed.
    await harness.whileStopped(async (_, { db, time }) => {
      await db
        .updateTable('campaign')
        .set({ startAt: new Date(time.now().getTime() - 1_000) })
        .execute();
    });
    const program = harness.run();
    while (harness.asked().size === 0) {
      // The provider is asked other things too.
      await harness.arrivals(1, program);
      assert.ok(program.isRunning(), 'the program ended');
    }
  });
});
