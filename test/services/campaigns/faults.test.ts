import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ProviderFault } from '../../../sandbox/provider/faults/faults.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { by, campaignBench } from '../../support/campaign-bench.ts';
import { heldAnswers } from '../../support/provider/held-responses.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { heldTime } from '../../support/time/manual-timing.ts';

const operation = 'messages.sendBulk';
const isDone = ({ state }: Campaign) => state === 'done';
const isPaused = ({ state, inFlight }: Campaign) => state === 'paused' && inFlight === 0;

describe('a campaign whose provider', { concurrency: true }, () => {
  const unclear: Record<string, ProviderFault> = {
    'cuts the connection before it has read a request': { kind: 'cut_unread' },
    'cuts the connection before it carries a request out': { kind: 'cut_before' },
    'cuts the connection once it has carried a request out': { kind: 'cut_after' },
    'breaks off in the middle of an answer': { kind: 'cut_body' },
    'answers with half a JSON': { kind: 'malformed_json' },
    'answers 200 with nothing': { kind: 'empty' },
    'answers 500': { kind: 'status', status: 500 },
    'answers 500 for what it did carry out': { kind: 'status', status: 500, carriedOut: true },
    'answers 503 and to come again': { kind: 'status', status: 503, headers: { 'retry-after': '1' } },
    'answers 502 with a page of HTML': { kind: 'bad_gateway' },
    'answers 200 with something else': { kind: 'answer', body: { status: 'ok' } },
  };
  for (const [what, fault] of Object.entries(unclear)) {
    it(`${what} leaves that chunk unconfirmed and delivers all others`, async (test) => {
      const bench = await campaignBench(test, { requests: 1 });
      bench.provider.orderFault({ operation, fault });
      await bench.send('one', 250);
      await bench.until('one', isDone);
      const { accepted, unconfirmed } = await bench.outcome('one');
      assert.deepEqual({ accepted, unconfirmed }, { accepted: 150, unconfirmed: 100 });
      assert.equal(bench.asked(), 3);
    });
  }

  const stalls: Record<string, ProviderFault> = {
    'does not begin its answer in time': { kind: 'slow_headers' },
    'does not end its answer in time': { kind: 'slow_body' },
  };
  for (const [what, fault] of Object.entries(stalls)) {
    it(`${what} leaves that chunk unconfirmed and sends it once`, async (test) => {
      const { timing, passDeadlines } = heldTime();
      const answers = heldAnswers(test);
      const bench = await campaignBench(test, { requests: 1, timing, provider: { wait: answers.wait } });
      bench.provider.orderFault({ operation, fault });
      await bench.send('one', 250);
      await answers.held(1);
      passDeadlines();
      await bench.until('one', isDone);
      const { accepted, unconfirmed } = await bench.outcome('one');
      assert.deepEqual({ accepted, unconfirmed }, { accepted: 150, unconfirmed: 100 });
      assert.equal(bench.asked(), 3);
    });
  }

  for (const headers of [{}, { 'retry-after': '1' }]) {
    const how = 'retry-after' in headers ? 'says when to come again' : 'does not say when to come again';
    it(`asks for fewer requests, and ${how}, still gets a message to everyone`, async (test) => {
      const bench = await campaignBench(test);
      bench.provider.orderFault({ operation, fault: { kind: 'status', status: 429, headers }, times: 2 });
      await bench.send('one', 550);
      const waiting = await bench.until('one', (campaign) => {
        return (
          campaign.inFlight === 0 && bench.services.campaigns.throughput(campaign).waitsUntil !== undefined
        );
      });
      const { waitsUntil, lastProblem: trouble = '' } = bench.services.campaigns.throughput(waiting);
      assert.ok(waitsUntil !== undefined && waitsUntil.getTime() <= Date.now() + 1_000);
      assert.match(trouble, /^The provider asks for fewer requests\.(?: It says: “[^”]+”\.)?$/);
      assert.equal(bench.asked(), 2);
      await bench.advanceUntil('one', isDone);
      assert.equal((await bench.outcome('one')).accepted, 550);
      assert.equal(bench.asked(), 8);
    });
  }

  for (const requests of [2, 8]) {
    it(`goes down with ${requests} requests in flight is used again once it is up`, async (test) => {
      const answers = heldAnswers(test);
      const bench = await campaignBench(test, { requests, provider: { wait: answers.wait } });
      bench.provider.orderFault({ operation, fault: { kind: 'slow_headers' }, times: requests });
      await bench.send('one', 1_500);
      await bench.until('one', ({ inFlight }) => inFlight === requests * 100);
      await answers.held(requests);
      await bench.provider.goDown();
      const waiting = await bench.until('one', (campaign) =>
        /No connection/.test(bench.services.campaigns.throughput(campaign).lastProblem ?? ''),
      );
      assert.equal(waiting.state, 'running');
      await bench.provider.comeUp();
      await bench.advanceUntil('one', isDone);
      const { accepted, unconfirmed } = await bench.outcome('one');
      assert.deepEqual([accepted, unconfirmed], [1_500 - requests * 100, requests * 100]);
    });
  }

  it('is slow with its last response costs no transactions meanwhile', async (test) => {
    const answers = heldAnswers(test);
    const timers = steppedTimers();
    const bench = await campaignBench(test, { timers, provider: { wait: answers.wait } });
    bench.provider.orderFault({ operation, fault: { kind: 'slow_headers' } });
    let changes = 0;
    bench.services.campaigns.watch(() => {
      changes += 1;
    });
    await bench.send('one', 100);
    await answers.held(1);
    const before = changes;
    for (let ms = 0; ms < 300; ms += 1) {
      await timers.advance(1);
      await setImmediate();
    }
    assert.equal(changes, before);
    answers.release();
    await bench.until('one', isDone);
    assert.ok(changes < 6, `${changes} changes`);
  });

  it('gives no clear answer five times in a row has the campaign paused until it is resumed', async (test) => {
    const bench = await campaignBench(test, { requests: 3 });
    const fault = bench.provider.orderFault({ operation, fault: { kind: 'bad_gateway' }, times: Infinity });
    await bench.send('one', 1_500);
    const { pause } = await bench.until('one', isPaused);
    assert.equal(pause?.by, 'program');
    assert.match(pause?.error?.message ?? '', /5 times in a row/);
    const paused = await bench.outcome('one');
    // Three together, and then one after the other: no more than it takes to know.
    assert.deepEqual([paused.unconfirmed, paused.waiting], [700, 800]);
    fault.cancel();
    await bench.services.campaigns.resume(by('creator', 'one'));
    await bench.until('one', isDone);
    assert.equal((await bench.outcome('one')).accepted, paused.waiting);
    assert.equal(bench.asked(), 15);
  });
});
