import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asSeen, campaignHarness, startOf, workspaceId } from '../../support/campaign-harness.ts';
import { recipients } from '../../support/campaigns.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const link = /^(?:First|Second) sale! Stop: sms\.acme\.example\/o\/([0-9A-Za-z]{25})$/;

describe('an opt-out by the link while campaigns are sent', () => {
  it('keeps the number out of every message that is claimed after it', async (test) => {
    // Nothing is sent while the test lets no time pass.
    const harness = await campaignHarness(test, {
      ...{ optOutAddress: 'sms.acme.example', requests: 12 },
      ...{ messagesPerSecond: 500, timers: steppedTimers() },
    });
    const numbers = recipients(200);
    const ids = ['First', 'Second'];
    // Both go to the same people, in opposite orders: who is reached first by one is reached last by the other.
    await harness.read('First', numbers, { text: 'First sale! Stop: {{opt_out}}' });
    await harness.read('Second', numbers.toReversed(), { text: 'Second sale! Stop: {{opt_out}}' });
    const { campaigns, optOut, suppressionList } = harness.services;
    for (const id of ids) {
      await campaigns.start(await asSeen(campaigns, startOf(id)));
    }
    harness.begin();
    await harness.advanceUntil('First', ({ counts }) => counts.accepted >= 50, 10);

    const { record } = harness.provider;
    const optedOut = new Set<string>();
    for (const { to, text } of record.slice(0, 50)) {
      const [, token = ''] = link.exec(text) ?? [];
      assert.deepEqual(await optOut.optOut(token), { senderId: 'PalmMarket', isOptedOut: true });
      optedOut.add(to[0] ?? '');
    }
    assert.ok(record.length < 380, 'the campaigns ended before anybody opted out');
    const ended = [];
    for (const id of ids) {
      ended.push(await harness.advanceUntil(id, ({ state }) => state === 'done'));
    }

    for (const number of optedOut) {
      assert.equal(record.filter(({ to }) => to.includes(number)).length, 1, number);
    }
    assert.equal(record.length, 2 * numbers.length - optedOut.size);
    assert.equal(new Set(record.map(({ text }) => link.exec(text)?.[1])).size, record.length);
    assert.equal(
      ended.reduce((sum, { counts }) => sum + counts.suppressed, 0),
      optedOut.size,
    );
    assert.equal(await suppressionList.count(workspaceId), optedOut.size);
    assert.deepEqual(harness.reported, []);
  });

  it('sends the rest of a list of numbers with links of its own', async (test) => {
    const harness = await campaignHarness(test, { optOutAddress: 'sms.acme.example' });
    const text = 'First sale! Stop: {{opt_out}}';
    await harness.read('First', recipients(3), { text });
    await harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf('First')));
    await harness.services.campaigns.cancel({ workspaceId, id: 'First', userId: 'U0ADMIN', isAdmin: true });
    const rest = await harness.readRest('First', 'not_sent', { text: `Second ${text.slice(6)}` });
    assert.ok(rest.kind === 'ready', rest.kind);
    await harness.services.campaigns.start(
      await asSeen(harness.services.campaigns, startOf(rest.review.campaign.id)),
    );
    harness.begin();
    await harness.until(rest.review.campaign.id, ({ state }) => state === 'done');
    const { record } = harness.provider;
    assert.equal(record.length, 3);
    for (const { to, text: sent } of record) {
      const token = link.exec(sent)?.[1] ?? '';
      assert.equal((await harness.store.campaigns.findByOptOutToken(token))?.number, `+${to[0]}`);
    }
  });
});
