import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { RunAnswer } from '../../../src/services/campaigns/held-runs.ts';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { decide, standing, switchOn } from '../../support/approvals.ts';
import {
  asSeen,
  by,
  campaignHarness,
  createdBy,
  type HarnessOptions,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import {
  after,
  type Daily,
  liveUntil,
  repeatDaily,
  runsOf,
  sentTimes,
  settle,
  toldOf,
} from '../../support/killed-repeats.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueNotices } from '../../support/store/due-notices.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const zone = 'Africa/Lagos';

/** A campaign that repeats every day from tomorrow at nine in Lagos on. */
async function daily(
  test: TestContext,
  options: HarnessOptions = {},
  form: { text: string; withoutAccents?: boolean } = { text: 'We open at nine' },
  list: number | readonly string[] = 3,
) {
  const { clock, pass } = stoppedClock();
  const harness = await campaignHarness(test, Object.assign(options, { clock }));
  const from = new Date(clock.now().getTime() + day).toISOString().slice(0, 10);
  const until = new Date(clock.now().getTime() + 60 * day).toISOString().slice(0, 10);
  const first = new Date(`${from}T08:00Z`);
  await harness.read('daily', list, form);
  await harness.services.campaigns.start(
    await asSeen(harness.services.campaigns, {
      ...startOf('daily'),
      at: { time: first, zone },
      repeat: { every: 'day', from, until, time: '09:00', plainCells: false },
    }),
  );
  return { harness, first, passToFirst: () => pass(first.getTime() - clock.now().getTime()) };
}

/** Resolves as soon as the campaign that repeats is so, while the program looks again and again. */
async function until(
  { services, timers }: Awaited<ReturnType<typeof campaignHarness>>,
  isSo: (campaign: Campaign) => boolean,
): Promise<Campaign> {
  for (;;) {
    const campaign = await services.campaigns.find(by('creator', 'daily'), 'daily');
    if (campaign !== undefined && isSo(campaign)) {
      return campaign;
    }
    await timers.advance(1_000);
    await setImmediate();
  }
}

/** Resumes the campaign with a person's answer about the runs since the backup. */
const answer = async ({ harness: { services } }: Daily, said: RunAnswer, latest: Date) =>
  services.campaigns.resume({
    ...(await asSeen(services.campaigns, by('creator', 'daily'))),
    runs: { answer: said, latest },
  });

forEachDatabase(() => {
  describe('a campaign that repeats, once the data was restored', () => {
    it('asks once what became of a run that was prepared, and sends it to nobody twice', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first } = repeats;
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      await harness.restart({ isRestored: true });
      harness.begin();
      const [run] = (await harness.store.campaigns.inState(['paused'])).filter(
        ({ repeat }) => repeat === undefined,
      );
      assert.ok(run);
      for (const id of [run.id, 'daily']) {
        const request = await asSeen(harness.services.campaigns, by('creator', id));
        const { kind, ...resumed } = await harness.services.campaigns.resume(request);
        assert.deepEqual([kind, 'campaign' in resumed && resumed.campaign.id], ['unanswered', 'daily']);
      }
      await liveUntil(repeats, after(first, hour));
      assert.equal(sentTimes(repeats), 0, 'nobody has answered yet');
      const answers = await Promise.all([answer(repeats, 'latest', first), answer(repeats, 'latest', first)]);
      assert.equal(answers.filter(({ kind }) => kind === 'done').length, 1);
      await liveUntil(repeats, after(first, 2 * hour));
      assert.equal(sentTimes(repeats), 1);
      await liveUntil(repeats, after(first, day));
      assert.equal(sentTimes(repeats), 2);
    });

    it('leaves out what a person says was sent, also a run of which the backup knows nothing', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, pass, clock } = repeats;
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      await harness.stopSending();
      // The backup knows nothing about the second run, which was prepared, and skipped or sent, in the lost
      // data.
      pass(after(first, day - 11 * hour).getTime() - clock.now().getTime());
      await harness.restart({ isRestored: true });
      harness.begin();
      const second = after(first, day);
      const late = await answer(repeats, 'sent', first);
      assert.equal(late.kind, 'unanswered', 'they have seen fewer runs than there are');
      const stale = {
        ...by('creator', 'daily'),
        version: '',
        seen: {},
        runs: { answer: 'sent', latest: second },
      } as const;
      const { kind } = await harness.services.campaigns.resume(stale);
      assert.equal(kind, 'changed', 'they have seen another campaign');
      assert.equal((await answer(repeats, 'sent', second)).kind, 'done');
      await liveUntil(repeats, after(second, hour));
      assert.equal(sentTimes(repeats), 0);
      await liveUntil(repeats, after(first, 2 * day));
      assert.equal(sentTimes(repeats), 1);
      assert.deepEqual(await runsOf(repeats), ['0 cancelled', '1 cancelled', '2 done']);
    });
  });

  for (const [what, answered, outcome] of [
    ['was sent', 'sent', { sent: 0, runs: ['0 cancelled'] }],
    ['is to be sent by day', 'latest', { sent: 1, runs: ['0 done'] }],
    ['is to be sent at night', 'latest', { sent: 0, runs: ['0 missed'] }],
  ] as const) {
    it(`a run left after repeating was stopped is asked about too, once the data was restored: it ${what}`, async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first } = repeats;
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      await harness.services.campaigns.cancel(by('creator', 'daily'));
      await harness.stopSending();
      repeats.pass((what === 'is to be sent at night' ? 24 : 13) * hour);
      await harness.restart({ isRestored: true });
      harness.begin();
      const { campaigns } = harness.services;
      const [run] = await harness.store.campaigns.inState(['paused']);
      assert.ok(run);
      const request = await asSeen(campaigns, by('creator', run.id));
      const unanswered = await campaigns.resume(request);
      assert.ok(unanswered.kind === 'unanswered' && unanswered.campaign.id === run.id, unanswered.kind);
      const runs = { answer: answered, latest: first };
      assert.equal((await campaigns.resume({ ...request, runs })).kind, 'done');
      await settle(repeats);
      assert.deepEqual({ sent: sentTimes(repeats), runs: await runsOf(repeats) }, outcome);
    });
  }

  it('a run that was approved needs approval again, once the data was restored past its time', async (test) => {
    const repeats = await repeatDaily(test);
    const { harness, first, clock, pass } = repeats;
    const { approvals } = harness.services;
    await switchOn(harness);
    harness.begin();
    await liveUntil(repeats, after(first, -11 * hour));
    const [asked] = await approvals.waiting({ workspaceId });
    assert.ok(asked);
    assert.equal((await approvals.approve(decide(asked))).kind, 'done');
    await harness.stopSending();
    pass(after(first, hour).getTime() - clock.now().getTime());
    await harness.restart({ isRestored: true });
    harness.begin();
    assert.equal((await answer(repeats, 'latest', first)).kind, 'done');
    await settle(repeats);
    assert.deepEqual(
      { sent: sentTimes(repeats), runs: await runsOf(repeats) },
      { sent: 0, runs: ['0 paused'] },
    );
    const [run] = (await harness.store.campaigns.inState(['paused'])).filter(({ occurrence }) => occurrence);
    assert.equal(run?.pause?.error?.reason, 'approval_needed');
  });

  it('a run that nobody approved by its time is asked about too, once the data was restored', async (test) => {
    const repeats = await repeatDaily(test);
    const { harness, first, clock, pass } = repeats;
    await switchOn(harness);
    harness.begin();
    await liveUntil(repeats, after(first, -11 * hour));
    await harness.stopSending();
    pass(after(first, hour).getTime() - clock.now().getTime());
    await harness.services.approvals.tick();
    await harness.restart({ isRestored: true });
    harness.begin();
    for (let looks = 0; looks < 10; looks += 1) {
      await harness.timers.advance(1_000);
      await setImmediate();
    }
    assert.deepEqual(await runsOf(repeats), ['0 ready']);
    assert.equal((await answer(repeats, 'sent', first)).kind, 'done');
    assert.deepEqual(await runsOf(repeats), []);
  });

  describe('a campaign that repeats every day, any time later', () => {
    it('catches up with one run after five days, and names those that are missed', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, clock, pass } = repeats;
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      await editFirstRun(repeats);
      await harness.restart();
      pass(after(first, 5 * day + 2 * hour).getTime() - clock.now().getTime());
      harness.begin();
      await liveUntil(repeats, clock.now());
      assert.equal(sentTimes(repeats), 1);
      assert.deepEqual(await runsOf(repeats), [
        ...['0 missed', '1 missed', '2 missed', '3 missed', '4 missed'],
        '5 done',
      ]);
      const campaign = await harness.services.campaigns.find(by('creator', 'daily'), 'daily');
      const missed = campaign && (await harness.services.campaigns.lastMissed(campaign));
      assert.deepEqual(missed?.map(({ name }) => name).slice(0, 1), ['Sale']);
      assert.equal(missed?.length, 5, 'they are told together');
      assert.deepEqual(await toldOf(repeats), ['campaign_missed daily']);
    });

    it('leaves its approvers time for a late run', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, clock, pass } = repeats;
      await switchOn(harness);
      pass(after(first, 2 * hour).getTime() - clock.now().getTime());
      harness.begin();
      await liveUntil(repeats, clock.now());
      const [waiting] = await harness.services.approvals.waiting({ workspaceId, kind: 'campaign' });
      assert.ok(waiting && waiting.expiresAt > after(clock.now(), hour));
      await harness.services.approvals.approve(decide(waiting));
      await liveUntil(repeats, clock.now());
      assert.equal(sentTimes(repeats), 1);
    });

    it('names a run that nobody approved among those that were missed, and not as edited', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, clock, pass } = repeats;
      await switchOn(harness);
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      const [asked] = await harness.services.approvals.waiting({ workspaceId });
      assert.ok(asked);
      await harness.restart();
      pass(after(first, 2 * day + hour).getTime() - clock.now().getTime());
      harness.begin();
      await liveUntil(repeats, clock.now());
      assert.deepEqual(await runsOf(repeats), ['0 missed', '1 missed', '2 ready']);
      const campaign = await harness.services.campaigns.find(by('creator', 'daily'), 'daily');
      const missed = campaign && (await harness.services.campaigns.lastMissed(campaign));
      assert.deepEqual(
        missed?.map(({ startAt, counts }) => [startAt, counts.recipients]),
        [
          [first, 3],
          [after(first, day), 0],
        ],
      );
      assert.equal((await standing(harness, asked)).state, 'expired');
      assert.equal(await timesTold(repeats), 1);
    });

    it('lists a run that nobody approves in time as missed, and leaves it to the request to say so', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first } = repeats;
      await switchOn(harness);
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      await liveUntil(repeats, first);
      while (!(await runsOf(repeats)).includes('0 missed')) {
        await harness.timers.advance(1_000);
        await setImmediate();
      }
      assert.equal(await timesTold(repeats), 0);
      const [run] = await harness.services.campaigns.listRecent({
        workspaceId,
        states: ['missed'],
        limit: 1,
      });
      assert.ok(run);
      const request = await asSeen(harness.services.campaigns, by('creator', run.id));
      const { kind } = await harness.services.campaigns.startNow(request);
      assert.equal(kind, 'approval', 'it can still be started');
    });

    for (const move of ['skip', 'cancel'] as const) {
      it(`asks nobody to approve a run that ends by a ${move} while approval is to be asked`, async (test) => {
        const responses = heldResponses(test);
        const { harness, first, passToFirst } = await daily(test, { provider: { wait: responses.wait } });
        const { campaigns, approvals } = harness.services;
        await switchOn(harness);
        // The request includes whether the sender ID is still active.
        harness.provider.orderFault({ operation: 'senderIds.list', fault: { kind: 'slow_headers' } });
        passToFirst();
        harness.begin();
        await responses.arrived;
        const { kind } = await campaigns[move]({ ...by('creator', 'daily'), at: first });
        assert.equal(kind, 'done');
        responses.release();
        await harness.stopSending();
        assert.deepEqual(await approvals.waiting({ workspaceId }), []);
        assert.ok((await dueNotices(harness.store)).every(({ subject }) => subject !== 'approval'));
        assert.deepEqual(await harness.store.campaigns.inState(['ready', 'scheduled']), []);
      });
    }

    it('sends no late run at night', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, clock, pass } = repeats;
      // 20:30 in Lagos, and more than 12 hours before the next run.
      pass(after(first, 5 * day + 11.5 * hour).getTime() - clock.now().getTime());
      harness.begin();
      await liveUntil(repeats, clock.now());
      assert.equal(sentTimes(repeats), 0);
      assert.equal((await runsOf(repeats)).filter((run) => run.endsWith('missed')).length, 6);
      await liveUntil(repeats, after(first, 6 * day));
      assert.equal(sentTimes(repeats), 1);
    });

    it('sends the run that was left as repeating was stopped, however soon the next one would have been', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, clock, pass } = repeats;
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      await harness.services.campaigns.cancel(by('creator', 'daily'));
      await harness.restart();
      // 08:30 in Lagos on the next day, half an hour before the next run.
      pass(after(first, day - 0.5 * hour).getTime() - clock.now().getTime());
      harness.begin();
      await settle(repeats);
      assert.deepEqual(await runsOf(repeats), ['0 done']);
      assert.equal(sentTimes(repeats), 1);
      assert.equal(await timesTold(repeats), 0);
    });

    it('sends one of two runs that were left as repeating was stopped', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, clock, pass } = repeats;
      const { campaigns } = harness.services;
      harness.begin();
      await liveUntil(repeats, after(first, -11 * hour));
      const [run] = await campaigns.listRecent({ workspaceId, states: ['scheduled'], limit: 1 });
      assert.ok(run);
      const later = { at: { time: after(first, day - hour), zone } };
      const move = await asSeen(campaigns, { ...by('creator', run.id), ...later });
      assert.equal((await campaigns.changeTime(move)).kind, 'done');
      await liveUntil(repeats, after(first, day - 11 * hour));
      await campaigns.cancel(by('creator', 'daily'));
      await harness.restart();
      pass(after(first, day + 2 * hour).getTime() - clock.now().getTime());
      harness.begin();
      await settle(repeats);
      assert.deepEqual(await runsOf(repeats), ['0 missed', '1 done']);
      assert.equal(sentTimes(repeats), 1);
    });

    it('sends at most one run as the clock is set ahead, and none twice as it is set back', async (test) => {
      const repeats = await repeatDaily(test);
      const { harness, first, leap } = repeats;
      harness.begin();
      await liveUntil(repeats, after(first, -hour));
      leap(5 * day + 3 * hour);
      await settle(repeats);
      assert.equal(sentTimes(repeats), 1);
      leap(-5 * day - 3 * hour);
      for (let days = 0; days <= 6; days += 1) {
        await liveUntil(repeats, after(first, days * day + minute));
      }
      assert.equal(sentTimes(repeats), 2);
      assert.deepEqual((await runsOf(repeats)).slice(-2), ['5 done', '6 done']);
      leap(-2 * day);
      await settle(repeats);
      await liveUntil(repeats, after(first, 6 * day + 2 * minute));
      assert.equal(sentTimes(repeats), 2);
    });
  });
});

