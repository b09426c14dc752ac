import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askToStart, decide, switchOn } from '../../support/approvals.ts';
import { asSeen, by, campaignHarness } from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

describe('a campaign whose refused sender ID was changed', () => {
  it('needs approval once more before it is resumed, of the sender ID that it has by then', async (test) => {
    const harness = await campaignHarness(test);
    const { campaigns, approvals } = harness.services;
    const fault = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
    harness.provider.orderFault({ operation: 'messages.sendBulk', fault });
    await switchOn(harness);
    await harness.read('one', 100);
    harness.begin();
    assert.equal((await approvals.approve(decide(await askToStart(harness, 'one')))).kind, 'done');
    await harness.until('one', ({ state, inFlight }) => state === 'paused' && inFlight === 0);
    const seen = () => asSeen(campaigns, { ...by('creator', 'one'), seen: { approval: 'needed' } as const });

    assert.equal((await campaigns.changeSender({ ...(await seen()), sender: 'PalmCare' })).kind, 'done');
    assert.equal((await campaigns.resume({ ...(await seen()), seen: {} })).kind, 'not_as_shown');
    const asked = await campaigns.resume(await seen());
    assert.ok(asked.kind === 'approval');
    assert.match(asked.approval.content, /PalmCare/);
    assert.equal((await campaigns.changeSender({ ...(await seen()), sender: 'PalmBasket' })).kind, 'done');
    assert.equal((await approvals.approve(decide(asked.approval))).kind, 'ended');
    assert.equal(harness.provider.record.length, 0);

    const again = await campaigns.resume(await seen());
    assert.ok(again.kind === 'approval');
    assert.equal((await approvals.approve(decide(again.approval))).kind, 'done');
    await harness.until('one', ({ state }) => state === 'done');
    assert.equal((await harness.outcome('one')).accepted, 100);
    assert.deepEqual(
      harness.provider.record.map(({ from }) => from),
      ['PalmBasket'],
    );
  });

  it('and is approved for a later time keeps what was sent: it can no longer be edited, and each gets it once', async (test) => {
    const responses = heldResponses(test);
    const { clock, pass } = stoppedClock();
    const options = { requests: 1, clock, provider: { wait: responses.wait } };
    const harness = await campaignHarness(test, options);
    const { campaigns, approvals } = harness.services;
    const bulk = { operation: 'messages.sendBulk' } as const;
    harness.provider.orderFault({ ...bulk, fault: { kind: 'slow_headers' } });
    await harness.send('one', 300);
    await responses.arrived;
    const refusal = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
    harness.provider.orderFault({ ...bulk, fault: refusal });
    responses.release();
    const { startedAt } = await harness.until(
      'one',
      ({ state, inFlight }) => state === 'paused' && inFlight === 0,
    );
    await switchOn(harness);
    const own = by('creator', 'one');
    await campaigns.changeSender({ ...(await asSeen(campaigns, own)), sender: 'PalmCare' });
    const seen = { approval: 'needed' } as const;
    const asked = await campaigns.resume(await asSeen(campaigns, { ...own, seen }));
    assert.ok(asked.kind === 'approval');
    const startAt = new Date(clock.now().getTime() + 60 * 60_000);
    assert.equal((await approvals.approve({ ...decide(asked.approval), startAt })).kind, 'done');
    const edited = await campaigns.unschedule(own);
    assert.ok(edited.kind === 'too_late' && edited.campaign.state === 'scheduled', edited.kind);
    pass(60 * 60_000);
    const ended = await harness.advanceUntil('one', ({ state }) => state === 'done');
    assert.deepEqual(ended.startedAt, startedAt);
    assert.equal((await harness.outcome('one')).accepted, 300);
  });

  it('needs it too where the data was restored meanwhile', async (test) => {
    const harness = await campaignHarness(test);
    const fault = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
    harness.provider.orderFault({ operation: 'messages.sendBulk', fault });
    await harness.send('one', 100);
    await harness.until('one', ({ state, inFlight }) => state === 'paused' && inFlight === 0);
    await switchOn(harness);
    const own = by('creator', 'one');
    const before = harness.services.campaigns;
    await before.changeSender({ ...(await asSeen(before, own)), sender: 'PalmCare' });
    await harness.stopSending();
    await harness.restart({ isRestored: true });
    const { campaigns } = harness.services;
    const resumed = await campaigns.resume({ ...(await asSeen(campaigns, own)), seen: {} });
    assert.ok(resumed.kind === 'not_as_shown', resumed.kind);
    assert.deepEqual(resumed.changes, ['approval_needed']);
  });
});
