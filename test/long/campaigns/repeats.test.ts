import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../../sandbox/provider/webhook/plan-reports.ts';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { dateAfter, nextRun } from '../../../src/domain/time/repeat.ts';
import { clockIn } from '../../../src/domain/time/start-time.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { modelledRuns } from '../../support/modelled-runs.ts';
import { everySeed } from '../../support/sizes.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const zone = 'Europe/London';
/** How late a run may start. */
const maxDelayMs = 6 * hour;
const restarts = 200;
/** The same on every run, so that the seed determines everything. */
const start = new Date('2026-11-03T10:00Z');

/** A campaign that repeats every day for a year, as a test sees it. */
interface Year {
  harness: CampaignHarness;
  /** The times of its runs. */
  times: readonly Date[];
  now(): Date;
  pass(milliseconds: number): void;
}

forEachDatabase(() => {
  it('sends each run of a year once, through changes of the clock and 200 restarts', async (test) => {
    const random = seededRandom(everySeed);
    const { clock, pass } = stoppedClock(start);
    const harness = await campaignHarness(test, { clock });
    const numbers = manyNumbers(8).map((number) => phoneNumberSchema.parse(number));
    // At a time that occurs twice in autumn, and not at all in spring.
    const from = clockIn(new Date(clock.now().getTime() + 2 * day), zone).date;
    const repeat = { every: 'day', from, until: dateAfter(from, 365), time: '01:30' } as const;
    const times = modelledRuns(repeat, zone);
    const year: Year = { harness, times, now: clock.now, pass };
    await harness.read('daily', numbers.map(toE164));
    const first = nextRun(repeat, zone, clock.now());
    assert.ok(first);
    await harness.services.campaigns.start(
      await asSeen(harness.services.campaigns, {
        ...startOf('daily'),
        at: { time: first, zone },
        maxDelayMs,
        repeat: { ...repeat, plainCells: false },
      }),
    );
    const skipped = new Set<number>();
    const left = new Map<PhoneNumber, Date>();
    harness.begin();
    for (let count = 0; count < restarts; count += 1) {
      await live(year, random);
      if (count % 40 === 20) {
        await removeSomebody(year, numbers, left);
      }
      if (count % 25 === 10) {
        skipped.add(await skipNext(year));
      }
      // In the middle of whatever is under way.
      await harness.timers.advance(1_000 * Math.floor(random() * 3));
      for (let turns = Math.floor(random() * 30); turns > 0; turns -= 1) {
        await setImmediate();
      }
      await harness.restart();
      pass(random() < 0.1 ? random() * 3 * day : 0);
      harness.begin();
      await settle(year);
    }
    pass(370 * day);
    await settle(year);

    const all = await runsOf(harness);
    const runs = all.filter(({ state }) => state !== 'cancelled');
    assert.deepEqual(
      startsOf(runs),
      times.filter((at) => !skipped.has(at.getTime())),
    );
    assert.ok(
      startsOf(all.filter(({ state }) => state === 'cancelled')).every((at) => skipped.has(at.getTime())),
    );
    const taken = harness.provider.record.reduce((sum, { to }) => sum + to.length, 0);
    assert.equal(
      taken,
      runs.reduce((sum, { counts }) => sum + counts.accepted, 0),
    );
    for (const { id, state, counts, startAt, startedAt } of runs) {
      assert.equal(
        counts.accepted,
        state === 'done' ? counts.recipients : 0,
        `${startAt?.toISOString()}: ${state}`,
      );
      const late = startedAt === undefined ? 0 : startedAt.getTime() - (startAt?.getTime() ?? 0);
      assert.ok(late >= 0 && late <= maxDelayMs);
      await assertNobodyLeft(harness, { id, startAt }, left);
    }
    const states = Object.groupBy(all, ({ state }) => state);
    assert.ok((states.done?.length ?? 0) > times.length / 2, 'most of its runs are sent');
    test.diagnostic(
      Object.entries(states)
        .map(([state, of]) => `${of.length} ${state}`)
        .join(', '),
    );
    assert.equal((await harness.services.campaigns.find(by('creator', 'daily'), 'daily'))?.state, 'done');
    assert.deepEqual(harness.reported, []);
  });
});

/** Lets two days pass or so, mostly while the program runs. */
async function live(year: Year, random: () => number): Promise<void> {
  if (random() < 0.15) {
    year.pass(random() * 3 * day);
    return;
  }
  for (let steps = 0; steps < 6; steps += 1) {
    const end = year.now().getTime() + random() * 12 * hour;
    // While the program is running, it is there when a run is due.
    const due = year.times.filter((at) => at > year.now() && at.getTime() <= end);
    for (const at of [...due, new Date(end)]) {
      year.pass(at.getTime() - year.now().getTime());
      await settle(year);
    }
  }
}

/** Lets the program do all that is due. */
async function settle({ harness, now }: Year): Promise<void> {
  const soon = now().getTime() + 12 * hour;
  for (;;) {
    const campaigns = await harness.store.campaigns.inState([
      'reading',
      'ready',
      'repeating',
      'scheduled',
      'running',
    ]);
    const isUnderWay = ({ state, startAt = new Date(0) }: Campaign) =>
      (state === 'repeating' && startAt.getTime() <= soon) ||
      (state === 'scheduled' ? startAt <= now() : state !== 'repeating');
    if (!campaigns.some(isUnderWay)) {
      return;
    }
    await harness.timers.advance(1_000);
    await setImmediate();
  }
}

async function skipNext(year: Year): Promise<number> {
  // A run can't be skipped once its time has passed.
  await settle(year);
  const { harness } = year;
  const { campaigns } = harness.services;
  const daily = await campaigns.find(by('creator', 'daily'), 'daily');
  const at = daily && (await campaigns.nextRun(daily));
  assert.ok(at);
  const { kind } = await campaigns.skip({ ...by('creator', 'daily'), at });
  assert.equal(kind, 'done');
  return at.getTime();
}

/** Erases somebody, or puts them on the do-not-contact list, in turn. */
async function removeSomebody(
  { harness, now }: Year,
  numbers: readonly PhoneNumber[],
  left: Map<PhoneNumber, Date>,
): Promise<void> {
  const number = numbers[left.size];
  assert.ok(number);
  const { erasure, suppressionList } = harness.services;
  await (left.size % 2 === 0
    ? erasure.erase({ workspaceIds: [workspaceId], number, userId: 'U0ADMIN' })
    : suppressionList.add({ workspaceId, userId: 'U0ADMIN', numbers: [number], source: { kind: 'typed' } }));
  left.set(number, now());
}

async function assertNobodyLeft(
  { store }: CampaignHarness,
  { id, startAt }: Pick<Campaign, 'id' | 'startAt'>,
  left: ReadonlyMap<PhoneNumber, Date>,
): Promise<void> {
  assert.ok(startAt);
  for await (const { to } of store.campaigns.chunks(workspaceId, id, ['waiting', 'accepted'])) {
    for (const number of to) {
      const since = left.get(phoneNumberSchema.parse(number));
      assert.ok(
        since === undefined || since >= startAt,
        `${number} is in the run of ${startAt.toISOString()}`,
      );
    }
  }
}

async function runsOf({ store }: CampaignHarness): Promise<Campaign[]> {
  const campaigns = await store.campaigns.recent({ workspaceId, limit: 1_000 });
  return campaigns.filter(({ retryOf }) => retryOf === 'daily');
}

const startsOf = (runs: readonly Campaign[]): Date[] =>
  runs.flatMap(({ startAt }) => startAt ?? []).sort((one, other) => one.getTime() - other.getTime());
