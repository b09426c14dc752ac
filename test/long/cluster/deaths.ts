import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import type { TestHooks } from '../../support/app/app-process.ts';
import { asSeen } from '../../support/campaign-harness.ts';
import { slackUserAt, wordsOf } from '../../support/slack/slack-user.ts';
import {
  type CampaignResult,
  importCampaign,
  requests,
  resultOf,
  workspaceId,
} from '../kills/crash-harness.ts';
import { type Clicks, mayBeRepeated, startClicks } from './clicks.ts';
import { type Cluster, createdBy, type Instance, startCluster } from './cluster-harness.ts';

/** What becomes of an instance in a round: killed, or stopped for a while, that is for longer than its lease. */
type Fate = { kind: 'kill' } | { kind: 'stop'; seconds: number };

const rounds: fc.Arbitrary<{ fate: Fate; victim: number; afterMs: number }> = fc.record({
  fate: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Fate>({ kind: 'kill' }) },
    { weight: 1, arbitrary: fc.constantFrom(6, 9).map((seconds): Fate => ({ kind: 'stop', seconds })) },
  ),
  victim: fc.nat({ max: 99 }),
  afterMs: fc.integer({ min: 100, max: 800 }),
});

export interface DeathsResult {
  rounds: number;
  kills: number;
  /** Stops after which an instance was dead to the others. */
  longStops: number;
  campaigns: CampaignResult[];
  /** What their creator was told of each campaign, by its id, as Slack has it in the end. */
  told: ReadonlyMap<string, readonly string[]>;
  clicks: Clicks;
  /** The longest time in which a campaign that was running neither went on nor was taken, in milliseconds. */
  longestPauseMs: number;
}

const size = 3;
const sharedRecipients = 8_000;
const personalRecipients = 500;
const messagesPerSecond = 600;
const endWithinMs = 120_000;
const toldWithinMs = 90_000;

/**
 * Runs campaigns on three instances, and people's clicks on any of them, while one of them is killed or stopped every
 * second or so. Then lets every campaign end.
 */
export async function runDeaths(
  test: TestHooks,
  { rounds: count, seed }: { rounds: number; seed: number },
): Promise<DeathsResult> {
  const random = fc.sample(fc.nat(), { seed, numRuns: 10_000 });
  let drawn = 0;
  const pick = (of: number) => {
    drawn += 1;
    return (random[drawn % random.length] ?? 0) % Math.max(1, of);
  };
  const cluster = await startCluster(test, { messagesPerSecond, pick });
  for (let instance = 0; instance < size; instance += 1) {
    await cluster.start();
  }
  const campaigns = createCampaigns(cluster);
  await campaigns.add();
  const clicks = startClicks(cluster, pick);
  let kills = 0;
  let longStops = 0;
  const background: Promise<void>[] = [];

  for (const { fate, victim, afterMs } of fc.sample(rounds, { seed, numRuns: count })) {
    await pause(afterMs);
    await campaigns.addWhereFew();
    // One goes on at all times.
    const running = () => cluster.instances.filter(({ isStopped }) => !isStopped);
    while (running().length < 2) {
      await pause(50);
    }
    const up = running();
    const instance = up[victim % up.length];
    assert.ok(instance);
    if (fate.kind === 'kill') {
      kills += 1;
      await cluster.kill(instance);
      background.push(cluster.start().then(() => {}));
    } else {
      longStops += fate.seconds > 8 ? 1 : 0;
      background.push(stopFor(cluster, instance, fate.seconds));
    }
  }
  await Promise.all(background);
  await clicks.stop();
  await campaigns.ended();
  const results: CampaignResult[] = [];
  for (const campaign of await campaigns.all()) {
    results.push(await resultOf(campaign, cluster.store, cluster.provider));
  }
  return {
    rounds: count,
    kills,
    longStops,
    campaigns: results,
    told: await campaigns.told(),
    clicks,
    longestPauseMs: campaigns.longestPauseMs(),
  };
}

async function stopFor(cluster: Cluster, instance: Instance, seconds: number): Promise<void> {
  cluster.pause(instance);
  await pause(seconds * 1_000);
  cluster.resume(instance);
}

