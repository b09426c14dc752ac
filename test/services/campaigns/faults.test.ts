import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ProviderFault } from '../../../sandbox/provider/faults/faults.ts';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { asSeen, by, campaignHarness } from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

const operation = 'messages.sendBulk';

const isDone = ({ state }: Campaign) => state === 'done';

const isPaused = ({ state, inFlight }: Campaign) => state === 'paused' && inFlight === 0;

forEachDatabase(() => {
  describe('a campaign whose provider', { concurrency: true }, () => {
    const unclear: Record<string, ProviderFault> = {
      'cuts the connection before it has read a request': { kind: 'cut_unread' },
      'cuts the connection before it carries a request out': { kind: 'cut_before' },
      'cuts the connection once it has carried a request out': { kind: 'cut_after' },
      'breaks off in the middle of a response': { kind: 'cut_body' },
      'responds with truncated JSON': { kind: 'malformed_json' },
      'responds 200 with an empty body': { kind: 'empty' },
      'responds 500': { kind: 'status', status: 500 },
      'responds 500 after it carried the request out': { kind: 'status', status: 500, carriedOut: true },
      'responds 503 with Retry-After': { kind: 'status', status: 503, headers: { 'retry-after': '1' } },
      'responds 502 with HTML': { kind: 'bad_gateway' },
      'responds 200 with an unknown body': { kind: 'answer', body: { status: 'ok' } },
    };
    for (const [what, fault] of Object.entries(unclear)) {
      it(`${what} leaves that chunk unconfirmed and delivers all others`, async (test) => {
        const harness = await campaignHarness(test, { requests: 1 });
        harness.provider.orderFault({ operation, fault });
        await harness.send('one', 250);
        await harness.until('one', isDone);
        const { accepted, unconfirmed } = await harness.outcome('one');
        assert.deepEqual({ accepted, unconfirmed }, { accepted: 150, unconfirmed: 100 });
        assert.equal(harness.asked(), 3);
      });
    }

    for (const headers of [{}, { 'retry-after': '1' }]) {
      const how = 'retry-after' in headers ? 'sends Retry-After' : 'sends no Retry-After';
      it(`asks for fewer requests, and ${how}, still reaches everyone`, async (test) => {
        const harness = await campaignHarness(test);
        harness.provider.orderFault({ operation, fault: { kind: 'status', status: 429, headers }, times: 2 });
        await harness.send('one', 550);
        const waiting = await harness.until('one', (campaign) => {
          return (
            campaign.inFlight === 0 &&
            harness.services.campaigns.throughput(campaign).waitsUntil !== undefined
          );
        });
        const { waitsUntil, lastProblem } = harness.services.campaigns.throughput(waiting);
        // Twice the first wait, in case the machine is so slow that the two responses fall into different
        // waits.
        const longest = 'retry-after' in headers ? 1_000 : 2_000;
        assert.ok(waitsUntil !== undefined && waitsUntil.getTime() <= Date.now() + longest);
        assert.match(
          describeFailure(lastProblem).happened,
          /^The provider received too many requests\.(?: The provider says: “[^”]+”\.)?$/,
        );
        assert.equal(harness.asked(), 2);
        await harness.advanceUntil('one', isDone);
        assert.equal((await harness.outcome('one')).accepted, 550);
        assert.equal(harness.asked(), 8);
      });
    }

    for (const requests of [2, 8]) {
      it(`goes down with ${requests} requests in flight continues once it is up again`, async (test) => {
        const responses = heldResponses(test);
        const harness = await campaignHarness(test, { requests, provider: { wait: responses.wait } });
        // Few requests are in flight until the first is accepted.
        harness.provider.orderFault({ operation, fault: { kind: 'reshape', body: (answer) => answer } });
        harness.provider.orderFault({ operation, fault: { kind: 'slow_headers' }, times: requests });
        await harness.send('one', 1_500);
        await harness.until('one', ({ inFlight }) => inFlight === requests * 100);
        await responses.held(requests);
        await harness.provider.goDown();
        const waiting = await harness.until(
          'one',
          (campaign) => harness.services.campaigns.throughput(campaign).lastProblem?.reason === 'unreachable',
        );
        assert.equal(waiting.state, 'running');
        await harness.provider.comeUp();
        await harness.advanceUntil('one', isDone);
        const { accepted, unconfirmed } = await harness.outcome('one');
        assert.deepEqual([accepted, unconfirmed], [1_500 - requests * 100, requests * 100]);
      });
    }

    it('is slow with its last response causes no transactions meanwhile', async (test) => {
      const responses = heldResponses(test);
      const timers = steppedTimers();
      const harness = await campaignHarness(test, { timers, provider: { wait: responses.wait } });
      harness.provider.orderFault({ operation, fault: { kind: 'slow_headers' } });
      let changes = 0;
      harness.services.campaigns.watch(() => {
        changes += 1;
      });
      await harness.send('one', 100);
      await responses.held(1);
      const before = changes;
      for (let ms = 0; ms < 300; ms += 1) {
        await timers.advance(1);
        await setImmediate();
      }
      assert.equal(changes, before);
      responses.release();
      await harness.until('one', isDone);
      assert.ok(changes < 6, `${changes} changes`);
    });

    it('gives no clear response five times in a row is paused until it is resumed', async (test) => {
      const harness = await campaignHarness(test, { requests: 3 });
      const fault = harness.provider.orderFault({
        operation,
        fault: { kind: 'bad_gateway' },
        times: Infinity,
      });
      await harness.send('one', 1_500);
      const { pause } = await harness.until('one', isPaused);
      assert.equal(pause?.by, 'program');
      assert.match(describeFailure(pause?.error).happened, /several times in a row/);
      const paused = await harness.outcome('one');
      // Three at once, and then one at a time: no more than needed to decide.
      assert.deepEqual([paused.unconfirmed, paused.waiting], [700, 800]);
      fault.cancel();
      await harness.services.campaigns.resume(await asSeen(harness.services.campaigns, by('creator', 'one')));
      await harness.until('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, paused.waiting);
      assert.equal(harness.asked(), 15);
    });
  });
});
