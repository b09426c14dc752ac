import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canAskAboutCampaign, canBeAskedAbout } from '../../../src/services/history/provider-history.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { readyCampaign, recipient } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

it('offers to ask about a campaign that sends nothing now, while something of it is open and its recipients are kept', async (test) => {
  const store = await temporaryStore(test);
  const ready = await readyCampaign(store, [recipient('+2348031234567')]);
  assert.ok(ready);
  const counts = { ...ready.counts, recipients: 3, accepted: 2, unconfirmed: 0 };
  const done: Campaign = { ...ready, state: 'done', counts };
  const reported = { delivered: 1, onTheWay: 0, failed: [], other: [], waiting: 1 };
  const known = { ...reported, delivered: 2, waiting: 0 };
  for (const [campaign, isOffered] of [
    [done, true],
    [{ ...done, state: 'paused' }, true],
    [{ ...done, state: 'running' }, false],
    [{ ...done, state: 'missed' }, false],
    [{ ...done, text: undefined }, false],
    [{ ...done, deliveries: reported }, true],
    [{ ...done, deliveries: known }, false],
    [{ ...done, deliveries: known, counts: { ...counts, unconfirmed: 1 } }, true],
    [{ ...done, counts: { ...counts, accepted: 0 } }, false],
  ] as const) {
    assert.equal(canAskAboutCampaign(campaign), isOffered, JSON.stringify(campaign));
  }
});

it('offers to ask about a message with an id, and about an unconfirmed one that a report may name', () => {
  for (const [kind, state, providerId, isOffered] of [
    ['sms.send', 'accepted', 'm1', true],
    ['sms.send', 'unconfirmed', undefined, true],
    ['sms.send', 'rejected', undefined, false],
    ['otp.sms', 'accepted', 'm1', true],
    // Its text is not kept, so no report shows that it was sent.
    ['otp.sms', 'unconfirmed', undefined, false],
    ['esim.create', 'unconfirmed', undefined, false],
  ] as const) {
    const operation = { kind, state, providerId, receiptId: undefined };
    assert.equal(canBeAskedAbout(operation), isOffered, `${kind} ${state}`);
  }
});