function createCampaigns({ services, store, provider, slack }: Cluster) {
  let made = 0;
  let longest = 0;
  const seen = new Map<string, { sent: number; epoch: number; at: number }>();

  /** Notes how long a campaign that is to send has sent nothing, since its last request or since an instance took it. */
  async function watch(): Promise<void> {
    const now = performance.now();
    const leases = await store.db.selectFrom('campaign').select(['id', 'leaseEpoch']).execute();
    for (const campaign of await store.campaigns.inState(['running'])) {
      const { id, counts, inFlight } = campaign;
      const sent = counts.accepted + counts.unconfirmed + inFlight;
      const epoch = leases.find((lease) => lease.id === id)?.leaseEpoch ?? 0;
      const last = seen.get(id) ?? { sent: -1, epoch, at: now };
      const left = counts.recipients - sent;
      if (sent !== last.sent || epoch !== last.epoch || left === 0) {
        seen.set(id, { sent, epoch, at: now });
      }
      longest = Math.max(longest, now - (seen.get(id) ?? last).at);
    }
  }
  let watching = true;
  const watched = (async () => {
    while (watching) {
      await watch();
      await pause(250);
    }
  })();

  async function start(recipients: number, personal: boolean): Promise<void> {
    made += 1;
    const id = `campaign-${made}`;
    await importCampaign(services, { id, name: id, userId: createdBy, recipients, personal });
    const started = await services.campaigns.start(
      await asSeen(services.campaigns, { workspaceId, userId: createdBy, id }),
    );
    assert.equal(started.kind, 'started');
  }

  const all = () => store.campaigns.recent({ workspaceId, limit: 1_000 });
  const left = ({ counts, inFlight }: Campaign) =>
    counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed - inFlight;

  const add = async () => {
    await start(sharedRecipients, false);
    await start(personalRecipients, true);
  };

  return {
    add,
    all,
    async addWhereFew() {
      const waiting = (await store.campaigns.inState(['running'])).reduce((sum, each) => sum + left(each), 0);
      if (waiting < 5 * messagesPerSecond) {
        await add();
      }
    },
    async ended() {
      const deadline = performance.now() + endWithinMs;
      for (let open = await all(); open.some(({ state }) => state !== 'done'); open = await all()) {
        assert.ok(
          performance.now() < deadline,
          `not ended: ${JSON.stringify(open.filter(({ state }) => state !== 'done'))}`,
        );
        await pause(250);
      }
      watching = false;
      await watched;
      assert.ok(provider.record.length > 0);
    },
    longestPauseMs: () => longest,

    async told() {
      const names = (await all()).map(({ id }) => id);
      const messagesOf = (id: string) =>
        slackUserAt(slack, createdBy)
          .messages()
          .map(wordsOf)
          .filter((words) => new RegExp(`\\b${id}\\b`).test(words));
      const isTold = (id: string) => messagesOf(id).some((words) => words.includes('Done'));
      await slack.until(() => names.every(isTold), 'the outcome of every campaign', toldWithinMs);
      return new Map(names.map((id) => [id, messagesOf(id)]));
    },
  };
}

/** Asserts what holds whatever instance is killed or stopped, and whenever. */
export function assertWhole({ campaigns, kills, longStops, clicks, ...result }: DeathsResult): void {
  let unconfirmed = 0;
  let toldAgain = clicks.toldAgain;
  for (const { campaign, recipients } of campaigns) {
    const { id, state, counts } = campaign;
    assert.equal(state, 'done', id);
    assert.equal(recipients.length, counts.recipients, id);
    assert.equal(new Set(recipients.map(({ number }) => number)).size, counts.recipients, id);
    for (const { number, state, taken, asked } of recipients) {
      const what = `${id}, ${number}: ${state}, taken ${taken} times, requested ${asked} times`;
      assert.ok(asked <= 1, what);
      assert.ok(state === 'accepted' ? taken === 1 : state === 'unconfirmed' && taken <= 1, what);
    }
    unconfirmed += counts.unconfirmed;
    const told = result.told.get(id) ?? [];
    const ended = told.filter((words) => words.includes('Done'));
    const again = told.filter((words) => words.includes(mayBeRepeated));
    toldAgain += again.length;
    assert.ok(ended.length > 0 && told.length - again.length <= 1, `${id} told: ${told.join(' | ')}`);
  }
  const inFlight = (kills + longStops) * requests * 100;
  assert.ok(
    unconfirmed <= inFlight,
    `${unconfirmed} unconfirmed, after ${kills} kills and ${longStops} long stops`,
  );
  // Each killed instance leaves the one thing that it was telling in doubt. Nothing else is told again.
  assert.ok(toldAgain <= kills + longStops, `${toldAgain} told again, after ${kills} kills`);
  assert.ok(clicks.unanswered <= kills, `${clicks.unanswered} clicks were lost`);
  clicks.assertWhole();
}
