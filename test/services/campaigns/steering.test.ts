import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  by,
  campaignHarness,
  createdBy,
  type HarnessOptions,
  startOf,
} from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { linesOf } from '../../support/read-lines.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { dueIds } from '../../support/store/due-notices.ts';

const operation = 'messages.sendBulk';
const isDone = ({ state }: Campaign) => state === 'done';
const hasEnded = ({ endedAt }: Campaign) => endedAt !== undefined;

describe('a campaign', { concurrency: true }, () => {
  it('that is paused lets requests in flight end, starts no others, and continues when it is resumed', async (test) => {
    const { harness, responses } = await heldHarness(test, 2);
    const { campaigns } = harness.services;
    await harness.send('one', 850);
    await responses.held(2);

    assert.equal((await campaigns.pause(by('another', 'one'))).kind, 'gone');
    const [first, second] = await Promise.all([
      campaigns.pause(by('creator', 'one')),
      campaigns.pause(by('admin', 'one')),
    ]);
    assert.deepEqual([first.kind, second.kind], ['done', 'too_late']);
    const inFlight = await harness.outcome('one');
    assert.deepEqual([inFlight.claimed, inFlight.waiting], [200, 650]);
    assert.deepEqual(inFlight.campaign.pause, { by: 'person', userId: createdBy });

    responses.release();
    await harness.until('one', (campaign) => campaign.inFlight === 0);
    const paused = await harness.outcome('one');
    assert.deepEqual([paused.accepted, paused.waiting, paused.campaign.state], [200, 650, 'paused']);
    assert.equal((await campaigns.resume(by('another', 'one'))).kind, 'gone');
    assert.equal(harness.asked(), 2);

    const resumed = await Promise.all([
      campaigns.resume(by('admin', 'one')),
      campaigns.resume(by('admin', 'one')),
    ]);
    assert.deepEqual(resumed.map(({ kind }) => kind).sort(), ['done', 'too_late']);
    const done = await harness.until('one', isDone);
    assert.deepEqual([done.lastActionBy, done.pause], ['U0ADMIN', undefined]);
    assert.equal((await harness.outcome('one')).accepted, 850);
    assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'too_late');
  });

  it('that is paused and resumed with requests in flight sends to everyone once', async (test) => {
    const { harness, responses } = await heldHarness(test, 2);
    const { campaigns } = harness.services;
    await harness.send('one', 850);
    await responses.held(2);
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'done');
      assert.equal((await campaigns.resume(by('creator', 'one'))).kind, 'done');
    }
    responses.release();
    await harness.until('one', isDone);
    assert.equal((await harness.outcome('one')).accepted, 850);
  });

  it('that is cancelled lets requests in flight end, and lists the recipients not sent to', async (test) => {
    const { harness, responses } = await heldHarness(test, 2);
    const { campaigns } = harness.services;
    await harness.send('one', 850);
    await responses.held(2);
    assert.equal((await campaigns.cancel(by('another', 'one'))).kind, 'gone');
    const cancelled = await campaigns.cancel(by('creator', 'one'));
    assert.ok(cancelled.kind === 'done' && cancelled.campaign.endedAt === undefined);
    assert.equal((await campaigns.cancel(by('creator', 'one'))).kind, 'too_late');
    assert.equal((await campaigns.resume(by('creator', 'one'))).kind, 'too_late');
    assert.deepEqual(await dueIds(harness.store), []);
    assert.equal((await campaigns.findRest({ ...by('creator', 'one'), which: 'rejected' })).kind, 'too_late');
    responses.release();
    await harness.until('one', hasEnded);
    const { accepted, waiting } = await harness.outcome('one');
    assert.deepEqual({ accepted, waiting }, { accepted: 200, waiting: 650 });
    assert.equal(harness.asked(), 2);
    const lines = await linesOf(campaigns.resultTable({ ...by('creator', 'one'), which: 'not_sent' }));
    assert.equal(lines.length, 651);
    assert.deepEqual(await dueIds(harness.store), ['one']);
  });

  for (const requests of [1, 4]) {
    it(`is sent alongside the others of its workspace, with at most ${requests} requests in flight`, async (test) => {
      const harness = await campaignHarness(test, { requests });
      const { campaigns } = harness.services;
      const ids = ['one', 'two', 'three'];
      // Long enough that the first one’s head start, until the others have workers, does not count.
      for (const id of ids) {
        await harness.read(id, 3_600);
      }
      for (const id of ids) {
        await campaigns.start(startOf(id));
      }
      harness.begin();
      await Promise.all(ids.map((id) => harness.until(id, isDone)));
      const order = harness.provider.record.map(({ text }) => text.split(' ').at(-1) ?? '');
      for (const id of ids) {
        assert.ok(order.indexOf(id) < order.length / 3, order.join(' '));
        assert.ok(order.lastIndexOf(id) > (order.length * 2) / 3, order.join(' '));
        assert.equal((await harness.outcome(id)).accepted, 3_600);
      }
    });
  }

  it('continues when a listener throws', async (test) => {
    const harness = await campaignHarness(test);
    harness.services.campaigns.watch(() => {
      throw new Error('cannot be shown');
    });
    await harness.send('one', 850);
    await harness.until('one', isDone);
    assert.equal((await harness.outcome('one')).accepted, 850);
    assert.ok(harness.reported.length > 0);
  });

  it('shares its rate with the others of its workspace', async (test) => {
    const messagesPerSecond = 400;
    const { harness, sentAt } = await timedHarness(test, { requests: 8, messagesPerSecond });
    const ids = ['one', 'two', 'three', 'four'];
    for (const id of ids) {
      await harness.read(id, 400);
    }
    for (const id of ids) {
      await harness.services.campaigns.start(startOf(id));
    }
    harness.begin();
    await Promise.all(ids.map((id) => harness.until(id, ({ state }) => state === 'running')));
    for (const id of ids) {
      await harness.advanceUntil(id, isDone, 10);
    }
    const early = sentAt().filter((ms) => ms < 200).length;
    // A tenth of a second's messages at once, a fifth's after it, and one chunk that starts before its tokens exist.
    assert.ok(early <= messagesPerSecond * 0.3 + 100, `${early} in a fifth of a second`);
    const tookMs = Math.max(...sentAt());
    assert.ok(tookMs >= 3_500 && tookMs <= 6_000, `${tookMs} ms`);
  });
});

/** A harness in which time passes only as the test advances its timers. `sentAt` has the milliseconds of each message. */
async function timedHarness(test: Parameters<typeof campaignHarness>[0], options: HarnessOptions) {
  const timers = steppedTimers();
  const harness = await campaignHarness(test, {
    ...options,
    timers,
    provider: { clock: () => new Date(begunAt + timers.elapsed()) },
  });
  const sentAt = () =>
    harness.provider.record.flatMap(({ to, at }) => to.map(() => Date.parse(at) - begunAt));
  return { harness, sentAt };
}

const begunAt = Date.now();

/** A harness whose provider holds back its first responses. */
async function heldHarness(test: Parameters<typeof campaignHarness>[0], requests: number) {
  const responses = heldResponses(test);
  const harness = await campaignHarness(test, { requests, provider: { wait: responses.wait } });
  harness.provider.orderFault({ operation, fault: { kind: 'slow_headers' }, times: requests });
  return { harness, responses };
}
