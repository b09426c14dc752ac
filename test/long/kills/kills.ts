import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Services } from '../../../src/services/services.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestHooks } from '../../support/app/app-process.ts';
import { type CampaignResult, requests, startHarness, workspaceId } from './crash-harness.ts';

/** The state after the last kill, once every campaign has ended. */
export interface KillResult {
  kills: number;
  campaigns: CampaignResult[];
  /** After each kill: the recipients of all campaigns so far that are unconfirmed or were in flight. */
  inDoubt: number[];
}

const sharedRecipients = 6_000;
const personalRecipients = 120;

/** More chunks than the requests that a run makes at most before its kill. */
const enoughChunks = 30;

function chunksLeftOf({ counts, inFlight, personal }: Campaign): number {
  const left = counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed - inFlight;
  return personal ? left : Math.floor(left / 100);
}

/** When a run of the program is killed: some milliseconds after its start, or after some requests to the provider. */
const killPoint = fc.oneof(
  { weight: 1, arbitrary: fc.record({ milliseconds: fc.integer({ min: 0, max: 700 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      arrivals: fc.integer({ min: 1, max: 12 }),
      milliseconds: fc.integer({ min: 0, max: 3 }),
    }),
  },
);

/**
 * Runs campaigns with the program of `npm start` in its own process, over the sandbox's Slack and provider. Kills it at
 * `runs` random points, restarts it after each, and then lets every campaign end. It is the bundle, unless `file` is another.
 */
export async function runKills(
  test: TestHooks,
  { runs, seed, file }: { runs: number; seed: number; file?: string | undefined },
): Promise<KillResult> {
  const harness = await startHarness(test, { messagesPerSecond: 1_000_000, file });
  const { whileStopped } = harness;
  const inDoubt: number[] = [];

  /** A campaign with one text for all, in chunks of 100, one with a text for each, in chunks of one, and messages for later. */
  async function start(services: Services, store: Store): Promise<void> {
    await harness.start(services, store, { recipients: sharedRecipients, personal: false });
    await harness.start(services, store, { recipients: personalRecipients, personal: true });
    for (const after of [0, 300, 600]) {
      await harness.start(services, store, { recipients: 1, personal: false, after, isMessage: true });
    }
  }

  await whileStopped(start);

  // A clean exit writes the compile cache, so the killed runs start sooner.
  const first = harness.run();
  await first.ready();
  assert.equal((await first.stop()).code, 0);

  for (const point of fc.sample(killPoint, { seed, numRuns: runs })) {
    const program = harness.run();
    if ('arrivals' in point) {
      await harness.arrivals(point.arrivals, program);
    }
    await new Promise((resolve) => setTimeout(resolve, point.milliseconds));
    await program.kill();
    await whileStopped(async (services, store) => {
      const campaigns = await store.campaigns.recent({ workspaceId, limit: 1_000 });
      inDoubt.push(campaigns.reduce((sum, { counts, inFlight }) => sum + counts.unconfirmed + inFlight, 0));
      const chunksLeft = campaigns.reduce((sum, campaign) => sum + chunksLeftOf(campaign), 0);
      // Without open chunks the next run would wait for requests that are never made.
      if (chunksLeft < enoughChunks) {
        await start(services, store);
      }
    });
  }

  return whileStopped(async (services, store) => {
    await store.campaigns.recover(new Date());
    await new Promise<void>((resolve, reject) => {
      const look = () =>
        store.campaigns
          .inState(['scheduled', 'running', 'paused'])
          .then((open) => {
            if (open.length === 0) {
              resolve();
            }
          })
          .catch(reject);
      services.campaigns.watch(() => void look());
      services.campaigns.startSending();
      void look();
    });
    await services.campaigns.stopSending();
    const campaigns = await store.campaigns.recent({ workspaceId, limit: 1_000 });
    return {
      kills: runs,
      inDoubt,
      campaigns: await Promise.all(campaigns.map((campaign) => harness.resultOf(campaign, store))),
    };
  });
}

/** Asserts that no recipient was sent to twice or lost, and that only those in flight at a kill are unconfirmed. */
export function assertNoneLostOrRepeated({ campaigns, inDoubt }: KillResult): void {
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
  }
  const unconfirmed = campaigns.reduce((sum, { campaign }) => sum + campaign.counts.unconfirmed, 0);
  assert.equal(unconfirmed, inDoubt.at(-1) ?? 0);
  for (const [kill, recipients] of inDoubt.entries()) {
    const atThisKill = recipients - (inDoubt[kill - 1] ?? 0);
    assert.ok(atThisKill <= requests * 100, `${atThisKill} recipients were in flight at kill ${kill + 1}`);
  }
}
