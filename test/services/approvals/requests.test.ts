import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { AccessDecision } from '../../../src/domain/access/decision.ts';
import { phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import type { Approval } from '../../../src/store/approvals/approvals.ts';
import { changedPause, withheldPause } from '../../../src/store/campaigns/campaign-moves.ts';
import type { CampaignPause } from '../../../src/store/campaigns/campaigns.ts';
import { askToBuy, askToStart, decide, orderOf, standing, switchOn } from '../../support/approvals.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  createdBy,
  type HarnessOptions,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { admitted } from '../../support/decisions.ts';
import { orReason } from '../../support/refusals.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { runningClock, stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const zone = 'Africa/Lagos';

async function stateOf({ store }: CampaignHarness, id: string) {
  return (await store.campaigns.find(workspaceId, id))?.state;
}

const approve = ({ services }: CampaignHarness, approval: Approval) =>
  orReason(services.approvals.approve(decide(approval)));

/** A harness whose clock is moved by the test. */
async function movedHarness() {
  const { clock, pass } = runningClock();
  const harness = await campaignHarness({ after }, { clock });
  // Nothing expires by a clock of which nothing is known yet.
  pass(2 * 60_000);
  await switchOn(harness);
  const inTime = (ms: number) => ({ time: new Date(clock.now().getTime() + ms), zone });
  return { harness, pass, inTime };
}

describe('a campaign over the limit', () => {
  it('needs approval on every path on which it gets to start', async () => {
    const { harness, pass, inTime } = await movedHarness();
    const { campaigns } = harness.services;
    const numbers = manyNumbers(3);

    await harness.read('now', numbers);
    await approve(harness, await askToStart(harness, 'now'));
    assert.equal(await stateOf(harness, 'now'), 'running');

    await harness.read('later', numbers);
    const later = await askToStart(harness, 'later', { at: inTime(2 * hour), maxDelayMs: hour });
    await approve(harness, later);
    assert.equal(await stateOf(harness, 'later'), 'scheduled');
    const before = await harness.store.campaigns.find(workspaceId, 'later');

    const moved = await campaigns.changeTime(
      await asSeen(campaigns, { ...by('creator', 'later'), at: inTime(3 * hour) }),
    );
    assert.ok(moved.kind === 'approval');
    assert.deepEqual(await harness.store.campaigns.find(workspaceId, 'later'), before, 'as it was approved');
    await approve(harness, moved.approval);
    const after3 = await harness.store.campaigns.find(workspaceId, 'later');
    assert.equal(after3?.startAt?.getTime(), moved.approval.expiresAt.getTime());

    const early = await campaigns.startNow(await asSeen(campaigns, by('admin', 'later')));
    assert.ok(early.kind === 'approval');
    assert.equal((await harness.services.approvals.approve(decide(early.approval, createdBy))).kind, 'own');
    await approve(harness, early.approval);
    assert.equal(await stateOf(harness, 'later'), 'running');

    await harness.read('missed', numbers);
    await approve(harness, await askToStart(harness, 'missed', { at: inTime(hour), maxDelayMs: 0 }));
    pass(2 * hour);
    await harness.store.campaigns.move(workspaceId, 'missed', ['scheduled'], 'missed');
    const again = await campaigns.changeTime(
      await asSeen(campaigns, { ...by('creator', 'missed'), at: inTime(hour) }),
    );
    assert.ok(again.kind === 'approval');
    await approve(harness, again.approval);
    assert.equal(await stateOf(harness, 'missed'), 'scheduled');

    await campaigns.cancel(by('creator', 'missed'));
    const rest = await harness.readRest('missed', 'not_sent');
    assert.ok(rest.kind === 'ready');
    const restId = rest.review.campaign.id;
    await approve(harness, await askToStart(harness, restId));
    assert.equal(await stateOf(harness, restId), 'running');
  });

  it('needs no second approval as it is resumed until its latest start, whatever paused it at its start', async () => {
    const { harness, pass, inTime } = await movedHarness();
    const { campaigns } = harness.services;
    const restored: CampaignPause = { by: 'program', error: { reason: 'restored' } };
    const pauses: Readonly<Record<string, CampaignPause>> = {
      'a limit': { by: 'program', error: { reason: 'budget' } },
      'a lost permission': withheldPause,
      'an inactive sender ID': changedPause(['sender_inactive']),
      'quiet hours': changedPause(['quiet_hours']),
      late: changedPause(['quiet_hours']),
      // It may have started since the backup.
      restored,
      'restored before its time': restored,
    };
    for (const [id, pause] of Object.entries(pauses)) {
      await harness.read(id, manyNumbers(3));
      const at = inTime((id === 'restored before its time' ? 9 : 1) * hour);
      await approve(harness, await askToStart(harness, id, { at, maxDelayMs: hour }));
      await harness.store.campaigns.move(workspaceId, id, ['scheduled'], 'paused', { pause });
    }
    const resume = async (id: string) => {
      const resumed = await campaigns.resume({ ...(await asSeen(campaigns, by('creator', id))), seen: {} });
      return resumed.kind === 'not_as_shown' ? resumed.changes.join() : await stateOf(harness, id);
    };
    pass(1.5 * hour);
    for (const id of ['a limit', 'a lost permission', 'an inactive sender ID', 'quiet hours']) {
      assert.equal(await resume(id), 'running', id);
    }
    assert.equal(await resume('restored'), 'approval_needed');
    assert.equal(await resume('restored before its time'), 'scheduled');
    pass(hour);
    assert.equal(await resume('late'), 'approval_needed');
  });

  it('needs approval for a follow-up to part of it too, while approvals are on', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { campaigns, approvals, suppressionList } = harness.services;
    const numbers = manyNumbers(3).map((each) => phoneNumberSchema.parse(each));
    await harness.read('sale', numbers.map(toE164));
    await approve(harness, await askToStart(harness, 'sale'));
    await campaigns.cancel(by('creator', 'sale'));
    await suppressionList.add({ workspaceId, userId: createdBy, numbers: numbers.slice(1) });

    const rest = await harness.readRest('sale', 'not_sent');
    assert.ok(rest.kind === 'ready');
    assert.equal(rest.review.campaign.counts.recipients, 1);
    await askToStart(harness, rest.review.campaign.id);

    const found = await campaigns.findAudience(by('creator', 'sale'), { campaign: 'sale', part: 'not_sent' });
    assert.ok(found.ok);
    const form = { text: 'Hello again', route: 'dnd', senderId: 'PalmMarket' };
    const request = { workspaceId, userId: createdBy, id: 'again', source: found.source, form };
    assert.equal((await campaigns.importRecipients(request)).kind, 'ready');
    await askToStart(harness, 'again');

    await approvals.saveSettings(workspaceId, {}, 'U0ADMIN');
    assert.equal((await campaigns.start(await asSeen(campaigns, startOf('again')))).kind, 'started');
  });

  it('needs none at the limit, while it is sent, and once approvals are switched off', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { campaigns, approvals } = harness.services;
    await harness.read('one', manyNumbers(1));
    assert.equal((await campaigns.start(await asSeen(campaigns, startOf('one')))).kind, 'started');

    await harness.read('sale', manyNumbers(3));
    await approve(harness, await askToStart(harness, 'sale'));
    await campaigns.pause(by('creator', 'sale'));
    assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'sale')))).kind, 'done');

    await harness.read('other', manyNumbers(3));
    const waiting = await askToStart(harness, 'other');
    await approvals.saveSettings(workspaceId, {}, 'U0ADMIN');
    assert.equal((await standing(harness, waiting)).state, 'waiting', 'it can still be decided');
    assert.equal((await campaigns.start(await asSeen(campaigns, startOf('other')))).kind, 'started');
    const { state, cause } = await standing(harness, waiting);
    assert.deepEqual([state, cause], ['void', 'moved_on'], 'or be started without');
    assert.equal((await approve(harness, waiting)).kind, 'ended');
  });

  it('has one request at a time, which outlasts an opt-out and is void once it is edited, discarded or has nobody left', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { campaigns, suppressionList } = harness.services;
    await harness.read('sale', manyNumbers(3));
    const [first, second] = await Promise.all([askToStart(harness, 'sale'), askToStart(harness, 'sale')]);
    assert.equal(first.id, second.id);

    const numbers = manyNumbers(3).map((each) => phoneNumberSchema.parse(each));
    await suppressionList.add({ workspaceId, userId: createdBy, numbers: numbers.slice(0, 1) });
    assert.equal((await standing(harness, first)).state, 'waiting');
    await suppressionList.add({ workspaceId, userId: createdBy, numbers });
    assert.equal((await standing(harness, first)).cause, 'changed', 'at once');
    await suppressionList.remove(workspaceId, numbers);
    await harness.read('sale', numbers.map(toE164));
    const again = await askToStart(harness, 'sale');

    const found = await campaigns.findOfDraft(by('creator', 'sale'));
    assert.ok(found.kind === 'found');
    const form = { text: 'Edited', route: 'dnd', senderId: 'PalmMarket' };
    await campaigns.importRecipients({
      workspaceId,
      userId: createdBy,
      id: 'edited',
      source: found.source,
      form,
    });
    assert.equal((await standing(harness, again)).cause, 'moved_on');
    const edited = await askToStart(harness, 'edited');
    await campaigns.discard(by('creator', 'edited'));
    assert.equal((await standing(harness, edited)).cause, 'moved_on');
  });

  it('is void at once where another list takes the place of its own, however alike', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const [one, ...others] = manyNumbers(4);
    await harness.read('sale', [one ?? '', ...others.slice(1)]);
    const asked = await askToStart(harness, 'sale');
    await harness.read('sale', others);
    assert.equal((await standing(harness, asked)).cause, 'changed');
    assert.equal((await approve(harness, asked)).kind, 'ended');
    assert.equal(await stateOf(harness, 'sale'), 'ready');
  });

  it('is kept while it waits, and for a day after', async () => {
    const { harness, pass } = await movedHarness();
    const { store, services } = harness;
    await harness.read('sale', manyNumbers(3));
    const asked = await askToStart(harness, 'sale');
    const expire = () => store.campaigns.expire(new Date(0), new Date(Date.now() + 100 * hour));
    await expire();
    assert.equal(await stateOf(harness, 'sale'), 'ready');

    pass(23 * hour);
    await services.approvals.tick();
    assert.equal((await standing(harness, asked)).state, 'waiting');
    pass(hour);
    assert.equal((await approve(harness, asked)).kind, 'ended', 'not a moment longer');
    assert.equal((await standing(harness, asked)).state, 'expired');
    await store.campaigns.expire(new Date(0), new Date(Date.now() + 23 * hour));
    assert.equal(await stateOf(harness, 'sale'), 'ready');
    await expire();
    assert.equal(await stateOf(harness, 'sale'), undefined);
  });

  it('is asked for a time no longer than until then', async () => {
    const { harness, pass, inTime } = await movedHarness();
    await harness.read('sale', manyNumbers(3));
    const asked = await askToStart(harness, 'sale', { at: inTime(hour), maxDelayMs: hour });
    pass(hour);
    await harness.services.approvals.tick();
    assert.equal((await standing(harness, asked)).state, 'expired');
    assert.equal(await stateOf(harness, 'sale'), 'ready');
  });

  it('starts without who has opted out since it was asked for', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    await harness.read('sale', manyNumbers(3));
    const asked = await askToStart(harness, 'sale');
    const [number = ''] = manyNumbers(1);
    await harness.services.suppressionList.add({
      workspaceId,
      userId: createdBy,
      numbers: [phoneNumberSchema.parse(number)],
    });
    assert.equal((await approve(harness, asked)).kind, 'done');
    const started = await harness.store.campaigns.find(workspaceId, 'sale');
    assert.deepEqual([started?.state, started?.counts.recipients], ['running', 2]);
  });

  it('waits on where a limit is reached, as a purchase does, and can be approved once it is free', async () => {
    const limits = { pages: { day: 2 }, numbers: { 'purchases.day.person': 1 } };
    const moved = stoppedClock();
    const harness = await campaignHarness({ after }, { limits, clock: moved.clock });
    await switchOn(harness);
    await harness.read('sale', manyNumbers(3));
    const asked = await askToStart(harness, 'sale');
    assert.equal((await approve(harness, asked)).kind, 'limited');
    assert.equal((await standing(harness, asked)).state, 'waiting');
    assert.equal(await stateOf(harness, 'sale'), 'ready');

    await approve(harness, await askToBuy(harness, 'first'));
    moved.pass(60_000);
    const second = await askToBuy(harness, 'second');
    const decision = await approve(harness, second);
    assert.ok(decision.kind === 'limited');
    assert.equal((await standing(harness, second)).state, 'waiting');
    const { freesAt } = decision.limit;
    assert.ok(freesAt);
    moved.pass(freesAt.getTime() - moved.clock.now().getTime());
    assert.equal((await approve(harness, second)).kind, 'done');
  });

  it('is void for a person who may no longer start campaigns, and waits while Slack does not say', async () => {
    let decision: AccessDecision = { kind: 'refused', why: 'unknown' };
    const harness = await campaignHarness({ after }, { decide: async () => decision });
    await switchOn(harness);
    await harness.read('sale', manyNumbers(3));
    const asked = await askToStart(harness, 'sale');
    assert.equal((await approve(harness, asked)).kind, 'person_unknown');
    assert.equal((await standing(harness, asked)).state, 'waiting');
    decision = admitted('agent');
    assert.equal((await approve(harness, asked)).kind, 'ended');
    assert.equal((await standing(harness, asked)).cause, 'not_permitted');
    assert.equal(await stateOf(harness, 'sale'), 'ready');
  });
});

