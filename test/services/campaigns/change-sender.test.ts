import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { changedParts } from '../../../src/domain/campaigns/campaign-version.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { asSeen, by, type CampaignHarness, campaignHarness } from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { reasonOf } from '../../support/refusals.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

const operation = 'messages.sendBulk';
const isDone = ({ state }: Campaign) => state === 'done';
const isPaused = ({ state }: Campaign) => state === 'paused';
const refusal = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;

/** The campaign's first two requests: one is accepted with a late answer, and one is refused. */
async function refusedHarness(test: TestContext) {
  const responses = heldResponses(test);
  const harness = await campaignHarness(test, { requests: 2, provider: { wait: responses.wait } });
  harness.provider.orderFault({ operation, fault: { kind: 'slow_headers' } });
  harness.provider.orderFault({ operation, fault: refusal });
  await harness.send('one', 850);
  await harness.until('one', isPaused);
  await responses.held(1);
  return { harness, responses };
}

const change = async (
  { services: { campaigns } }: CampaignHarness,
  sender: string,
  person: 'creator' | 'another' = 'creator',
) => campaigns.changeSender({ ...(await asSeen(campaigns, by(person, 'one'))), sender });

/** The number of recipients by sender. */
function senders({ provider }: CampaignHarness): Record<string, number> {
  const from: Record<string, number> = {};
  for (const message of provider.record) {
    from[message.from] = (from[message.from] ?? 0) + message.to.length;
  }
  return from;
}

forEachDatabase(() => {
  describe('a campaign whose sender ID is refused', { concurrency: true }, () => {
    it('is sent to the rest from another one, reviewed as another version', async (test) => {
      const { harness, responses } = await refusedHarness(test);
      const { campaigns } = harness.services;
      responses.release();
      const paused = await harness.until('one', ({ inFlight }) => inFlight === 0);
      const seen = await asSeen(campaigns, by('creator', 'one'));

      assert.deepEqual(await change(harness, 'a b'), {
        kind: 'fault',
        fault: 'A sender ID has no spaces, unless your account lists it as active.',
      });
      assert.equal((await change(harness, 'PalmMarket')).kind, 'fault');
      assert.equal((await reasonOf(change(harness, 'PalmCare', 'another'))).kind, 'gone');
      const changed = await change(harness, ' PalmCare ');
      assert.ok(changed.kind === 'done');
      assert.deepEqual(changedParts(paused.version, changed.campaign.version), ['sender']);
      assert.equal(changed.campaign.state, 'paused');
      assert.equal((await campaigns.resume(seen)).kind, 'changed', 'what was seen is from the other one');
      assert.equal((await campaigns.changeSender({ ...seen, sender: 'PalmBasket' })).kind, 'changed');
      assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'one')))).kind, 'done');
      await harness.until('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, 850);
      assert.deepEqual(senders(harness), { PalmMarket: 100, PalmCare: 750 });
      assert.equal((await change(harness, 'PalmMarket')).kind, 'too_late');
    });

    it('goes on from the other one where requests from the first are still in flight', async (test) => {
      const { harness, responses } = await refusedHarness(test);
      const { campaigns } = harness.services;
      assert.equal((await change(harness, 'PalmCare')).kind, 'done');
      assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'one')))).kind, 'done');
      await harness.until('one', ({ counts }) => counts.accepted > 200);
      responses.release();
      await harness.until('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, 850);
      assert.deepEqual(senders(harness), { PalmMarket: 100, PalmCare: 750 });
    });
  });
});
