import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Campaign } from '../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  startOf,
  workspaceId,
} from './campaign-harness.ts';
import { copyData } from './store/copy-data.ts';
import { dueNotices } from './store/due-notices.ts';
import { killAfter } from './store/kill-after.ts';
import { type MovedClock, stoppedClock } from './time/test-clock.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const zone = 'Africa/Lagos';

/** A campaign that repeats daily at nine in Lagos, in a test that can move the clock. */
export interface Daily extends MovedClock {
  test: Pick<TestContext, 'after'>;
  harness: CampaignHarness;
  /** When its first run starts. */
  first: Date;
}

/** @param text of its messages */
export async function repeatDaily(test: Pick<TestContext, 'after'>): Promise<Daily> {
  const moved = stoppedClock();
  const { clock } = moved;
  const harness = await campaignHarness(test, { clock });
  const dateIn = (days: number) => new Date(clock.now().getTime() + days * day).toISOString().slice(0, 10);
  const [from, until] = [dateIn(1), dateIn(60)];
  const first = new Date(`${from}T08:00Z`);
  await harness.read('daily', 3, { text: 'We open at nine' });
  await harness.services.campaigns.start(
    await asSeen(harness.services.campaigns, {
      ...startOf('daily'),
      at: { time: first, zone },
      repeat: { every: 'day', from, until, time: '09:00', plainCells: false },
    }),
  );
  return { ...moved, test, harness, first };
}

export const after = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);

/** Moves the clock to a time, and lets the program do everything that is due. */
export async function liveUntil(daily: Daily, at: Date): Promise<void> {
  daily.pass(at.getTime() - daily.clock.now().getTime());
  await settle(daily);
}

/** Lets the program do everything that is due, unless every write fails. */
export async function settle({ harness, clock }: Daily, isDead = () => false): Promise<void> {
  const { store, timers } = harness;
  const soon = after(clock.now(), 12 * hour);
  const isUnderWay = ({ state, startAt = new Date(0) }: Campaign) =>
    state === 'repeating' ? startAt <= soon : state !== 'scheduled' || startAt <= clock.now();
  while (!isDead()) {
    const open = await store.campaigns.inState(['reading', 'repeating', 'scheduled', 'running']);
    if (!open.some(isUnderWay)) {
      return;
    }
    await timers.advance(1_000);
    await setImmediate();
  }
}

/** The state of each run, by days after the first one. */
export async function runsOf({ harness, first }: Daily): Promise<string[]> {
  const all = await harness.store.campaigns.recent({ workspaceId, limit: 100 });
  return all
    .flatMap(({ occurrence, state }) =>
      occurrence === undefined ? [] : `${(occurrence.at.getTime() - first.getTime()) / day} ${state}`,
    )
    .sort();
}

/** Returns the notices waiting to be sent, except the messages that show campaigns. */
export async function toldOf({ harness: { store } }: Daily): Promise<string[]> {
  const notices = await dueNotices(store);
  return notices.flatMap(({ subject, subjectId }) =>
    subject === 'campaign' ? [] : `${subject} ${subjectId}`,
  );
}

export const sentTimes = ({ harness }: Daily): number => harness.provider.record.length;

/**
 * Kills the program after this many commits, and restarts it on the stored data. Returns whether the work was
 * unfinished, and a function that restores the data from that moment.
 */
async function kill(
  daily: Daily,
  commits: number,
  work: () => Promise<unknown>,
): Promise<{ hasCome: boolean; putBack: () => Promise<void> }> {
  const { harness, test } = daily;
  const killing = killAfter(harness.store, commits);
  let hasEnded = false;
  await work().catch(() => {
    hasEnded = true;
  });
  // The background checks use the same database.
  await settle(daily, () => hasEnded || killing.hasCome()).catch(() => {});
  killing.revive();
  let putBack = async () => {};
  await harness.restart({
    async whileStopped() {
      putBack = await copyData(test, harness.folder);
    },
  });
  harness.begin();
  return { hasCome: killing.hasCome(), putBack };
}

