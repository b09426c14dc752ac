import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameStates } from '../../../src/domain/esims/plan-figures.ts';

test('a plan’s name states a figure where it has the figure with a unit', () => {
  for (const [name, data, time] of [
    ['Kenya 1 GB, 7 days', 1, 7],
    ['Europe 0.5GB 30-day pass', 0.5, 30],
    ['500 MB for 1 month', 500, 1],
    ['5GB/24h', 5, 24],
  ] as const) {
    assert.ok(nameStates(name, data, 'data'), name);
    assert.ok(nameStates(name, time, 'time'), name);
  }
});

test('a name does not state a figure of another amount, of the other kind, or without a unit', () => {
  assert.ok(!nameStates('Kenya 1 GB, 7 days', 2, 'data'));
  assert.ok(!nameStates('Kenya 1 GB, 7 days', 7, 'data'));
  assert.ok(!nameStates('Kenya 1 GB, 7 days', 1, 'time'));
  assert.ok(!nameStates('Plan 1', 1, 'data'));
  assert.ok(!nameStates('Plan 11 GB', 1, 'data'));
  assert.ok(!nameStates('1 GBP a day', 1, 'data'));
  assert.ok(!nameStates('', 0, 'time'));
});

test('whatever figures a name is made of, it states them and no others', () => {
  const figure = fc.integer({ min: 0, max: 9_999 });
  fc.assert(
    fc.property(figure, figure, figure, (data, time, other) => {
      const name = `Somewhere ${data} GB, ${time} days`;
      assert.ok(nameStates(name, data, 'data') && nameStates(name, time, 'time'));
      assert.equal(nameStates(name, other, 'data'), other === data);
      assert.equal(nameStates(name, other, 'time'), other === time);
    }),
  );
});
