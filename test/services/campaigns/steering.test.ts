import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addHours } from 'date-fns/addHours';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { askToStart, decide, switchOn } from '../../support/approvals.ts';
import {
  asSeen,
  by,
  campaignHarness,
  createdBy,
  type HarnessOptions,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { linesOf } from '../../support/read-lines.ts';
import { reasonOf } from '../../support/refusals.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { dueIds } from '../../support/store/due-notices.ts';
import { moveSeen } from '../../support/store/stored-campaigns.ts';
import { runningClock, stoppedClock } from '../../support/time/test-clock.ts';

const operation = 'messages.sendBulk';
const isDone = ({ state }: Campaign) => state === 'done';
const hasEnded = ({ endedAt }: Campaign) => endedAt !== undefined;

describe('a campaign', { concurrency: true }, () => {
  it('that is paused lets requests in flight end, starts no others, and continues when it is resumed', async (test) => {
    const { harness, responses } = await heldHarness(test, 2);
    const { campaigns } = harness.services;
    await harness.send('one', 850);
    await responses.held(2);

    assert.equal((await reasonOf(campaigns.pause(by('another', 'one')))).kind, 'gone');
    const [first, second] = await Promise.all([
      campaigns.pause(by('creator', 'one')),
      campaigns.pause(by('admin', 'one')),
    ]);
    assert.deepEqual([first.kind, second.kind].sort(), ['done', 'too_late']);
    const inFlight = await harness.outcome('one');
    assert.deepEqual([inFlight.claimed, inFlight.waiting], [200, 650]);
    const userId = first.kind === 'done' ? createdBy : 'U0ADMIN';
    assert.deepEqual(inFlight.campaign.pause, { by: 'person', userId });

    responses.release();
    await harness.until('one', (campaign) => campaign.inFlight === 0);
    const paused = await harness.outcome('one');
    assert.deepEqual([paused.accepted, paused.waiting, paused.campaign.state], [200, 650, 'paused']);
    assert.equal(
      (await reasonOf(campaigns.resume(await asSeen(campaigns, by('another', 'one'))))).kind,
      'gone',
    );
    assert.equal(harness.asked(), 2);

    const resumed = await Promise.all([
      campaigns.resume(await asSeen(campaigns, by('admin', 'one'))),
      campaigns.resume(await asSeen(campaigns, by('admin', 'one'))),
    ]);
    assert.deepEqual(resumed.map(({ kind }) => kind).sort(), ['done', 'too_late']);
    const done = await harness.until('one', isDone);
    assert.deepEqual([done.lastActionBy, done.pause], ['U0ADMIN', undefined]);
    assert.equal((await harness.outcome('one')).accepted, 850);
    assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'too_late');
  });

  for (const [isApproved, then] of [
    [true, 'starts at its time, as it was approved'],
    [false, 'is paused at its time where it needs approval by then'],
  ] as const) {
    it(`that was held before its start since the data was restored ${then}`, async (test) => {
      const { clock, pass } = stoppedClock();
      const harness = await campaignHarness(test, { clock });
      const at = { time: addHours(clock.now(), 48), zone: 'Africa/Lagos' };
      await harness.read('one', 3);
      if (isApproved) {
        await switchOn(harness);
        const asked = await askToStart(harness, 'one', { at, seen: { approval: 'needed' } });
        assert.equal((await harness.services.approvals.approve(decide(asked))).kind, 'done');
      } else {
        const request = { ...startOf('one'), at, seen: {} };
        const started = await harness.services.campaigns.start(
          await asSeen(harness.services.campaigns, request),
        );
        assert.equal(started.kind, 'started');
        await switchOn(harness);
      }
      await harness.restart({ isRestored: true });
      const { campaigns } = harness.services;
      assert.equal((await campaigns.findAny(workspaceId, 'one'))?.pause?.error?.reason, 'restored');
      const resumed = await campaigns.resume(await asSeen(campaigns, { ...by('creator', 'one'), seen: {} }));
      assert.ok(resumed.kind === 'done' && resumed.campaign.state === 'scheduled', resumed.kind);
      harness.begin();
      pass(48 * 60 * 60_000);
      const over = await harness.advanceUntil('one', ({ state }) => state === 'done' || state === 'paused');
      assert.deepEqual(
        [over.state, over.pause?.error?.reason],
        isApproved ? ['done', undefined] : ['paused', 'approval_needed'],
      );
      assert.equal(harness.provider.record.length > 0, isApproved);
    });
  }

  it('that was started in quiet hours, and is resumed by day, asks before it is resumed in quiet hours again', async (test) => {
    const { clock, pass } = runningClock(new Date('2030-03-05T12:00:00Z'));
    const harness = await campaignHarness(test, { clock });
    const { campaigns } = harness.services;
    await harness.read('one', ['+2348031234567'], { route: 'generic' });
    const shown = { seen: { quietHours: true } } as const;
    await moveSeen(harness.store.campaigns, workspaceId, 'one', ['ready'], 'running', shown);
    const pauseAndResume = async () => {
      await campaigns.pause(by('creator', 'one'));
      return campaigns.resume(await asSeen(campaigns, { ...by('creator', 'one'), seen: {} }));
    };
    assert.equal((await pauseAndResume()).kind, 'done');
    pass(9 * 60 * 60_000);
    assert.equal((await pauseAndResume()).kind, 'not_as_shown');
  });

  it('that is paused and resumed with requests in flight sends to everyone once', async (test) => {
    const { harness, responses } = await heldHarness(test, 2);
    const { campaigns } = harness.services;
    await harness.send('one', 850);
    await responses.held(2);
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'done');
      assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'one')))).kind, 'done');
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
    assert.equal((await reasonOf(campaigns.cancel(by('another', 'one')))).kind, 'gone');
    const cancelled = await campaigns.cancel(by('creator', 'one'));
    assert.ok(cancelled.kind === 'done' && cancelled.campaign.endedAt === undefined);
    assert.equal((await campaigns.cancel(by('creator', 'one'))).kind, 'too_late');
    assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'one')))).kind, 'too_late');
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
      // Long enough that the first one isn't done before the others have workers.
      for (const id of ids) {
        await harness.read(id, 3_600);
      }
      for (const id of ids) {
        await campaigns.start(await asSeen(campaigns, startOf(id)));
      }
      harness.begin();
      await Promise.all(ids.map((id) => harness.until(id, isDone)));
      const order = harness.provider.record.map(({ text }) => text.split(' ').at(-1) ?? '');
      // From when all of them had workers: how long the first one is alone depends on the machine.
      const together = order.slice(
        Math.max(...ids.map((id) => order.indexOf(id))),
        Math.min(...ids.map((id) => order.lastIndexOf(id))) + 1,
      );
      assert.ok(together.length > order.length / 4, order.join(' '));
      for (const id of ids) {
        assert.ok(together.filter((each) => each === id).length > together.length / 6, order.join(' '));
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
      await harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf(id)));
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
