import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  checkCodeText,
  defaultCodeText,
  fillCodeText,
  fillMinutes,
  statedLengths,
  statedMinutes,
} from '../../../src/domain/otp/code-text.ts';
import { readTypedCode } from '../../../src/domain/otp/one-time-code.ts';

const life = { length: 6, minutes: 10 };
const lifetimes = fc.integer({ min: 1, max: 60 });

describe('the text of a code', () => {
  it('states its lifetime, in the singular and in the plural', () => {
    const fill = (minutes: number) => fillCodeText(defaultCodeText, { code: '482913', minutes });
    assert.equal(fill(10), 'Your code is 482913. It expires in 10 minutes.');
    assert.equal(fill(1), 'Your code is 482913. It expires in 1 minute.');
    assert.equal(fillMinutes('<minutes> minute', 2), '2 minutes');
    assert.equal(fillMinutes('<MINUTES> MINUTES', 2), '2 MINUTES');
    assert.equal(
      fillMinutes('a <minutes>-minute code, <minutes> min, minti <minutes>', 2),
      'a 2-minute code, 2 min, minti 2',
    );
  });

  it('replaces every placeholder, and nothing else', () => {
    assert.equal(fillCodeText('<code> $& <code>', { code: '0417', minutes: 5 }), '0417 $& 0417');
  });

  it('of the default is right for every lifetime and length', () => {
    fc.assert(
      fc.property(lifetimes, fc.integer({ min: 4, max: 8 }), (minutes, length) => {
        assert.equal(checkCodeText(defaultCodeText, { minutes, length }), undefined);
        assert.deepEqual(statedMinutes(fillMinutes(defaultCodeText, minutes)), [minutes]);
      }),
    );
  });

  const typed: [text: string, fault: RegExp | undefined][] = [
    ['Palm: <code>', undefined],
    ['Your code is on its way', /Write <code> where/],
    ['<code> is valid for 10 minutes', undefined],
    ['<code> is valid for ten minutes', undefined],
    ['<code> is valid for 10 mins.', undefined],
    ['<code> is valid for 600 seconds', undefined],
    ['<code> is valid for 5 minutes', /says 5 minutes, but codes expire after 10\. Write <minutes>/],
    ['<code>, good for 1 minute', /says 1 minute, /],
    ['<code> is a 15-minute code', /says 15 minutes/],
    ['<code> is valid for 7\u00A0min', /says 7 minutes/],
    ['<code> is valid for Twenty-Five minutes', /says 25 minutes/],
    ['<code> is valid for 1 hour', /says 60 minutes/],
    ['<code> is valid for half an hour', /says 30 minutes/],
    ['Valid for <minutes> minutes, not 20 minutes: <code>', /says 20 minutes/],
    ['Your 6-digit code: <code>', undefined],
    ['Your four digit code: <code>', /says 4 digits, but codes have 6/],
    ['Order 5 mangoes, call 0803 123 4567: <code>', undefined],
  ];
  for (const [text, fault] of typed) {
    it(`${fault === undefined ? 'may be' : 'may not be'} “${text}”`, () => {
      const said = checkCodeText(text, life);
      assert.ok(fault === undefined ? said === undefined : fault.test(said ?? ''), said);
    });
  }

  it('that states one lifetime in digits is right for that one only', () => {
    fc.assert(
      fc.property(lifetimes, lifetimes, (stated, minutes) => {
        const fault = checkCodeText(`<code> is valid for ${stated} minutes`, { length: 6, minutes });
        assert.equal(fault === undefined, stated === minutes);
      }),
    );
  });

  it('states no length where it names other things', () => {
    assert.deepEqual(statedLengths('6 digital watches, 16digits, 8 characters'), [16, 8]);
  });
});

describe('a code as it is typed', () => {
  it('is read without what stands between its digits', () => {
    const between = fc.constantFrom(' ', '-', '–', '\u00A0', '\u200B', '\n', '');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), between), { minLength: 4, maxLength: 8 }),
        (parts) => {
          assert.equal(readTypedCode(parts.flat().join('')), parts.map(([digit]) => digit).join(''));
        },
      ),
    );
  });

  it('keeps everything else, in which no code is found', () => {
    assert.equal(readTypedCode('48a 29'), '48a29');
    assert.equal(readTypedCode('４８'), '48');
  });
});
