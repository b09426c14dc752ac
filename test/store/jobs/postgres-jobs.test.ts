import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advanceUntil } from '../../support/stepped-timers.ts';
import { forEachDatabase, onlyOn } from '../../support/store/databases.ts';
import { createSeen, temporaryJobs } from '../../support/store/test-jobs.ts';

const hour = 60 * 60_000;

const listening = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'switchboard listener'`;

forEachDatabase(() => {
  describe('jobs of several instances', onlyOn('postgres', 'several instances share it'), () => {
    test('several instances start at once on an empty database, and run each period once in all', async (t) => {
      const { instance, pass } = await temporaryJobs(t, 'postgres');
      const runs = createSeen<number>();
      const instances = await Promise.all([0, 1, 2, 3].map(instance));
      for (const [index, jobs] of instances.entries()) {
        jobs.every('look', hour, async () => runs.add(index));
      }
      await Promise.all(instances.map((jobs) => jobs.start()));
      for (const count of [1, 2, 3]) {
        await runs.reaches(count);
        await pass(hour);
      }
      await runs.reaches(4);
      await Promise.all(instances.map((jobs) => jobs.stop()));
      assert.equal(runs.values.length, 4);
    });

    test('never runs periodic work on two instances at once', async (t) => {
      const { instance, pass } = await temporaryJobs(t, 'postgres');
      const begun = createSeen<number>();
      const first = Promise.withResolvers<void>();
      let running = 0;
      const instances = await Promise.all([instance(), instance()]);
      for (const jobs of instances) {
        jobs.every('look', hour, async () => {
          running += 1;
          begun.add(running);
          await (begun.values.length === 1 ? first.promise : undefined);
          running -= 1;
        });
        await jobs.start();
      }
      await begun.reaches(1);
      await pass(hour);
      await pass(hour);
      first.resolve();
      await advanceUntil(begun.reaches(4), () => pass(hour));
      assert.deepEqual(new Set(begun.values), new Set([1]));
    });

    test('a job reaches the instance that handles its topic, whichever asks for it', async (t) => {
      const { instance } = await temporaryJobs(t, 'postgres');
      const [one, other] = [await instance(), await instance()];
      const handled = createSeen<string>();
      other.handle('topic', async (key) => handled.add(key));
      await other.start();
      await one.start();
      await one.enqueue('topic', 'from one');
      await handled.reaches(1);
      await other.enqueue('topic', 'from the other');
      await handled.reaches(2);
      assert.deepEqual(handled.values, ['from one', 'from the other']);
    });

    test('what an instance did that died is done by another one', async (t) => {
      const { instance, query } = await temporaryJobs(t, 'postgres');
      const [dying, living] = [await instance(), await instance()];
      const begun = createSeen<string>();
      const { promise: dead, resolve: bury } = Promise.withResolvers<void>();
      dying.handle('topic', async () => {
        begun.add('dying');
        await dead;
      });
      await dying.start();
      await dying.enqueue('topic', 'one');
      await begun.reaches(1);
      living.handle('topic', async (key) => begun.add(`living ${key}`));
      await living.start();
      const beats = await query('select heartbeat_seconds from pgboss.job');
      assert.deepEqual(beats, [{ heartbeat_seconds: 10 }]);
      // As pg-boss does where no heartbeat came for longer than that.
      await query(`update pgboss.job set state = 'retry', heartbeat_on = null where state = 'active'`);
      await living.enqueue('topic', 'two');
      await begun.reaches(3);
      assert.deepEqual(begun.values.slice(1).toSorted(), ['living one', 'living two']);
      bury();
    });

    test('tells the other instances, and each that was cut off that it may have missed something', async (t) => {
      const { instance, query, pass, log } = await temporaryJobs(t, 'postgres');
      const instances = [await instance(), await instance()] as const;
      const heard = instances.map(() => createSeen<string | undefined>());
      for (const [index, { broadcast, start }] of instances.entries()) {
        broadcast.on('topic', (key) => heard[index]?.add(key));
        broadcast.on('other', (key) => assert.equal(key, undefined));
        broadcast.on('topic', () => {
          throw new Error('a listener that fails');
        });
        await start();
        // Connected: there may have been others before.
        await heard[index]?.reaches(1);
      }
      const [one, other] = instances;
      one.broadcast.send('topic', 'T1');
      other.broadcast.send('topic', 'T2');
      await Promise.all(heard.map((seen) => seen.reaches(2)));
      const since = (count: number) => heard.map(({ values }) => values.slice(count));
      assert.deepEqual(since(1), [['T2'], ['T1']]);
      assert.equal((await query(listening)).length, 2);
      await query(`select pg_terminate_backend(pid) from (${listening}) as found`);
      await Promise.all(heard.map((seen) => seen.reaches(3)));
      const again = Promise.all(heard.map((seen) => seen.reaches(4)));
      await pass(1_000);
      await again;
      one.broadcast.send('topic', 'T3');
      await heard[1]?.reaches(5);
      assert.deepEqual(since(2), [
        [undefined, undefined],
        [undefined, undefined, 'T3'],
      ]);
      assert.equal(log().match(/"msg":"[^"]*cannot be reached/g)?.length, 2);
      assert.equal(log().match(/can be reached again/g)?.length, 2);
    });
  });
});
