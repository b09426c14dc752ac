import assert from 'node:assert/strict';
import { once } from 'node:events';
import fc from 'fast-check';
import type { Services } from '../../../src/services/services.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import type { Store } from '../../../src/store/store.ts';
import { type Fate, requests, startStage, type Test, workspaceId } from './crash-harness.ts';

/** What is left to see when the kills are over and every campaign has come to its end. */
export interface Crashes {
  kills: number;
  campaigns: Fate[];
  /** After each kill: the recipients that are unconfirmed, or were in flight, of all campaigns so far. */
  inDoubt: number[];
}

const sharedRecipients = 6_000;
const personalRecipients = 120;

/** More than the requests after which a run is killed at the latest. */
const enoughChunks = 30;

function chunksLeftOf({ counts, inFlight, personal }: Campaign): number {
  const left = counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed - inFlight;
  return personal ? left : Math.floor(left / 100);
}

/** Where a run of the program is killed: so long after its start, or after so many requests to the provider. */
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
 * Runs campaigns with the program of `npm start` in a process of its own, over the sandbox's Slack and provider; kills it
 * where chance has it, starts it anew, as often as asked; and then lets everything come to its end.
 */
export async function crash(test: Test, { runs, seed }: { runs: number; seed: number }): Promise<Crashes> {
  const stage = await startStage(test, { messagesPerSecond: 1_000_000 });
  const { between } = stage;
  const inDoubt: number[] = [];

  /** One text for all, and one for each: whatever is cut in chunks of a hundred, and of one. */
  async function start(services: Services, store: Store): Promise<void> {
    await stage.start(services, store, { recipients: sharedRecipients, personal: false });
    await stage.start(services, store, { recipients: personalRecipients, personal: true });
  }

  await between(start);

  // What ends by itself keeps what was compiled: those that are killed start sooner for it.
  const first = stage.run();
  await first.says('Switchboard is ready');
  first.child.kill('SIGTERM');
  assert.equal((await first.ended).code, 0);

  for (const point of fc.sample(killPoint, { seed, numRuns: runs })) {
    const program = stage.run();
    if ('arrivals' in point) {
      await stage.arrivals(point.arrivals, program);
    }
    await new Promise((resolve) => setTimeout(resolve, point.milliseconds));
    program.child.kill('SIGKILL');
    await once(program.child, 'close');
    await between(async (services, store) => {
      const campaigns = await store.campaigns.recent({ workspaceId, limit: 1_000 });
      inDoubt.push(campaigns.reduce((sum, { counts, inFlight }) => sum + counts.unconfirmed + inFlight, 0));
      const chunksLeft = campaigns.reduce((sum, campaign) => sum + chunksLeftOf(campaign), 0);
      // Another run must never wait for a request that nobody makes.
      if (chunksLeft < enoughChunks) {
        await start(services, store);
      }
    });
  }

  return between(async (services, store) => {
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
      campaigns: await Promise.all(campaigns.map((campaign) => stage.fateOf(campaign, store))),
    };
  });
}

/** Nobody twice, nobody forgotten, and in doubt only whoever was in flight at a kill. */
export function assertKept({ campaigns, inDoubt }: Crashes): void {
  for (const { campaign, recipients } of campaigns) {
    const { id, state, counts } = campaign;
    assert.equal(state, 'done', id);
    assert.equal(recipients.length, counts.recipients, id);
    assert.equal(new Set(recipients.map(({ number }) => number)).size, counts.recipients, id);
    for (const { number, state, taken, asked } of recipients) {
      const fate = `${id}, ${number}: ${state}, taken ${taken} times, asked ${asked} times`;
      assert.ok(asked <= 1, fate);
      assert.ok(state === 'accepted' ? taken === 1 : state === 'unconfirmed' && taken <= 1, fate);
    }
  }
  const unconfirmed = campaigns.reduce((sum, { campaign }) => sum + campaign.counts.unconfirmed, 0);
  assert.equal(unconfirmed, inDoubt.at(-1) ?? 0);
  for (const [kill, recipients] of inDoubt.entries()) {
    const atThisKill = recipients - (inDoubt[kill - 1] ?? 0);
    assert.ok(atThisKill <= requests * 100, `${atThisKill} recipients were in flight at kill ${kill + 1}`);
  }
}