const asIs = async () => {};

/** Work to kill, with assertions that hold wherever it was killed. */
const killedWork: Readonly<Record<string, (daily: Daily, commits: number) => ReturnType<typeof kill>>> = {
  async 'a run that is prepared is sent once'(daily, commits) {
    const { first, harness } = daily;
    harness.begin();
    daily.pass(after(first, -11 * hour).getTime() - daily.clock.now().getTime());
    const killed = await kill(daily, commits, asIs);
    await liveUntil(daily, first);
    assert.equal(sentTimes(daily), 1);
    await liveUntil(daily, after(first, day));
    assert.equal(sentTimes(daily), 2);
    assert.deepEqual(await runsOf(daily), ['0 done', '1 done']);
    return killed;
  },

  async 'of runs that were due one is sent, and its creator is told of the others once'(daily, commits) {
    const { first, harness } = daily;
    harness.begin();
    await liveUntil(daily, after(first, -11 * hour));
    await harness.stopSending();
    daily.pass(after(first, 3 * day + hour).getTime() - daily.clock.now().getTime());
    await harness.restart();
    harness.begin();
    // The first four commits store the missed runs and the campaign's next time. After that, the latest run
    // is prepared.
    const killed = await kill(daily, commits, asIs);
    await settle(daily);
    assert.equal(sentTimes(daily), 1);
    assert.deepEqual(await runsOf(daily), ['0 missed', '1 missed', '2 missed', '3 done']);
    assert.deepEqual(await toldOf(daily), ['campaign_missed daily']);
    return killed;
  },

  async 'a run that is skipped is not sent, once that is said'(daily, commits) {
    const { first, harness } = daily;
    const request = { ...by('creator', 'daily'), at: first };
    const killed = await kill(daily, commits, () => harness.services.campaigns.skip(request));
    const again = await harness.services.campaigns.skip(request);
    const isDone = again.kind === 'done' || (await runsOf(daily)).includes('0 cancelled');
    assert.ok(isDone, again.kind);
    await liveUntil(daily, after(first, hour));
    assert.equal(sentTimes(daily), 0);
    await liveUntil(daily, after(first, day));
    assert.equal(sentTimes(daily), 1);
    return killed;
  },

  async 'an answer for runs of restored data counts as a whole or not at all'(daily, commits) {
    const { first, harness } = daily;
    harness.begin();
    await liveUntil(daily, after(first, -11 * hour));
    await harness.stopSending();
    daily.pass(2 * day);
    await harness.restart({ isRestored: true });
    harness.begin();
    const latest = after(first, 2 * day);
    const runs = { answer: 'latest', latest } as const;
    const request = { ...(await asSeen(harness.services.campaigns, by('creator', 'daily'))), runs };
    const killed = await kill(daily, commits, () => harness.services.campaigns.resume(request));
    await harness.services.campaigns.resume(request);
    await liveUntil(daily, latest);
    assert.equal(sentTimes(daily), 1);
    assert.deepEqual(await runsOf(daily), ['0 missed', '1 missed', '2 done']);
    return killed;
  },
};

export const killedWorks = Object.keys(killedWork);

/**
 * Kills the program after this many commits of one of these works. Once the work has ended, restores the data
 * from the kill: nothing is sent until a person decides. Returns whether the work was unfinished.
 */
export async function killWork(daily: Daily, what: string, commits: number): Promise<boolean> {
  const killed = await killedWork[what]?.(daily, commits);
  assert.ok(killed);
  const { harness } = daily;
  const sent = sentTimes(daily);
  await harness.restart({ isRestored: true, whileStopped: killed.putBack });
  harness.begin();
  await liveUntil(daily, after(daily.clock.now(), day));
  await harness.timers.advance(5_000);
  await settle(daily);
  assert.equal(sentTimes(daily), sent, `${what}, killed after ${commits} commits, and restored`);
  return killed.hasCome;
}
