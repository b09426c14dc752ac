import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { reasonOf } from '../../support/refusals.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { sentTo } from '../../support/store/sent-to.ts';

const isDone = ({ state }: Campaign) => state === 'done';
const isPaused = ({ state, inFlight }: Campaign) => state === 'paused' && inFlight === 0;
/** Every request that includes it is refused, because its country isn't active. */
const ghanaian = '+233241009400';

/** The recipients of each request, by the country of the first. */
const requestsOf = ({ provider }: CampaignHarness) =>
  provider.arrivals
    .filter(({ operation }) => operation?.startsWith('messages.') === true)
    .map(({ text }) => {
      const { to }: { to: string | string[] } = JSON.parse(text);
      return [to].flat();
    });

async function resume({ services: { campaigns } }: CampaignHarness): Promise<void> {
  assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'one')))).kind, 'done');
}

const leaveOut = ({ services: { campaigns } }: CampaignHarness) =>
  campaigns.leaveOutCountries(by('creator', 'one'));

forEachDatabase(() => {
  describe('a campaign with numbers of a country that is not active', { concurrency: true }, () => {
    it('of 5,000, one of them Ghanaian, is sent to 4,999 once that one is left out', async (test) => {
      const harness = await campaignHarness(test, { requests: 3 });
      const nigerian = manyNumbers(4_999);
      await harness.send('one', nigerian.toSpliced(2_550, 0, ghanaian));
      const { pause } = await harness.until('one', isPaused);
      assert.deepEqual([pause?.by, pause?.error?.reason], ['provider', 'country_inactive']);
      assert.deepEqual(pause?.countries, { GH: 1 });
      // One request per country of the refused chunk. The other countries got their message.
      const alone = requestsOf(harness).filter((to) => to.includes(ghanaian.slice(1)));
      assert.deepEqual(
        alone.map((to) => to.length),
        [100, 1],
      );
      assert.ok(requestsOf(harness).some((to) => to.length === 99));
      const paused = await harness.outcome('one');
      assert.deepEqual([paused.rejected, paused.unconfirmed], [0, 0]);

      const left = await leaveOut(harness);
      assert.ok(left.kind === 'done');
      assert.equal(left.campaign.pause?.areLeftOut, true);
      assert.equal((await leaveOut(harness)).kind, 'too_late');
      await resume(harness);
      await harness.until('one', isDone);
      const { accepted, rejected, campaign } = await harness.outcome('one');
      assert.deepEqual([accepted, rejected, campaign.counts.recipients], [4_999, 1, 5_000]);
      assert.equal(requestsOf(harness).filter((to) => to.includes(ghanaian.slice(1))).length, 2);
      assert.deepEqual(await chunkOf(harness, ghanaian), ['rejected', 'country_inactive']);
      const rest = await harness.readRest('one', 'rejected');
      assert.equal(rest.kind === 'ready' ? rest.review.campaign.counts.recipients : undefined, 1);
    });

    it('is tried with all of them again where nobody is left out', async (test) => {
      const harness = await campaignHarness(test, { requests: 3 });
      const numbers = manyNumbers(200);
      const operation = 'messages.sendBulk';
      const message = 'COUNTRY-INACTIVE!';
      const inactive = harness.provider.orderFault({
        operation,
        fault: { kind: 'status', status: 400, message },
        times: Infinity,
      });
      await harness.send('one', numbers);
      const { pause } = await harness.until('one', isPaused);
      assert.deepEqual(pause?.countries, { NG: 200 });
      assert.equal((await harness.outcome('one')).waiting, 200);
      await resume(harness);
      assert.deepEqual((await harness.until('one', isPaused)).pause?.countries, { NG: 200 });
      inactive.cancel();
      await resume(harness);
      await harness.until('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, 200);
    });

    it('names each of several, and ends where nobody else is left', async (test) => {
      const harness = await campaignHarness(test, { requests: 3 });
      const kenyan = manyNumbers(30).map((_, index) => `+2547${String(index).padStart(8, '12345678')}`);
      const operation = 'messages.sendBulk';
      const fault = { kind: 'status', status: 400, message: 'Country Inactive' } as const;
      harness.provider.orderFault({ operation, fault, times: Infinity });
      await harness.send('one', [
        ...kenyan,
        ghanaian,
        ...kenyan.map((number) => number.replace('+2547', '+2567')),
      ]);
      const { pause } = await harness.until('one', isPaused);
      assert.deepEqual(pause?.countries, { GH: 1, KE: 30, UG: 30 });
      const left = await leaveOut(harness);
      assert.equal(left.kind === 'done' && left.campaign.state, 'done');
      assert.equal((await harness.outcome('one')).rejected, 61);
    });

    describe('where the refusal comes with a status of success', { concurrency: true }, () => {
      // A single recipient uses another path than several.
      const method = 'POST';
      const body = { code: 400, message: 'Country Inactive', status: 'error' };
      const fault = { kind: 'answer', body } as const;
      const kenyan = '+254712345678';

      it('leaves those of the request unconfirmed, and asks for each country of the next ones alone', async (test) => {
        const harness = await campaignHarness(test, { requests: 1 });
        const others = ['+233241009411', '+233241009422'];
        const nigerian = manyNumbers(395);
        harness.provider.orderFault({ method, fault });
        await harness.send('one', [
          ...[others[0] ?? '', kenyan, ...nigerian.slice(0, 98)],
          ...['+254712345679', ...nigerian.slice(98, 197)],
          ...['+254712345680', ...nigerian.slice(197, 296)],
          ...[ghanaian, ...nigerian.slice(296)],
          others[1] ?? '',
        ]);
        const { pause } = await harness.until('one', isPaused);
        assert.deepEqual([pause?.error?.reason, pause?.countries], ['country_inactive', { GH: 2 }]);
        const sizes = requestsOf(harness).map((to) => to.length);
        assert.deepEqual(sizes, [100, 1, 99, 100, 1, 99], 'the third one has no country that is in doubt');
        const { unconfirmed, accepted, waiting } = await harness.outcome('one');
        assert.deepEqual([unconfirmed, accepted, waiting], [100, 299, 2]);
        const left = await leaveOut(harness);
        assert.equal(left.kind === 'done' && left.campaign.state, 'done');
        assert.equal((await harness.outcome('one')).rejected, 2);
        const asked = requestsOf(harness).flat();
        assert.equal(new Set(asked).size, asked.length);
      });

      it('each time, is paused once with the countries, and ends once they are left out', async (test) => {
        const harness = await campaignHarness(test, { requests: 1 });
        harness.provider.orderFault({ method, fault, times: Infinity });
        await harness.send('one', [kenyan, ...manyNumbers(149), ghanaian, ...manyNumbers(298).slice(149)]);
        const { pause } = await harness.until('one', isPaused);
        assert.deepEqual(pause?.countries, { GH: 0, NG: 100 });
        assert.equal((await harness.outcome('one')).unconfirmed, 200);
        const left = await leaveOut(harness);
        assert.equal(left.kind === 'done' && left.campaign.state, 'done');
        const { rejected, unconfirmed } = await harness.outcome('one');
        assert.deepEqual([rejected, unconfirmed], [100, 200]);
        assert.equal(requestsOf(harness).flat().length, 200);
      });

      it('and nobody waits, ends without a pause', async (test) => {
        const harness = await campaignHarness(test);
        harness.provider.orderFault({ method, fault });
        await harness.send('one', [...manyNumbers(49), ghanaian]);
        await harness.until('one', isDone);
        assert.equal((await harness.outcome('one')).unconfirmed, 50);
        assert.equal(harness.asked(), 1);
      });

      it('of recipients in one country, is paused for it', async (test) => {
        const harness = await campaignHarness(test, { requests: 1 });
        harness.provider.orderFault({ method, fault });
        await harness.send('one', [...manyNumbers(249), ghanaian]);
        const { pause } = await harness.until('one', isPaused);
        assert.deepEqual([pause?.error?.reason, pause?.countries], ['country_inactive', { NG: 149 }]);
        const { unconfirmed, waiting } = await harness.outcome('one');
        assert.deepEqual([unconfirmed, waiting], [100, 150]);
      });
    });

    it('leaves out as well what comes back refused once the others are left out', async (test) => {
      const responses = heldResponses(test);
      const harness = await campaignHarness(test, { requests: 2, provider: { wait: responses.wait } });
      const operation = 'messages.sendBulk';
      const refusal = { kind: 'status', status: 400, message: 'Country Inactive' } as const;
      harness.provider.orderFault({ operation, fault: { ...refusal, isSlow: true } });
      harness.provider.orderFault({ operation, fault: refusal });
      await harness.send('one', 350);
      assert.deepEqual((await harness.until('one', ({ state }) => state === 'paused')).pause?.countries, {
        NG: 350,
      });
      await harness.until('one', ({ inFlight }) => inFlight === 100);
      await responses.held(1);
      const first = await leaveOut(harness);
      assert.ok(first.kind === 'done');
      const { areLeftOut, countries, leftOut } = first.campaign.pause ?? {};
      assert.deepEqual([areLeftOut, countries, leftOut], [undefined, { NG: 100 }, 250]);
      assert.equal((await harness.outcome('one')).rejected, 250);
      responses.release();
      await harness.until('one', isPaused);
      const second = await leaveOut(harness);
      assert.ok(second.kind === 'done');
      assert.equal(second.campaign.state, 'done');
      assert.equal((await harness.outcome('one')).rejected, 350);
      assert.equal(harness.asked(), 2);
    });

    it('is left out by its creator alone, and only while it is paused for that', async (test) => {
      const harness = await campaignHarness(test, { requests: 1 });
      const { campaigns } = harness.services;
      await harness.read('one', [...manyNumbers(9), ghanaian]);
      assert.equal((await leaveOut(harness)).kind, 'too_late');
      await campaigns.start(await asSeen(campaigns, startOf('one')));
      harness.begin();
      await harness.until('one', isPaused);
      assert.equal((await reasonOf(campaigns.leaveOutCountries(by('another', 'one')))).kind, 'gone');
      assert.equal((await harness.outcome('one')).rejected, 0);
      const left = await campaigns.leaveOutCountries(by('admin', 'one'));
      assert.equal(left.kind === 'done' && left.campaign.lastActionBy, 'U0ADMIN');
      assert.equal((await harness.outcome('one')).rejected, 1);
    });
  });
});

/** Returns the state of a recipient's chunk, as a search by number finds it. */
async function chunkOf({ store }: CampaignHarness, number: string): Promise<unknown[]> {
  const { campaigns } = await sentTo(store, workspaceId, number);
  return campaigns.flatMap(({ state, error }) => [state, error?.reason]);
}
