import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Json } from '../../../sandbox/lib/json.ts';
import type { ProviderFault } from '../../../sandbox/provider/faults/faults.ts';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

/** The provider's words when it refuses every request because of the account, route, sender or device. */
const refusals: readonly (readonly [status: number, words: string, says: RegExp, body?: Json])[] = [
  [401, 'Unauthorized', /does not accept the API key/],
  [400, 'Invalid api key', /does not accept the API key/],
  [400, 'Your account is not active', /has deactivated the account/],
  [400, 'Insufficient balance', /balance is too low/],
  [400, 'You are not set up on this route', /route is not active/],
  [400, 'No Route on your account. Kindly contact your account manager', /route is not active/],
  [400, 'Invalid Sender Id', /does not know the sender ID/],
  [404, 'ApplicationSenderId not found for applicationId: 7 and senderName: PalmMarket', /the sender ID/],
  [404, 'Device not found', /can’t find the device/],
  [400, 'Your device has reached the daily limit', /device has reached its daily limit/],
  [400, 'two fields', /balance is too low/, { message: 'Bad Request', comment: ['Insufficient balance'] }],
];

const size = 5_000;
/** As many as from the first request on in `npm run test:long`. */
const sizeOfLate = Math.min(size, rounds(7_000));
const isDone = ({ state }: Campaign) => state === 'done';
const isPaused = ({ state, inFlight }: Campaign) => state === 'paused' && inFlight === 0;
/** The provider's answer without a fault. */
const asUsual: ProviderFault = { kind: 'reshape', body: (answer) => answer };

/** Starts or resumes the campaign. */
async function goOn({ services: { campaigns } }: CampaignHarness, id = 'one'): Promise<void> {
  const { state } = (await campaigns.findAny(workspaceId, id)) ?? assert.fail();
  const { kind } =
    state === 'ready'
      ? await campaigns.start(await asSeen(campaigns, startOf(id)))
      : await campaigns.resume(await asSeen(campaigns, by('creator', id)));
  assert.equal(kind, state === 'ready' ? 'started' : 'done');
}

/** Resolves once this many pages are charged to the workspace. */
async function charged({ services }: CampaignHarness, pages: number): Promise<void> {
  const pagesUsed = async () => (await services.limits.pagesUsed(workspaceId)).day;
  while ((await pagesUsed()) !== pages) {
    await setImmediate();
  }
}

forEachDatabase(() => {
  describe('a campaign that is refused for a reason that concerns everybody', {
    concurrency: true,
  }, () => {
    it('of 5,000, from the first request on, is paused by at most 3 of them, loses nobody, and goes on when resumed', async (test) => {
      const harness = await campaignHarness(test, { requests: 8 });
      await harness.read('one', size);
      harness.begin();
      for (const [status, message, says, body] of refusals) {
        const before = harness.asked();
        const fault = harness.provider.orderFault({
          operation: 'messages.sendBulk',
          fault: body ? { kind: 'answer', status, body } : { kind: 'status', status, message },
          times: Infinity,
        });
        await goOn(harness);
        const { pause } = await harness.until('one', isPaused);
        assert.equal(pause?.by, 'provider', message);
        assert.match(describeFailure(pause.error).happened, says);
        const refused = harness.asked() - before;
        assert.ok(refused >= 1 && refused <= 3, `${message}: ${refused} requests`);
        assert.equal((await harness.outcome('one')).waiting, size);
        await charged(harness, 0);
        fault.cancel();
      }
      await goOn(harness);
      await harness.until('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, size);
      await charged(harness, size);
    });

    it('from the tenth request on, sends nothing once a refusal is read, and everybody else when resumed', async (test) => {
      const requests = 4;
      let arrivedBefore = 0;
      const harness = await campaignHarness(test, {
        requests,
        provider: {
          onExchange({ what, status }) {
            if (what.includes('/sms/send') && status !== 200 && arrivedBefore === 0) {
              arrivedBefore = asked();
            }
          },
        },
      });
      const asked = () =>
        harness.provider.arrivals.filter(({ operation }) => operation?.startsWith('messages.')).length;
      harness.begin();
      for (const [index, [status, message, says, body]] of refusals.entries()) {
        const id = `late ${index}`;
        const isOfDevice = /device/i.test(message);
        const device = { route: 'chatapp', device: 'Palm phone' } as const;
        await harness.read(id, sizeOfLate, isOfDevice ? device : {});
        const before = asked();
        arrivedBefore = 0;
        const operation = isOfDevice ? 'messages.send' : 'messages.sendBulk';
        harness.provider.orderFault({ operation, fault: asUsual, times: 9 });
        const refusal = harness.provider.orderFault({
          operation,
          fault: body ? { kind: 'answer', status, body } : { kind: 'status', status, message },
          times: Infinity,
        });
        await goOn(harness, id);
        const { pause } = await harness.until(id, isPaused);
        assert.equal(pause?.by, 'provider', message);
        assert.match(describeFailure(pause.error).happened, says);
        const { accepted, waiting } = await harness.outcome(id);
        assert.deepEqual([accepted, waiting], [900, sizeOfLate - 900], message);
        // As many as were in flight with the first refusal.
        const late = asked() - before;
        assert.ok(late > 9 && late <= 9 + requests, `${message}: ${late} requests`);
        assert.ok(asked() - arrivedBefore < requests);
        await charged(harness, index * sizeOfLate + 900);
        refusal.cancel();
        await goOn(harness, id);
        await harness.until(id, isDone);
        assert.equal((await harness.outcome(id)).accepted, sizeOfLate);
      }
      const taken = harness.provider.record.flatMap(({ to }) => to).length;
      assert.equal(taken, refusals.length * sizeOfLate);
    });
  });
});
