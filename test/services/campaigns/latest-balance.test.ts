import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLatestBalance } from '../../../src/services/campaigns/sending/chunk-requests.ts';

test('the latest balance is the lowest of answers in any order, and the truth once nothing is in flight', () => {
  const order = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(order, fc.infiniteStream(fc.nat()), (batches, picks) => {
      const latest = createLatestBalance();
      let balance = 1_000_000;
      let shown = '';
      for (const size of batches) {
        const inFlight = Array.from({ length: size }, () => {
          balance -= 4;
          return { request: latest.requestStarted(), amount: String(balance) };
        });
        while (inFlight.length > 0) {
          const [answered] = inFlight.splice((picks.next().value ?? 0) % inFlight.length, 1);
          assert.ok(answered);
          shown = latest.record(answered.amount, answered.request);
        }
        assert.equal(shown, String(balance));
      }
    }),
  );
});

test('a top-up shows with the next request', () => {
  const latest = createLatestBalance();
  const [first, second] = [latest.requestStarted(), latest.requestStarted()];
  assert.equal(latest.record('8', first), '8');
  assert.equal(latest.record('5000', second), '8');
  assert.equal(latest.record('4996', latest.requestStarted()), '4996');
});
