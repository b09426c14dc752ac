import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { type Instances, openInstances } from '../../../src/store/engine/instances/instances.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

/** Instances on one database, by a clock that only the test moves. Each has timers of its own: one may stand still. */
async function cluster(t: TestContext) {
  const { db, instances: ofStore } = await temporaryStore(t, { connections: 1 });
  await ofStore.close();
  await db.deleteFrom('instance').execute();
  let now = 1_800_000_000_000;
  const all: { instances: Instances; timers: ReturnType<typeof steppedTimers>; isStopped: boolean }[] = [];
  return {
    db,
    async start(isAlone = false) {
      const timers = steppedTimers();
      const instances = await openInstances({
        db,
        isAlone,
        now: () => sql<number>`cast(${now} as bigint)`,
        version: 'test',
        keyId: 'key',
        elapsed: () => now,
        timers,
        report: (error) => assert.fail(String(error)),
      });
      const member = { instances, timers, isStopped: false };
      all.push(member);
      return member;
    },
    /** Lets time pass for all, but stops and starts the heartbeats of those that are stopped. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        now += 1_000;
        for (const { timers, isStopped } of all) {
          if (!isStopped) {
            await timers.advance(1_000);
          }
        }
        // One statement after the other: the heartbeats are written, and a new run has registered.
        for (let statement = 0; statement < 3; statement += 1) {
          await db.selectFrom('instance').select('run').execute();
        }
      }
    },
  };
}

forEachDatabase(() => {
  test('an instance that shows nothing of itself for eight seconds is dead, and is another when it goes on', async (t) => {
    const { start, pass } = await cluster(t);
    const [one, other] = [await start(), await start()];
    await pass(20);
    assert.equal(await one.instances.living(), 2);
    assert.equal(await one.instances.removeDead(), 0);

    const previous = other.instances.run();
    const told: string[] = [];
    other.instances.onDeath((run) => told.push(run));
    other.isStopped = true;
    await pass(7);
    assert.equal(await one.instances.removeDead(), 0);
    assert.equal(await one.instances.living(), 2);
    await pass(3);
    assert.equal(await one.instances.living(), 1);
    assert.equal(await one.instances.removeDead(), 1);
    assert.equal(await one.instances.removeDead(), 0);

    assert.equal(await other.instances.removeDead(), 0, 'it was away itself');
    other.isStopped = false;
    await pass(2);
    assert.notEqual(other.instances.run(), previous);
    assert.deepEqual(told, [previous]);
    assert.equal(await one.instances.living(), 2);
  });

  test('one that was away goes on as it was where nobody removed it, and judges nobody for eight seconds', async (t) => {
    const { db, start, pass } = await cluster(t);
    const [one, other] = [await start(), await start()];
    await pass(10);
    const runs = [one.instances.run(), other.instances.run()];
    // As when the database is away from all of them.
    one.isStopped = true;
    other.isStopped = true;
    await pass(30);
    one.isStopped = false;
    await pass(2);
    assert.equal(await one.instances.removeDead(), 0);
    other.isStopped = false;
    await pass(2);
    assert.deepEqual([one.instances.run(), other.instances.run()], runs);
    other.isStopped = true;
    await pass(10);
    assert.equal(await one.instances.removeDead(), 1);
    const left = await db.selectFrom('instance').select('run').execute();
    assert.deepEqual(left, [{ run: runs[0] }]);
  });

  test('an instance that stops is not counted, and leaves nothing', async (t) => {
    const { db, start, pass } = await cluster(t);
    const [one, other] = [await start(), await start()];
    await other.instances.announceStop();
    assert.equal(await one.instances.living(), 1);
    await other.instances.close();
    await other.instances.close();
    await pass(1);
    assert.deepEqual(await db.selectFrom('instance').select('run').execute(), [{ run: one.instances.run() }]);
  });

  test('where an instance is alone, every other run is dead', async (t) => {
    const { db, start } = await cluster(t);
    const previous = await start();
    const alone = await start(true);
    const runs = (await db.selectFrom('instance').select('run').execute()).map(({ run }) => run);
    assert.deepEqual(runs, [alone.instances.run()]);
    assert.notEqual(alone.instances.run(), previous.instances.run());
    assert.equal(await alone.instances.living(), 1);
    assert.equal(await alone.instances.removeDead(), 0);
  });
});
