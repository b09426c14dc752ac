import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds } from '../../../../test/support/sizes.ts';
import type { AcceptedMessage } from '../../../provider/state/state.ts';
import { accountWebhookSchema } from '../../../provider/webhook/account-webhook.ts';
import { planReports, seededRandom } from '../../../provider/webhook/plan-reports.ts';

const recipients = Array.from({ length: 2_000 }, (_, index) => `23480200${String(index).padStart(5, '0')}`);

const message: AcceptedMessage = {
  id: '3017724492000001234567890',
  at: '2026-03-02T11:00:00.000Z',
  operation: 'messages.sendBulk',
  account: 'a-key',
  channel: 'dnd',
  type: 'plain',
  from: 'PalmMarket',
  to: recipients,
  text: 'A fifth off everything.',
  pages: 1,
  costInKobo: recipients.length * 425,
  deliveries: recipients.map((to) => ({ to, delivery: 'Delivered' })),
};

function plan(conditions: Record<string, number>, seed: number) {
  const webhook = accountWebhookSchema.parse({ url: 'http://127.0.0.1:9/', seed, ...conditions });
  const random = seededRandom(seed);
  return message.deliveries.map((delivery) => planReports(message, delivery, webhook, random));
}

test('keeps to each rate, whatever the seed is', () => {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(0.05, 0.3, 0.8), (seed, rate) => {
      const share = (conditions: Record<string, number>, count: (plans: ReturnType<typeof plan>) => number) =>
        assert.ok(Math.abs(count(plan(conditions, seed)) - rate) < 0.06);
      const all = (plans: ReturnType<typeof plan>) => plans.flat();
      share({ lossRate: rate }, (plans) => all(plans).filter(({ lost }) => lost).length / 4_000);
      share({ duplicateRate: rate }, (plans) => all(plans).length / 4_000 - 1);
      share({ forgeryRate: rate }, (plans) => all(plans).filter(({ genuine }) => !genuine).length / 4_000);
      share(
        { reorderRate: rate },
        (plans) => plans.filter(([first]) => first?.body.status === 'DELIVERED').length / 2_000,
      );
    }),
    { numRuns: rounds(20) },
  );
});

test('plans the same for the same seed, and something else for another', () => {
  const conditions = { lossRate: 0.3, duplicateRate: 0.3, forgeryRate: 0.3, reorderRate: 0.3 };
  assert.deepEqual(plan(conditions, 7), plan(conditions, 7));
  assert.notDeepEqual(plan(conditions, 7), plan(conditions, 8));
});

test('plans every report once and in order without faults, and the costs add up', () => {
  const plans = plan({ delayMs: 5 }, 1);
  for (const [index, reports] of plans.entries()) {
    assert.deepEqual(
      reports.map(({ body, delayMs, genuine, lost }) => [body.receiver, body.status, delayMs, genuine, lost]),
      [
        [recipients[index], 'Message Sent', 5, true, false],
        [recipients[index], 'DELIVERED', 5, true, false],
      ],
    );
  }
  const total = plans.reduce((sum, [first]) => sum + Number(first?.body.cost) * 100, 0);
  assert.equal(total, message.costInKobo);
});
