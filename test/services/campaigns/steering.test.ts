import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  type BenchOptions,
  by,
  campaignBench,
  createdBy,
  startOf,
  workspaceId,
} from '../../support/campaign-bench.ts';
import { heldAnswers } from '../../support/provider/held-responses.ts';
import { linesOf } from '../../support/read-lines.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { dueIds } from '../../support/store/due-notices.ts';

const operation = 'messages.sendBulk';
const isDone = ({ state }: Campaign) => state === 'done';
const hasEnded = ({ endedAt }: Campaign) => endedAt !== undefined;

describe('a campaign', { concurrency: true }, () => {
  it('that is paused lets requests in flight end, starts no others, and goes on when it is resumed', async (test) => {
    const { bench, answers } = await heldBench(test, 2);
    const { campaigns } = bench.services;
    await bench.send('one', 850);
    await answers.held(2);

    assert.equal((await campaigns.pause(by('another', 'one'))).kind, 'gone');
    const [first, second] = await Promise.all([
      campaigns.pause(by('creator', 'one')),
      campaigns.pause(by('admin', 'one')),
    ]);
    assert.deepEqual([first.kind, second.kind], ['done', 'too_late']);
    const inFlight = await bench.outcome('one');
    assert.deepEqual([inFlight.claimed, inFlight.waiting], [200, 650]);
    assert.deepEqual(inFlight.campaign.pause, { by: 'person', userId: createdBy });

    answers.release();
    await bench.until('one', (campaign) => campaign.inFlight === 0);
    const paused = await bench.outcome('one');
    assert.deepEqual([paused.accepted, paused.waiting, paused.campaign.state], [200, 650, 'paused']);
    assert.equal((await campaigns.resume(by('another', 'one'))).kind, 'gone');
    assert.equal(bench.asked(), 2);

    const resumed = await Promise.all([
      campaigns.resume(by('admin', 'one')),
      campaigns.resume(by('admin', 'one')),
    ]);
    assert.deepEqual(resumed.map(({ kind }) => kind).sort(), ['done', 'too_late']);
    const done = await bench.until('one', isDone);
    assert.deepEqual([done.lastActionBy, done.pause], ['U0ADMIN', undefined]);
    assert.equal((await bench.outcome('one')).accepted, 850);
    assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'too_late');
  });

  it('that is paused and resumed with requests in flight sends to everyone once', async (test) => {
    const { bench, answers } = await heldBench(test, 2);
    const { campaigns } = bench.services;
    await bench.send('one', 850);
    await answers.held(2);
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'done');
      assert.equal((await campaigns.resume(by('creator', 'one'))).kind, 'done');
    }
    answers.release();
    await bench.until('one', isDone);
    assert.equal((await bench.outcome('one')).accepted, 850);
  });

  it('that is cancelled lets requests in flight end, and lists who was not sent to', async (test) => {
    const { bench, answers } = await heldBench(test, 2);
    const { campaigns } = bench.services;
    await bench.send('one', 850);
    await answers.held(2);
    assert.equal((await campaigns.cancel(by('another', 'one'))).kind, 'gone');
    const cancelled = await campaigns.cancel(by('creator', 'one'));
    assert.ok(cancelled.kind === 'done' && cancelled.campaign.endedAt === undefined);
    assert.equal((await campaigns.cancel(by('creator', 'one'))).kind, 'too_late');
    assert.equal((await campaigns.resume(by('creator', 'one'))).kind, 'too_late');
    assert.deepEqual(await dueIds(bench.store), []);
    assert.equal((await campaigns.retry({ ...by('creator', 'one'), which: 'rejected' })).kind, 'too_late');
    answers.release();
    await bench.until('one', hasEnded);
    const { accepted, waiting } = await bench.outcome('one');
    assert.deepEqual({ accepted, waiting }, { accepted: 200, waiting: 650 });
    assert.equal(bench.asked(), 2);
    const lines = await linesOf(campaigns.resultFile({ ...by('creator', 'one'), which: 'not_sent' }));
    assert.equal(lines.length, 651);
    assert.deepEqual(await dueIds(bench.store), ['one']);
  });

  it('that is paused can be cancelled', async (test) => {
    const { bench, answers } = await heldBench(test, 2);
    const { campaigns } = bench.services;
    await bench.send('one', 850);
    await answers.held(2);
    await campaigns.pause(by('creator', 'one'));
    answers.release();
    await bench.until('one', ({ inFlight }) => inFlight === 0);
    const cancelled = await campaigns.cancel(by('admin', 'one'));
    assert.ok(cancelled.kind === 'done' && cancelled.campaign.endedAt !== undefined);
    assert.equal((await bench.outcome('one')).waiting, 650);
  });

  it('that is started twice at the same time is started once', async (test) => {
    const bench = await campaignBench(test);
    const { campaigns } = bench.services;
    await bench.read('one', 250);
    assert.deepEqual(await campaigns.start({ ...startOf('one'), userId: 'U0OTHER' }), { kind: 'gone' });
    bench.begin();
    const starts = await Promise.all([campaigns.start(startOf('one')), campaigns.start(startOf('one'))]);
    assert.deepEqual(
      starts.map((start) => start.kind === 'started' && start.first),
      [true, false],
    );
    await bench.until('one', isDone);
    assert.equal((await bench.outcome('one')).accepted, 250);
    const again = await campaigns.start(startOf('one'));
    assert.ok(again.kind === 'started' && !again.first);
  });

  it('whose workspace is deleted meanwhile sends no more', async (test) => {
    const { bench, answers } = await heldBench(test, 2);
    const { campaigns } = bench.services;
    await bench.send('one', 850);
    await answers.held(2);
    await bench.store.forget(workspaceId);
    answers.release();
    await campaigns.stopSending();
    assert.equal(bench.asked(), 2);
    assert.equal(await campaigns.find(by('creator', 'one'), 'one'), undefined);
    assert.equal((await campaigns.resume(by('creator', 'one'))).kind, 'gone');
    assert.deepEqual(bench.reported, []);
  });

  for (const requests of [1, 4]) {
    it(`is sent beside the others of its workspace, with at most ${requests} requests in flight`, async (test) => {
      const bench = await campaignBench(test, { requests });
      const { campaigns } = bench.services;
      const ids = ['one', 'two', 'three'];
      for (const id of ids) {
        await bench.read(id, 1_200);
      }
      for (const id of ids) {
        await campaigns.start(startOf(id));
      }
      bench.begin();
      await Promise.all(ids.map((id) => bench.until(id, isDone)));
      const order = bench.provider.record.map(({ text }) => text.split(' ').at(-1) ?? '');
      for (const id of ids) {
        assert.ok(order.indexOf(id) < order.length / 3, order.join(' '));
        assert.ok(order.lastIndexOf(id) > (order.length * 2) / 3, order.join(' '));
        assert.equal((await bench.outcome(id)).accepted, 1_200);
      }
    });
  }

  it('goes on when a listener throws', async (test) => {
    const bench = await campaignBench(test);
    bench.services.campaigns.watch(() => {
      throw new Error('cannot be shown');
    });
    await bench.send('one', 850);
    await bench.until('one', isDone);
    assert.equal((await bench.outcome('one')).accepted, 850);
    assert.ok(bench.reported.length > 0);
  });

  it('sends no faster than its rate allows', async (test) => {
    const { bench, sentAt } = await timedBench(test, { messagesPerSecond: 300 });
    await bench.send('one', 600);
    await bench.advanceUntil('one', isDone, 10);
    // A tenth of a second's messages go at once, and the last chunk may start before all its tokens are there.
    const tookMs = Math.max(...sentAt());
    assert.ok(tookMs >= 1_500 && tookMs <= 3_000, `${tookMs} ms`);
  });

  it('shares its rate with the others of its workspace', async (test) => {
    const messagesPerSecond = 400;
    const { bench, sentAt } = await timedBench(test, { requests: 8, messagesPerSecond });
    const ids = ['one', 'two', 'three', 'four'];
    for (const id of ids) {
      await bench.read(id, 400);
    }
    for (const id of ids) {
      await bench.services.campaigns.start(startOf(id));
    }
    bench.begin();
    await Promise.all(ids.map((id) => bench.until(id, ({ state }) => state === 'running')));
    for (const id of ids) {
      await bench.advanceUntil(id, isDone, 10);
    }
    const early = sentAt().filter((ms) => ms < 200).length;
    // A tenth of a second's messages at once, those of a fifth, and one chunk that starts before all its tokens are there.
    assert.ok(early <= messagesPerSecond * 0.3 + 100, `${early} in a fifth of a second`);
    const tookMs = Math.max(...sentAt());
    assert.ok(tookMs >= 3_500 && tookMs <= 6_000, `${tookMs} ms`);
  });

  it('that a stop interrupts lets requests in flight end, and goes on after the restart', async (test) => {
    const { bench, answers } = await heldBench(test, 2);
    await bench.send('one', 850);
    await answers.held(2);
    let stopped = false;
    const stopping = bench.services.campaigns.stopSending().then(() => {
      stopped = true;
    });
    await bench.outcome('one');
    assert.ok(!stopped);
    answers.release();
    await stopping;
    const left = await bench.outcome('one');
    assert.deepEqual([left.accepted, left.waiting, left.claimed], [200, 650, 0]);
    assert.equal(bench.asked(), 2);
    await bench.restart();
    bench.begin();
    await bench.until('one', isDone);
    assert.equal((await bench.outcome('one')).accepted, 850);
  });
});

/** A bench whose time passes only as the test advances its timers. `sentAt` has the milliseconds of each message. */
async function timedBench(test: Parameters<typeof campaignBench>[0], options: BenchOptions) {
  const timers = steppedTimers();
  const bench = await campaignBench(test, {
    ...options,
    timers,
    provider: { clock: () => new Date(begunAt + timers.elapsed()) },
  });
  const sentAt = () => bench.provider.record.flatMap(({ to, at }) => to.map(() => Date.parse(at) - begunAt));
  return { bench, sentAt };
}

const begunAt = Date.now();

/** A bench whose provider holds its first answers back. */
async function heldBench(test: Parameters<typeof campaignBench>[0], requests: number) {
  const answers = heldAnswers(test);
  const bench = await campaignBench(test, { requests, provider: { wait: answers.wait } });
  bench.provider.orderFault({ operation, fault: { kind: 'slow_headers' }, times: requests });
  return { bench, answers };
}
