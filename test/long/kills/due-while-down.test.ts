import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPostgresDatabase, forEachDatabase } from '../../support/store/databases.ts';
import { startHarness } from './crash-harness.ts';

const hour = 3_600_000;
/** In milliseconds: how long after the program is ready the first message leaves at the latest. */
const startsWithin = 5_000;

forEachDatabase((database) => {
  it('a campaign whose time came while the program was down starts within five seconds of its start', async (test) => {
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
    const sent = firstRequest();
    await program.ready();
    const readyAt = performance.now();
    const took = (await sent) - readyAt;
    test.diagnostic(`the first request left ${Math.round(took)} ms after ready`);
    assert.ok(took <= startsWithin, `${Math.round(took)} ms`);

    /** Resolves with when the first message reached the provider, which is asked other things, too. */
    async function firstRequest(): Promise<number> {
      while (harness.asked().size === 0) {
        await harness.arrivals(1, program);
        assert.ok(program.isRunning(), 'the program ended');
      }
      return performance.now();
    }
  });
});