describe('a purchase over the limit', () => {
  const bought = ({ provider }: CampaignHarness) =>
    provider.arrivals.filter(({ operation }) => operation === 'esims.create').length;

  /**
   * Leaves a request behind like an instance that stopped a minute ago. On PostgreSQL, another instance may
   * be placing a newer one.
   */
  const approveAndStop = ({ store }: CampaignHarness, asked: Approval) =>
    store.approvals.approve(asked, { by: 'U0APPROVER', at: new Date(Date.now() - 60_000) });

  it('is void with another price, or once the plan is gone, and waits while the provider does not say', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const page = (change: Record<string, string | number> | undefined) => ({
      status: 'Success',
      code: 200,
      data: { content: change ? [change] : [], totalElements: change ? 1 : 0, totalPages: 1, last: true },
    });
    const { plan } = await orderOf(harness, 'any');
    const asListed = { productId: plan.productId, planName: plan.name };
    const once = (body: ReturnType<typeof page>) =>
      harness.provider.orderFault({ operation: 'esims.plans', fault: { kind: 'answer', body } });

    const first = await askToBuy(harness, 'first');
    once(page({ ...asListed, price: 99_999, currency: plan.currency ?? '' }));
    assert.equal((await approve(harness, first)).kind, 'ended');
    assert.equal((await standing(harness, first)).cause, 'price');

    const second = await askToBuy(harness, 'second');
    for (let form = 0; form < 3; form += 1) {
      once(page(undefined));
    }
    await approve(harness, second);
    assert.equal((await standing(harness, second)).cause, 'plan_gone');

    const third = await askToBuy(harness, 'third');
    harness.provider.orderFault({
      operation: 'esims.plans',
      fault: { kind: 'status', status: 500 },
      times: 9,
    });
    assert.equal((await approve(harness, third)).kind, 'unavailable');
    assert.equal((await standing(harness, third)).state, 'waiting');
    assert.equal(bought(harness), 0);
  });

  it('that was approved before the program stopped is made after it, once', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const asked = await askToBuy(harness, 'order');
    await approveAndStop(harness, asked);
    await harness.restart();
    await harness.services.approvals.tick();
    await harness.services.approvals.tick();
    assert.equal(bought(harness), 1);
    assert.equal((await standing(harness, asked)).state, 'approved');
  });

  it('that was approved before the program stopped is not made where its person may no longer buy', async () => {
    let people: Awaited<ReturnType<NonNullable<HarnessOptions['decide']>>> = admitted('admin');
    const harness = await campaignHarness({ after }, { decide: async () => people });
    await switchOn(harness);
    const asked = await askToBuy(harness, 'order');
    await approveAndStop(harness, asked);
    await harness.restart();
    people = { kind: 'refused', why: 'unknown' };
    await harness.services.approvals.tick();
    assert.equal((await standing(harness, asked)).state, 'approved', 'until Slack says who they are');
    people = admitted('viewer');
    await harness.services.approvals.tick();
    const { state, cause } = await standing(harness, asked);
    assert.deepEqual([state, cause], ['void', 'not_permitted']);
    assert.equal(bought(harness), 0);
  });

  it('is not asked for again by the same confirmation, however the request ended', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { approvals, esimOrders } = harness.services;
    const asked = await askToBuy(harness, 'order');
    await approvals.withdraw(decide(asked, createdBy));
    await approvals.saveSettings(workspaceId, {}, 'U0ADMIN');
    const again = await esimOrders.create(await orderOf(harness, 'order'));
    assert.ok(again.kind === 'approval');
    assert.equal(again.approval.state, 'withdrawn');
    assert.equal(bought(harness), 0);
    assert.equal((await esimOrders.create(await orderOf(harness, 'other'))).kind, 'performed');
  });
});
