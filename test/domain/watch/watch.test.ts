import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  balanceStep,
  decideEvent,
  dueDigest,
  followFailures,
  isDown,
  routeFacts,
  type WatchFacts,
} from '../../../src/domain/watch/watch.ts';

const minute = 60_000;
const start = new Date('2026-03-01T12:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * minute);

describe('a balance', () => {
  it('is low below the amount, and changes at half and at a tenth of it, whatever the currency is called', () => {
    const steps = ['1000 NGN', '999.99 NGN', '500', '499', '100', '99.9', '0', '-5'].map((amount) =>
      balanceStep(amount, '1000'),
    );
    assert.deepEqual(steps, [undefined, 'low', 'low', 'half', 'half', 'tenth', 'tenth', 'tenth']);
    assert.equal(balanceStep('plenty', '1000'), undefined);
    assert.equal(balanceStep(undefined, '1000'), undefined);
  });
});

describe('a route', () => {
  const wrong = (failed: number, all: number, before: [number, number], isRaised = false) =>
    routeFacts('dnd', { failed, all }, { failed: before[0], all: before[1] }, isRaised)?.step;

  it('fails where more than a fifth of 20 or more does, twice as much as the day before', () => {
    assert.equal(wrong(5, 20, [0, 0]), 'many');
    assert.equal(wrong(4, 20, [0, 0]), undefined, 'a fifth');
    assert.equal(wrong(19, 19, [0, 0]), undefined, 'too few');
    assert.equal(wrong(11, 20, [0, 0]), 'most');
    assert.equal(wrong(5, 20, [125, 1_000]), 'many', 'exactly twice');
    assert.equal(wrong(5, 20, [126, 1_000]), undefined);
    assert.equal(wrong(5, 20, [500, 1_000], true), 'many', 'until a fifth or fewer fails');
  });
});

describe('the provider', () => {
  it('is down after three failures in a row over two minutes, and up with the next answer', () => {
    const follow = (...ended: [minutes: number, failed: boolean][]) =>
      ended.reduce<WatchFacts>((facts, [at, failed]) => followFailures(facts, { failed, at: after(at) }), {
        step: 'up',
      });
    const failing = follow([0, false], [1, true], [2, true], [2.5, true]);
    assert.equal(isDown(failing, after(2.9)), false);
    assert.equal(isDown(failing, after(3)), true);
    assert.equal(isDown(follow([1, true], [9, true]), after(9)), false);
    assert.equal(isDown(follow([1, true], [2, true], [3, true], [4, false]), after(9)), false);
    assert.equal(isDown(follow([1, true], [2, true], [3, false], [4, true]), after(9)), false);
  });
});

describe('a decision', () => {
  it('is told once, and only where it is news', () => {
    const first = decideEvent(undefined, { step: 'active' }, { isNews: false, now: start });
    assert.equal(first?.tells, false);
    const row = first && { ...first, isShown: true };
    assert.equal(decideEvent(row, { step: 'active' }, { isNews: true, now: start }), undefined);
    assert.equal(decideEvent(row, { step: 'blocked' }, { isNews: true, now: start })?.tells, true);
  });
});

describe('a digest', () => {
  it('is due from its hour on, by the clocks of the zone', () => {
    const due = (at: string, hour: number) => dueDigest({ hour, zone: 'Europe/London' }, new Date(at));
    assert.equal(due('2026-03-28T07:59:59Z', 8), undefined);
    assert.equal(due('2026-03-28T08:00:00Z', 8), '2026-03-28');
    assert.equal(due('2026-03-29T07:00:00Z', 8), '2026-03-29', 'summer time');
    // 01:00 does not exist on that day.
    assert.equal(due('2026-03-29T00:59:00Z', 1), undefined);
    assert.equal(due('2026-03-29T01:00:00Z', 1), '2026-03-29');
  });
});
