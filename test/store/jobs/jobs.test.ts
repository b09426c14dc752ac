import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Jobs } from '../../../src/store/engine/jobs/jobs.ts';
import { advanceUntil } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { createSeen, temporaryJobs } from '../../support/store/test-jobs.ts';

const hour = 60 * 60_000;

/** Collects the keys of every job of a topic. */
function jobsOf(jobs: Jobs, topic = 'topic') {
  const seen = createSeen<string>();
  jobs.handle(topic, async (key) => seen.add(key));
  return seen;
}

forEachDatabase((database) => {
  test('runs periodic work once in each period, the first time at once', async (t) => {
    const { instance, pass } = await temporaryJobs(t, database);
    const jobs = await instance();
    const runs = createSeen<number>();
    jobs.every('look', hour, async () => runs.add(runs.values.length));
    await jobs.start();
    for (const count of [1, 2, 3]) {
      await runs.reaches(count);
      await pass(hour);
    }
    await runs.reaches(4);
    await jobs.stop();
    assert.equal(runs.values.length, 4);
  });

  test('begins no run while one is in progress, and the next period after an error', async (t) => {
    const { instance, pass, log } = await temporaryJobs(t, database);
    const jobs = await instance();
    const runs = createSeen<number>();
    const first = Promise.withResolvers<void>();
    let running = 0;
    jobs.every('look', hour, async () => {
      running += 1;
      runs.add(running);
      await (runs.values.length === 1 ? first.promise : undefined);
      running -= 1;
      throw new Error('it went wrong');
    });
    await jobs.start();
    await runs.reaches(1);
    await pass(hour);
    await pass(hour);
    first.resolve();
    await advanceUntil(runs.reaches(3), () => pass(hour));
    assert.deepEqual(new Set(runs.values), new Set([1]));
    assert.match(log(), /it went wrong/);
  });

  test('calls the handler of a topic with a key that is to be looked at', async (t) => {
    const { instance } = await temporaryJobs(t, database);
    const jobs = await instance();
    const handled = jobsOf(jobs);
    const others = jobsOf(jobs, 'other');
    await jobs.start();
    await jobs.enqueue('topic', 'one');
    await handled.reaches(1);
    await jobs.enqueue('topic', 'two');
    await handled.reaches(2);
    await jobs.enqueue('other', 'three');
    await others.reaches(1);
    assert.deepEqual([handled.values, others.values], [['one', 'two'], ['three']]);
  });

  test('calls it once more for all that it is asked for while it runs', async (t) => {
    const { instance } = await temporaryJobs(t, database);
    const jobs = await instance();
    const begun = createSeen<string>();
    const first = Promise.withResolvers<void>();
    jobs.handle('topic', async (key) => {
      begun.add(key);
      await first.promise;
    });
    await jobs.start();
    await jobs.enqueue('topic', 'one');
    await begun.reaches(1);
    for (let count = 0; count < 3; count += 1) {
      await jobs.enqueue('topic', 'one');
    }
    first.resolve();
    await begun.reaches(2);
    await jobs.enqueue('topic', 'last');
    await begun.reaches(3);
    assert.deepEqual(begun.values, ['one', 'one', 'last']);
  });

  test('calls a handler again that failed', async (t) => {
    const { instance, makeDue, log } = await temporaryJobs(t, database);
    const jobs = await instance();
    const begun = createSeen<string>();
    jobs.handle('topic', async (key) => {
      begun.add(key);
      if (begun.values.length === 1) {
        throw new Error('not now');
      }
    });
    await jobs.start();
    await jobs.enqueue('topic', 'one');
    await begun.reaches(1);
    await jobs.enqueue('topic', 'two');
    await begun.reaches(2);
    await makeDue();
    await jobs.enqueue('topic', 'three');
    await begun.reaches(4);
    assert.deepEqual(begun.values.toSorted(), ['one', 'one', 'three', 'two']);
    assert.match(log(), /a job failed/);
  });

  test('calls a handler at a time, each time that was given, and not before', async (t) => {
    const { instance, makeDue } = await temporaryJobs(t, database);
    const jobs = await instance();
    const handled = jobsOf(jobs);
    await jobs.start();
    const soon = new Date(Date.now() + hour / 2);
    await jobs.at(soon, 'topic', 'one');
    await jobs.at(soon, 'topic', 'one');
    await jobs.at(new Date(soon.getTime() + 1_000), 'topic', 'one');
    await jobs.at(new Date(Date.now() + 48 * hour), 'topic', 'much later');
    await jobs.enqueue('topic', 'one');
    await jobs.enqueue('topic', 'now');
    await handled.reaches(2);
    assert.deepEqual(handled.values, ['one', 'now']);
    await makeDue();
    await jobs.enqueue('topic', 'last');
    await handled.reaches(5);
    assert.deepEqual(handled.values.slice(2).toSorted(), ['last', 'one', 'one']);
  });

  test('keeps what it was asked for until it is done, over a restart', async (t) => {
    const { instance } = await temporaryJobs(t, database);
    const before = await instance();
    const begun = createSeen<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    before.handle('topic', async (key) => {
      begun.add(key);
      await promise;
    });
    await before.start();
    await before.enqueue('topic', 'one');
    await begun.reaches(1);
    await before.enqueue('topic', 'two');
    const stopped = before.stop();
    resolve();
    await stopped;
    const after = await instance();
    const handled = jobsOf(after);
    await after.start();
    await handled.reaches(1);
    assert.deepEqual([begun.values, handled.values], [['one'], ['two']]);
  });

  test('waits for what runs when it stops, with its signal aborted', async (t) => {
    const { instance } = await temporaryJobs(t, database);
    const jobs = await instance();
    const ended: string[] = [];
    const begun = createSeen<string>();
    const untilAborted = async (name: string, signal: AbortSignal) => {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      begun.add(name);
      await aborted;
      ended.push(name);
    };
    jobs.every('look', hour, (signal) => untilAborted('periodic', signal));
    jobs.handle('topic', (key, signal) => untilAborted(key, signal));
    await jobs.start();
    await jobs.enqueue('topic', 'handled');
    await begun.reaches(2);
    await jobs.stop();
    await jobs.stop();
    assert.deepEqual(ended.toSorted(), ['handled', 'periodic']);
  });
});
