import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  brokenRule,
  codeMemoryMs,
  fewestJudged,
  freesAt,
  judgedAfterMs,
  type LiftedAt,
  type SentCode,
  tooFastMs,
} from '../../../src/domain/limits/code-fraud.ts';
import { limitSettings } from '../../support/limits.ts';

const { codes: limits } = limitSettings();
const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-23T08:00:00Z');
const never: LiftedAt = () => undefined;
const next = { userId: 'U1', recipient: 'a customer', block: 'a block' };

function code(changed: Partial<SentCode> = {}): SentCode {
  return {
    userId: 'U1',
    recipient: 'somebody',
    block: 'another block',
    isVerifiable: true,
    sentAt: start,
    verifiedAt: undefined,
    ...changed,
  };
}

const several = (count: number, changed: Partial<SentCode>) =>
  Array.from({ length: count }, (_, index) => code({ recipient: `${index}`, ...changed }));

const ruleAt = (codes: readonly SentCode[], at: number, lifted = never) =>
  brokenRule(codes, at, { limits, next, liftedAt: lifted });

describe('codes to one block of numbers', () => {
  it('stop at the limit while nobody verified them, for an hour', () => {
    const toBlock = several(10, { block: 'a block', userId: 'U2' });
    assert.equal(ruleAt(toBlock.slice(1), start + minute), undefined);
    assert.deepEqual(ruleAt(toBlock, start + minute), { rule: 'block' });
    assert.equal(freesAt(toBlock, start + minute, { limits, next, liftedAt: never }), start + hour);
  });

  it('go on where customers verify them: each allows one more', () => {
    const open = several(10, { block: 'a block', userId: 'U2' });
    const verified = code({ block: 'a block', verifiedAt: start + minute });
    assert.equal(ruleAt([...open, verified], start + 2 * minute), undefined);
    assert.deepEqual(
      ruleAt([...open, verified, code({ block: 'a block' })], start + 2 * minute)?.rule,
      'block',
    );
  });
});

describe('the share of verified codes', () => {
  it('is judged once there are enough codes, each old enough to have been read out', () => {
    const codes = several(fewestJudged, {});
    assert.equal(ruleAt(codes, start + judgedAfterMs - 1), undefined);
    assert.deepEqual(ruleAt(codes, start + judgedAfterMs), { rule: 'share', scope: 'person' });
    assert.equal(ruleAt(codes.slice(1), start + judgedAfterMs), undefined);
  });

  it('is enough at the least share, and not below', () => {
    const codes = (verified: number) => [
      ...several(20 - verified, {}),
      ...several(verified, { verifiedAt: start + minute }),
    ];
    assert.equal(ruleAt(codes(4), start + hour), undefined);
    assert.deepEqual(ruleAt(codes(3), start + hour), { rule: 'share', scope: 'person' });
  });

  it('stops the one whose share has fallen, and not the others', () => {
    const attack = several(40, { userId: 'U9' });
    const others = [
      ...several(5, { userId: 'U2' }),
      ...several(20, { userId: 'U3', verifiedAt: start + minute }),
    ];
    assert.equal(ruleAt([...attack, ...others], start + hour), undefined);
    const own = { limits, next: { ...next, userId: 'U9' }, liftedAt: never };
    assert.deepEqual(brokenRule([...attack, ...others], start + hour, own), {
      rule: 'share',
      scope: 'person',
    });
  });

  it('stops the workspace where several people send a few each', () => {
    const spread = Array.from({ length: 30 }, (_, index) =>
      code({ userId: `U${index % 5}x`, recipient: `${index}` }),
    );
    assert.deepEqual(ruleAt(spread, start + hour), { rule: 'share', scope: 'workspace' });
  });

  it('is not of codes that cannot be verified here', () => {
    assert.equal(ruleAt(several(60, { isVerifiable: false }), start + hour), undefined);
  });
});

describe('an agent who sends and verifies over and over', () => {
  it('is stopped for one recipient after five verified codes in a day', () => {
    const codes = several(5, { recipient: 'a customer', verifiedAt: start + minute });
    assert.deepEqual(ruleAt(codes, start + hour), { rule: 'same_recipient' });
    assert.equal(ruleAt(codes.slice(1), start + hour), undefined);
    assert.equal(
      brokenRule(codes, start + hour, { limits, next: { ...next, userId: 'U2' }, liftedAt: never }),
      undefined,
    );
  });

  it('is stopped after ten codes that nobody could have read out as fast', () => {
    const fast = several(10, { verifiedAt: start + tooFastMs - 1 });
    assert.deepEqual(ruleAt(fast, start + hour), { rule: 'too_fast' });
    assert.equal(ruleAt(several(10, { verifiedAt: start + tooFastMs }), start + hour), undefined);
  });
});

describe('the rules on codes', () => {
  it('start from zero once they are lifted', () => {
    const codes = several(30, {});
    const lifted: LiftedAt = ({ rule }) => (rule === 'share' ? start : undefined);
    assert.equal(ruleAt(codes, start + hour, lifted), undefined);
    const later = several(20, { sentAt: start + 1 });
    assert.deepEqual(ruleAt([...codes, ...later], start + hour, lifted), { rule: 'share', scope: 'person' });
  });

  it('are off where their limit is off', () => {
    const off = limitSettings({
      LIMIT_CODES_TO_ONE_BLOCK: 'off',
      LIMIT_CODES_VERIFIED_PERCENT: 'off',
      LIMIT_CODES_BY_ONE_AGENT: 'off',
    }).codes;
    const codes = several(60, { ...next, verifiedAt: start }).concat(several(60, { block: 'a block' }));
    assert.equal(brokenRule(codes, start + hour, { limits: off, next, liftedAt: never }), undefined);
  });

  it('free up exactly when they say, whatever was sent', () => {
    const anyCode = fc.record({
      userId: fc.constantFrom('U1', 'U2', 'U3'),
      recipient: fc.constantFrom('a customer', 'x', 'y'),
      block: fc.constantFrom('a block', 'b', undefined),
      isVerifiable: fc.boolean(),
      sentAt: fc.integer({ min: start, max: start + 3 * hour }),
      verifiedAt: fc.option(fc.integer({ min: 1, max: 10 * minute }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(anyCode, { maxLength: 80 }),
        fc.integer({ min: 0, max: 4 * hour }),
        (given, later) => {
          const at = start + 3 * hour + later;
          const codes = given.map((each) => ({
            ...each,
            verifiedAt: each.verifiedAt === undefined ? undefined : each.sentAt + each.verifiedAt,
          }));
          const judging = { limits, next, liftedAt: never };
          const moment = freesAt(codes, at, judging);
          assert.equal(brokenRule(codes, moment, judging), undefined, 'it is free then');
          assert.ok(moment <= at + codeMemoryMs);
          if (moment > at) {
            assert.notEqual(brokenRule(codes, moment - 1, judging), undefined, 'and not a moment before');
          } else {
            assert.equal(brokenRule(codes, at, judging), undefined);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
