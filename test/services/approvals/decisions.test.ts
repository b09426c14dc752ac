import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Approval } from '../../../src/store/approvals/approvals.ts';
import { askToBuy, askToStart, decide, orderOf, standing, switchOn } from '../../support/approvals.ts';
import {
  asSeen,
  type CampaignHarness,
  campaignHarness,
  createdBy,
  startOf,
} from '../../support/campaign-harness.ts';
import { unlimited } from '../../support/limits.ts';
import { rounds } from '../../support/sizes.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';

/** What people do at once with one request. */
const acts = {
  'an approver approves': ({ services }, approval) => services.approvals.approve(decide(approval)),
  'a second approver approves': ({ services }, approval) =>
    services.approvals.approve(decide(approval, 'U0SECOND')),
  'the person who asked approves': ({ services }, approval) =>
    services.approvals.approve(decide(approval, createdBy)),
  'an approver rejects': ({ services }, approval) =>
    services.approvals.reject({ ...decide(approval), reason: 'Too early' }),
  'the person who asked withdraws': ({ services }, approval) =>
    services.approvals.withdraw(decide(approval, createdBy)),
  'somebody else withdraws': ({ services }, approval) =>
    services.approvals.withdraw(decide(approval, 'U0OTHER')),
  'the background looks after it': ({ services }) => services.approvals.tick(),
} as const satisfies Record<string, Act>;
type Act = (harness: CampaignHarness, approval: Approval) => Promise<unknown>;

const someActs = fc.array(fc.constantFrom(...Object.keys(acts)), { minLength: 1, maxLength: 6 });

async function actAtOnce(harness: CampaignHarness, approval: Approval, names: readonly string[]) {
  const byName: Readonly<Record<string, Act>> = acts;
  await Promise.all(names.map((name) => byName[name]?.(harness, approval)));
}

/** Asserts that the request ended as somebody who may say so said. Returns whether it was approved. */
async function assertSound(harness: CampaignHarness, asked: Approval, names: readonly string[]) {
  const { state, endedBy } = await standing(harness, asked);
  const possible: Readonly<Record<string, readonly string[]>> = {
    approved: ['an approver approves', 'a second approver approves'],
    rejected: ['an approver rejects'],
    withdrawn: ['the person who asked withdraws'],
  };
  const decisive = Object.values(possible).flat();
  if (state === 'waiting') {
    assert.ok(names.every((name) => !decisive.includes(name)));
  } else {
    assert.ok(
      possible[state]?.some((name) => names.includes(name)),
      `${state} after ${names.join(', ')}`,
    );
  }
  assert.notEqual(state === 'approved' && endedBy, createdBy);
  return state === 'approved';
}

describe('decisions at the same time', () => {
  it('start a campaign at most once, and never by the person who asked', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    harness.begin();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(someActs, fc.boolean(), async (names, again) => {
        made += 1;
        const id = `one-${made}`;
        await harness.read(id, manyNumbers(3));
        const approval = await askToStart(harness, id);
        await Promise.all([
          actAtOnce(harness, approval, names),
          ...(again
            ? [harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf(id)))]
            : []),
        ]);
        const isApproved = await assertSound(harness, approval, names);
        if (isApproved) {
          await harness.until(id, ({ state }) => state === 'done');
        }
        const { accepted } = await harness.outcome(id);
        assert.equal(accepted, isApproved ? 3 : 0);
      }),
      { numRuns: rounds(30) },
    );
  });

  it('buy an eSIM at most once, also where its confirmation comes again', async () => {
    const harness = await campaignHarness({ after }, { limits: { numbers: unlimited('purchases') } });
    await switchOn(harness);
    const bought = () =>
      harness.provider.arrivals.filter(({ operation }) => operation === 'esims.create').length;
    let made = 0;
    await fc.assert(
      fc.asyncProperty(someActs, fc.boolean(), async (names, again) => {
        made += 1;
        const before = bought();
        const approval = await askToBuy(harness, `order ${made}`);
        const order = await orderOf(harness, `order ${made}`);
        await Promise.all([
          actAtOnce(harness, approval, names),
          ...(again ? [harness.services.esimOrders.create(order)] : []),
        ]);
        await harness.services.esimOrders.create(order);
        const isApproved = await assertSound(harness, approval, names);
        assert.equal(bought() - before, isApproved ? 1 : 0);
      }),
      { numRuns: rounds(25) },
    );
  });
});
