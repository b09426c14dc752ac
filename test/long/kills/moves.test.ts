import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { everySeed } from '../../support/sizes.ts';
import { createPostgresDatabase, type TestPostgres } from '../../support/store/databases.ts';
import { query } from '../../support/store/moves.ts';
import { requests, startHarness, workspaceId } from './crash-harness.ts';

const [timing] = fc.sample(
  fc.record({
    /** Requests to the provider before the program is killed. */
    arrivals: fc.integer({ min: 3, max: 12 }),
    /** The tables that were copied when each move is killed. */
    killsAfter: fc.subarray(['approval', 'audit_entry', 'campaign', 'campaign_chunk'], {
      minLength: 2,
      maxLength: 2,
    }),
  }),
  { seed: everySeed, numRuns: 1 },
);

it('an installation that was killed while it sent goes on in PostgreSQL, and sends to nobody twice', async (test) => {
  assert.ok(timing !== undefined);
  const postgres = await createPostgresDatabase({ empty: true });
  const harness = await startHarness(test, { messagesPerSecond: 1_000_000 });
  test.after(() => postgres.drop());
  const onPostgres = { DATABASE_URL: postgres.url.reveal() };
  await harness.whileStopped(async (services, store) => {
    await harness.start(services, store, { recipients: 6_000, personal: false });
    await harness.start(services, store, { recipients: 120, personal: true });
    await harness.start(services, store, { recipients: 50, personal: false, after: 3_600_000 });
  });
  const program = harness.run();
  await harness.arrivals(timing.arrivals, program);
  await program.kill();

  const printed: string[] = [];
  for (const after of timing.killsAfter) {
    const move = harness.runMove(onPostgres);
    await move.says(`${after}: `);
    printed.push((await move.kill()).output);
  }
  const { code, output } = await harness.runMove(onPostgres).ends();
  assert.equal(code, 0, output);
  assert.match(output, /^Done\. Start Switchboard/m);
  const said = [...printed, output].join('');
  assert.doesNotMatch(said, /234\d{10}|postgres:\/\/|this is campaign|U0ADMIN/);

  const onFolder = await harness.run().ends();
  assert.match(onFolder.output, /was moved to PostgreSQL/);
  assert.equal(onFolder.code, 1);

  const moved = harness.run(harness.dataDir, onPostgres);
  await moved.ready();
  await allDone(postgres);
  const stopped = await moved.stop();
  assert.equal(stopped.code, 0, stopped.output);

  await harness.whileStopped(
    async (_, store) => {
      const campaigns = await store.campaigns.recent({ workspaceId, limit: 10 });
      assert.deepEqual(
        campaigns.map(({ state }) => state),
        ['scheduled', 'done', 'done'],
      );
      let unconfirmed = 0;
      for (const campaign of campaigns.slice(1)) {
        const { recipients } = await harness.resultOf(campaign, store);
        assert.equal(recipients.length, campaign.counts.recipients);
        assert.equal(new Set(recipients.map(({ number }) => number)).size, recipients.length);
        for (const { number, state, asked } of recipients) {
          assert.ok(asked <= 1, `${number} of ${campaign.name}: asked ${asked} times`);
          assert.ok(state === 'unconfirmed' || (state === 'accepted' && asked === 1), `${number}: ${state}`);
          unconfirmed += state === 'unconfirmed' ? 1 : 0;
        }
      }
      assert.ok(unconfirmed <= requests * 100, `${unconfirmed} are unconfirmed`);
    },
    harness.dataDir,
    onPostgres,
  );
});

/** Resolves once no campaign is running, which nothing announces to this process. */
async function allDone(postgres: TestPostgres): Promise<void> {
  const left = () => query(postgres, `select 1 from campaign where state = 'running'`);
  while ((await left()).length > 0) {
    await pause(200);
  }
}
