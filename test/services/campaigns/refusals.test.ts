import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProviderFault, statusFault } from '../../../sandbox/provider/faults/faults.ts';
import {
  balanceTooLow,
  invalidNumber,
  noRoute,
  wrongKey,
} from '../../../sandbox/provider/http/request-checks.ts';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { asSeen, by, campaignHarness, workspaceId } from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';

const operation = 'messages.sendBulk';
const isDone = ({ state }: Campaign) => state === 'done';
const isPaused = ({ state, inFlight }: Campaign) => state === 'paused' && inFlight === 0;

describe('a campaign that the provider refuses', { concurrency: true }, () => {
  const ofAll = {
    'for the balance': { fault: statusFault(balanceTooLow()), says: /balance is too low/ },
    'for the key': { fault: statusFault(wrongKey()), says: /does not accept the API key/ },
    'for the route': { fault: statusFault(noRoute()), says: /route is not active/ },
    'with a redirect': {
      fault: { kind: 'redirect', to: 'https://elsewhere.example' } as const,
      says: /redirects to another one/,
    },
  };
  for (const [why, { fault, says }] of Object.entries(ofAll)) {
    it(`${why} is paused with all chunks waiting, and goes to everyone once it is resumed`, async (test) => {
      const harness = await campaignHarness(test, { requests: 3 });
      const refusals = harness.provider.orderFault({ operation, fault, times: Infinity });
      await harness.send('one', 850);
      const { pause } = await harness.until('one', isPaused);
      assert.equal(pause?.by, 'provider');
      assert.match(describeFailure(pause?.error).happened, says);
      assert.equal((await harness.outcome('one')).waiting, 850);
      assert.ok(harness.asked() <= 3);
      refusals.cancel();
      const resumed = await harness.services.campaigns.resume(
        await asSeen(harness.services.campaigns, by('creator', 'one')),
      );
      assert.equal(resumed.kind, 'done');
      const { pause: noMore } = await harness.until('one', isDone);
      assert.equal(noMore, undefined);
      assert.equal((await harness.outcome('one')).accepted, 850);
    });
  }

  const receipt = (status: number, words: string, headers = {}): ProviderFault => ({
    kind: 'answer',
    status,
    headers,
    body: { code: status, message: words, data: [{ message_id: '3017500000000000000000001' }] },
    carriedOut: true,
  });

  const forAll = {
    'for the balance, with a receipt': {
      fault: receipt(402, 'Insufficient balance'),
      says: /balance is too low.*also has the ID/,
    },
    'for the key, with a receipt': {
      fault: receipt(401, 'Invalid API key'),
      says: /does not accept the API key.*also has the ID/,
    },
    'for the balance, in a success with a receipt': {
      fault: {
        kind: 'answer',
        body: { code: 'ok', message: 'Successfully Sent. Low balance: 3 NGN left' },
        carriedOut: true,
      } as const,
      says: /balance is too low.*also has the ID/,
    },
    'for the balance, in a success': {
      fault: { kind: 'error_in_success' } as const,
      says: /balance is too low.*the provider also reported success/,
    },
  };
  for (const [why, { fault, says }] of Object.entries(forAll)) {
    it(`${why}, is paused too; recipients who may have got it are unconfirmed and not sent to again`, async (test) => {
      const harness = await campaignHarness(test, { requests: 1 });
      harness.provider.orderFault({ operation, fault });
      await harness.send('one', 250);
      const { pause } = await harness.until('one', isPaused);
      assert.equal(pause?.by, 'provider');
      assert.match(describeFailure(pause?.error).happened, says);
      const paused = await harness.outcome('one');
      assert.deepEqual([paused.unconfirmed, paused.waiting], [100, 150]);
      await harness.services.campaigns.resume(await asSeen(harness.services.campaigns, by('creator', 'one')));
      await harness.until('one', isDone);
      const { accepted, unconfirmed } = await harness.outcome('one');
      assert.deepEqual([accepted, unconfirmed], [150, 100]);
      assert.equal(harness.asked(), 3);
    });
  }

  const forSome = {
    'as wrong': receipt(400, 'Bad request'),
    'for too many requests': receipt(429, 'Too many requests'),
    'for now': receipt(429, 'Too many requests', { 'retry-after': '1' }),
  };
  for (const [why, fault] of Object.entries(forSome)) {
    it(`${why}, with a receipt, has those recipients unconfirmed and does not send to them again`, async (test) => {
      const harness = await campaignHarness(test, { requests: 1 });
      harness.provider.orderFault({ operation, fault });
      await harness.send('one', 250);
      await harness.advanceUntil('one', isDone);
      const { accepted, unconfirmed } = await harness.outcome('one');
      assert.deepEqual([accepted, unconfirmed], [150, 100]);
      assert.equal(harness.asked(), 3);
      assert.equal(harness.provider.record.flatMap(({ to }) => to).length, 250);
      assert.equal((await harness.readRest('one', 'rejected')).kind, 'faults');
    });
  }

  it('for too many requests, always with a receipt, is paused after five, so that the rest stays certain', async (test) => {
    const harness = await campaignHarness(test, { requests: 1 });
    const fault = receipt(429, 'Too many requests', { 'retry-after': '0' });
    harness.provider.orderFault({ operation, fault, times: Infinity });
    await harness.send('one', 1_500);
    const { pause } = await harness.until('one', isPaused);
    assert.equal(pause?.by, 'program');
    assert.match(describeFailure(pause?.error).happened, /several times in a row/);
    const { unconfirmed, waiting } = await harness.outcome('one');
    assert.deepEqual([unconfirmed, waiting], [500, 1_000]);
  });

  it('by a proxy’s page is paused after five, for no country, and everybody who was asked is unconfirmed', async (test) => {
    const harness = await campaignHarness(test, { requests: 1 });
    const headers = { 'content-type': 'text/html' };
    const body = '<html><title>Forbidden</title><p>Your country is not allowed</p></html>';
    harness.provider.orderFault({
      operation,
      fault: { kind: 'answer', status: 403, headers, body },
      times: 5,
    });
    await harness.send('one', 1_000);
    const { pause } = await harness.until('one', isPaused);
    assert.deepEqual(
      [pause?.by, pause?.error?.reason, pause?.countries],
      ['program', 'unclear_answers', undefined],
    );
    await harness.services.campaigns.resume(await asSeen(harness.services.campaigns, by('creator', 'one')));
    await harness.until('one', isDone);
    const { unconfirmed, accepted } = await harness.outcome('one');
    assert.deepEqual([unconfirmed, accepted, harness.asked()], [500, 500, 10]);
  });

  it('for one recipient after the other is paused after twenty chunks', async (test) => {
    const harness = await campaignHarness(test, { requests: 3 });
    harness.provider.orderFault({ operation, fault: statusFault(invalidNumber()), times: Infinity });
    await harness.send('one', 3_000);
    const { pause } = await harness.until('one', isPaused);
    assert.equal(describeFailure(pause?.error).happened, 'The provider does not accept the phone number.');
    const { rejected, waiting } = await harness.outcome('one');
    assert.ok(rejected >= 2_000 && rejected <= 2_200, `${rejected}`);
    assert.equal(waiting, 3_000 - rejected);
  });

  it('for lack of a key, which was removed meanwhile, goes on with the next key', async (test) => {
    const responses = heldResponses(test);
    const harness = await campaignHarness(test, { provider: { wait: responses.wait } });
    harness.provider.orderFault({ operation, fault: { kind: 'slow_headers' }, times: 2 });
    await harness.send('one', 1_000);
    await responses.held(2);
    await harness.services.workspaces.disconnect(workspaceId);
    responses.release();
    const { pause } = await harness.until('one', isPaused);
    assert.equal(pause?.by, 'program');
    assert.match(describeFailure(pause?.error).happened, /key was removed/);
    assert.equal((await harness.outcome('one')).accepted, 200);
    await harness.services.workspaces.connect(workspaceId, harness.provider.account.key, 'U0ADMIN');
    await harness.services.campaigns.resume(await asSeen(harness.services.campaigns, by('creator', 'one')));
    await harness.until('one', isDone);
    assert.equal((await harness.outcome('one')).accepted, 1_000);
  });
});
