import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Jobs } from '../../../src/store/jobs/jobs.ts';
import { advanceUntil } from '../../support/stepped-timers.ts';
import { createSeen, temporaryJobs } from '../../support/store/test-jobs.ts';

const hour = 60 * 60_000;

const listening = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'switchboard listener'`;

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

test('a wake reaches the instance that handles its topic, whichever asks for it', async (t) => {
  const { instance } = await temporaryJobs(t, 'postgres');
  const [one, other] = [await instance(), await instance()];
  const woken = createSeen<string>();
  other.onWake('topic', async (key) => woken.add(key));
  await other.start();
  await one.start();
  await one.wake('topic', 'from one');
  await woken.reaches(1);
  await other.wake('topic', 'from the other');
  await woken.reaches(2);
  assert.deepEqual(woken.values, ['from one', 'from the other']);
});

test('what an instance did that died is done by another one', async (t) => {
  const { instance, query } = await temporaryJobs(t, 'postgres');
  const [dying, living] = [await instance(), await instance()];
  const begun = createSeen<string>();
  const { promise: dead, resolve: bury } = Promise.withResolvers<void>();
  dying.onWake('topic', async () => {
    begun.add('dying');
    await dead;
  });
  await dying.start();
  await dying.wake('topic', 'one');
  await begun.reaches(1);
  living.onWake('topic', async (key) => begun.add(`living ${key}`));
  await living.start();
  const beats = await query('select heartbeat_seconds from pgboss.job');
  assert.deepEqual(beats, [{ heartbeat_seconds: 10 }]);
  // As pg-boss does where no heartbeat came for longer than that.
  await query(`update pgboss.job set state = 'retry', heartbeat_on = null where state = 'active'`);
  await living.wake('topic', 'two');
  await begun.reaches(3);
  assert.deepEqual(begun.values.slice(1).toSorted(), ['living one', 'living two']);
  bury();
});

test('tells listeners on every instance, and each that was cut off that it may have missed something', async (t) => {
  const { instance, query, pass, log } = await temporaryJobs(t, 'postgres');
  const [one, other] = [await instance(), await instance()];
  const heard = new Map<Jobs, ReturnType<typeof createSeen<string | undefined>>>();
  for (const jobs of [one, other]) {
    const seen = createSeen<string | undefined>();
    jobs.onBroadcast('topic', seen.add);
    jobs.onBroadcast('other', (key) => assert.equal(key, undefined));
    heard.set(jobs, seen);
    await jobs.start();
    // Connected: there may have been others before.
    await seen.reaches(1);
  }
  one.broadcast('topic', 'T1');
  other.broadcast('topic', 'T2');
  await Promise.all([...heard.values()].map((seen) => seen.reaches(3)));
  assert.deepEqual(
    [...heard.values()].map(({ values }) => values.slice(1).toSorted()),
    [
      ['T1', 'T2'],
      ['T1', 'T2'],
    ],
  );
  const pids = await query(listening);
  assert.equal(pids.length, 2);
  await query(`select pg_terminate_backend(pid) from (${listening}) as found`);
  await Promise.all([...heard.values()].map((seen) => seen.reaches(4)));
  const again = Promise.all([...heard.values()].map((seen) => seen.reaches(5)));
  await pass(1_000);
  await again;
  assert.deepEqual(
    [...heard.values()].map(({ values }) => values.slice(3)),
    [
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
  one.broadcast('topic', 'T3');
  await heard.get(other)?.reaches(6);
  assert.equal(heard.get(other)?.values.at(-1), 'T3');
  assert.equal(log().match(/cannot be reached/g)?.length, 2);
  assert.equal(log().match(/can be reached again/g)?.length, 2);
});