/** How many messages report missed runs. */
const timesTold = async (repeats: Daily) =>
  (await toldOf(repeats)).filter((told) => told === 'campaign_missed daily').length;

/** Replaces the prepared first run with another campaign, scheduled for the same time. */
async function editFirstRun({ harness: { services }, first }: Daily): Promise<void> {
  const { campaigns } = services;
  const daily = await campaigns.find(by('creator', 'daily'), 'daily');
  const at = daily && (await campaigns.nextRun(daily));
  assert.deepEqual(at, first);
  const [run] = await campaigns.listRecent({ workspaceId, states: ['scheduled'], limit: 1 });
  assert.ok(run);
  await campaigns.unschedule(by('creator', run.id));
  const found = await campaigns.findOfDraft(by('creator', run.id));
  assert.ok(found.kind === 'found');
  const form = { name: 'Sale', text: 'Everything must go', route: 'dnd', senderId: 'PalmMarket' };
  await campaigns.importRecipients({
    workspaceId,
    userId: createdBy,
    id: 'sale',
    source: found.source,
    form,
  });
  await campaigns.start(await asSeen(campaigns, { ...startOf('sale'), at: { time: first, zone } }));
}

describe('a campaign that repeats', { concurrency: true }, () => {
  it('is paused with the reason where its text can no longer be sent as it is', async (test) => {
    const options: HarnessOptions = { optOutAddress: 'sms.acme.example' };
    const { harness, passToFirst } = await daily(test, options, { text: 'We open at nine {{opt_out}}' });
    options.optOutAddress = undefined;
    await harness.restart();
    passToFirst();
    harness.begin();
    const { pause } = await until(harness, ({ state }) => state === 'paused');
    assert.match(describeFailure(pause?.error).happened, /next run can’t be prepared/);
  });

  it('sends each run without accents where a person chose so', async (test) => {
    const form = { text: 'Ẹ kú àárọ̀ {{name}}', withoutAccents: true };
    const list = ['Name,Phone', 'Ọláyínká,+2348050000010'];
    const { harness, passToFirst, first } = await daily(test, {}, form, list);
    passToFirst();
    harness.begin();
    await until(harness, ({ startAt }) => startAt !== undefined && startAt > first);
    for (;;) {
      const [run] = await harness.store.campaigns.recent({ workspaceId, states: ['done'], limit: 1 });
      if (run !== undefined) {
        assert.deepEqual([run.text, run.counts.accepted], ['E ku aaro {{name}}', 1]);
        assert.deepEqual(
          harness.provider.record.map(({ text }) => text),
          ['E ku aaro Olayinka'],
        );
        return;
      }
      await harness.timers.advance(1_000);
      await setImmediate();
    }
  });

  it('is prepared without a provider key too: the run is paused at its time, and says why', async (test) => {
    const { harness, passToFirst, first } = await daily(test);
    await harness.services.workspaces.disconnect(workspaceId);
    passToFirst();
    harness.begin();
    await until(harness, ({ startAt }) => startAt !== undefined && startAt > first);
    for (;;) {
      const [run] = await harness.store.campaigns.recent({ workspaceId, states: ['paused'], limit: 1 });
      if (run !== undefined) {
        assert.match(describeFailure(run.pause?.error).happened, /key was removed/);
        return;
      }
      await harness.timers.advance(1_000);
      await setImmediate();
    }
  });
});
