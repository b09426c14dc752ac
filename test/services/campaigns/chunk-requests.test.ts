import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ProviderFault } from '../../../sandbox/provider/faults/faults.ts';
import { ChunkRequests } from '../../../src/services/campaigns/sending/chunk-requests.ts';
import { createPaceSignals } from '../../../src/services/campaigns/sending/circuit-breaker.ts';
import { WorkspaceQuota } from '../../../src/services/campaigns/sending/workspace-quota.ts';
import { campaignHarness, workspaceId } from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { testContext } from '../../support/test-context.ts';

/** The requests of a campaign whose chunks the test claims, over a client with two connections. */
async function chunkRequests(test: TestContext, fault: ProviderFault = { kind: 'slow_headers' }) {
  const responses = heldResponses(test);
  const harness = await campaignHarness(test, { requests: 1, provider: { wait: responses.wait } });
  const operation = 'messages.sendBulk';
  harness.provider.orderFault({ operation, fault, times: Infinity });
  const { campaign } = await harness.read('one', 10);
  const account = (await harness.services.workspaces.account(workspaceId)) ?? assert.fail();
  const reported: unknown[] = [];
  const context = testContext(harness.store, { report: (error) => reported.push(error) });
  const pace = createPaceSignals();
  const ended = Promise.withResolvers<void>();
  const requests = new ChunkRequests(campaign, {
    context,
    lease: { run: '', epoch: 0 },
    quota: new WorkspaceQuota(9, context.timers).of('one'),
    pace,
    onEnded() {
      if (requests.inFlight === 0) {
        ended.resolve();
      }
    },
  });
  const chunks = Array.from({ length: 5 }, (_, number) => ({
    number,
    digits: manyNumbers(10)
      .slice(number * 2, number * 2 + 2)
      .map((each) => each.slice(1)),
    pages: 2,
  }));
  const start = (trips: number) =>
    requests.start(account, chunks, { at: context.time.elapsed(), trips, senderId: 'PalmMarket' });
  return { harness, account, requests, responses, pace, reported, start, ended: ended.promise };
}

const refused = { by: 'provider', error: { reason: 'balance_too_low' } } as const;

describe('requests of a campaign that was refused for everybody', () => {
  it('do not start, where they were claimed before', async (test) => {
    const { harness, requests, start } = await chunkRequests(test);
    const { trips } = requests.circuitBreaker;
    requests.circuitBreaker.trip(refused);
    assert.deepEqual(requests.circuitBreaker.takePause(), refused);
    assert.equal(await start(trips), 0);
    assert.deepEqual(
      requests.takeEndings().map(({ state }) => state),
      Array(5).fill('waiting'),
    );
    assert.equal(harness.asked(), 0);
  });

  it('do not leave, where they still wait for a connection', async (test) => {
    const { harness, requests, responses, start, ended } = await chunkRequests(test);
    assert.equal(await start(requests.circuitBreaker.trips), 5);
    await responses.held(2);
    requests.circuitBreaker.trip(refused);
    requests.circuitBreaker.takePause();
    responses.release();
    await ended;
    const states = requests.takeEndings().map(({ state }) => state);
    assert.deepEqual(states.sort(), ['accepted', 'accepted', 'waiting', 'waiting', 'waiting']);
    assert.equal(harness.asked(), 2);
  });
});

describe('a request that was refused for one of its countries', () => {
  it('waits, later and without a pause, where it cannot be split as the database is away', async (test) => {
    const fault = { kind: 'status', status: 400, message: 'Country Inactive' } as const;
    const { harness, account, requests, pace, reported, ended } = await chunkRequests(test, fault);
    const chunk = { number: 0, digits: ['2348051230000', '233241009422'], pages: 2 };
    const claim = { at: harness.store.time.elapsed(), trips: 0, senderId: 'PalmMarket' };
    await harness.store.close();
    await requests.start(account, [chunk], claim);
    await ended;
    assert.deepEqual(
      requests.takeEndings().map(({ state }) => state),
      ['waiting'],
    );
    assert.equal(requests.circuitBreaker.isTripped(), false);
    assert.ok(pace.take().backOff);
    assert.equal(reported.length, 1);
  });
});
