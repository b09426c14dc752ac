import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { maskPersonal, redact } from '../../src/lib/redact.ts';

const digit = fc.constantFrom(...'0123456789', '٣', '۷', '８');
const separator = fc.constantFrom(
  '',
  '',
  ' ',
  '-',
  '.',
  ' (',
  ') ',
  ' - ',
  '\u00a0',
  '_',
  '/',
  ':',
  '\u200e',
);
/** A number as people write it, with separators between its digits. */
const number = fc
  .tuple(fc.constantFrom('', '+', '('), fc.array(fc.tuple(digit, separator), { minLength: 7, maxLength: 15 }))
  .map(([before, digits]) => `${before}${digits.flat().join('')}`);
/** What errors say around what they quote: words with apostrophes, and digits that are not phone numbers. */
const words = fc
  .uniqueArray(
    fc.constantFrom(
      'cannot',
      "can't",
      'send',
      "doesn't",
      "the customers'",
      'to',
      'for',
      '404',
      '(8,000 ms)',
      'is',
    ),
    { maxLength: 8 },
  )
  .map((chosen) => chosen.join(' '));
const quotes = fc.constantFrom('"', "'", '`');
const secret = fc
  .array(fc.constantFrom('parcel', "it's", 'gate', 'Ada', 'm5Kx', '🎁', 'don’t', '\n', '&', '“now”'), {
    minLength: 2,
  })
  .map((parts) => `Psst ${parts.join(' ')}`);

const onlyDigits = (text: string) => text.replace(/\P{Nd}/gu, '');

describe('text from outside, redacted for the log,', () => {
  it('has no number, in any spelling', () => {
    fc.assert(
      fc.property(words, number, words, (before, written, after) => {
        const left = redact(`${before} to ${written} failed ${after}`);
        assert.ok(!left.includes(written.trim()));
        assert.ok(!onlyDigits(left).includes(onlyDigits(written)), left);
        assert.match(left, /\[digits\]/);
      }),
    );
  });

  it('has nothing from within quotation marks, closed or cut off', () => {
    fc.assert(
      fc.property(words, quotes, secret, fc.boolean(), words, (before, quote, quoted, ended, after) => {
        const repeated = ended ? `${quote}${quoted}${quote}, ${after}` : `${quote}${quoted}`;
        const left = redact(`${before} ${repeated}`);
        assert.ok(!/Psst|parcel|gate|Ada|m5Kx|🎁/.test(left), left);
        assert.ok(left.startsWith(before.slice(0, 100)), left);
      }),
    );
  });

  it('has nothing of a quotation that contains quotation marks, as JSON writes them', () => {
    fc.assert(
      fc.property(words, secret, (before, quoted) => {
        const left = redact(`${before}: ${JSON.stringify({ text: `${quoted} "${quoted}" ${quoted}` })}`);
        assert.ok(!/Psst|parcel|gate|Ada|m5Kx|🎁/.test(left), left);
      }),
    );
  });

  it('has no token of Slack', () => {
    for (const token of ['xoxb-1234-abCD', 'xapp-1-A0-99-ff', 'xoxp-7', 'xoxe-1-b']) {
      assert.equal(redact(`bad token ${token}.`), 'bad token [token].');
    }
  });

  it('keeps all other words, up to 500 characters', () => {
    fc.assert(
      fc.property(words, (text) => {
        assert.equal(redact(text), text);
      }),
    );
    assert.equal(redact('getaddrinfo ENOTFOUND slack.com'), 'getaddrinfo ENOTFOUND slack.com');
    assert.equal(redact('word '.repeat(1_000)).length, 500);
    assert.ok(!redact(`${'word '.repeat(99)} +2348031234567`).includes('234'));
  });
});

describe('the provider’s message, as shown to people,', () => {
  it('has no number, and is otherwise unchanged', () => {
    fc.assert(
      fc.property(words, number, words, (before, written, after) => {
        const shown = maskPersonal(`${before} for ${written.trim()} is barred, ${after}`);
        assert.match(shown, /•••/);
        assert.ok(!onlyDigits(shown).includes(onlyDigits(written)), shown);
        assert.equal(maskPersonal(before), before);
      }),
    );
  });

  it('keeps its dates, its times, and the addresses of machines', () => {
    for (const said of ['2026-11-29', 'on 28/11/2026.', '28.11.2026 12:06', '2026-11-29 12:30:45.123 UTC']) {
      assert.equal(maskPersonal(said), said);
      assert.equal(redact(said), said);
    }
    assert.equal(redact('connect ECONNREFUSED 127.0.0.1:5432'), 'connect ECONNREFUSED 127.0.0.1:5432');
    assert.equal(maskPersonal('call 2026-11-29 0803'), 'call •••');
  });

  it('has no e-mail address', () => {
    for (const said of [
      'to ada.obi+shop@example.co.ng failed',
      '“Ada@Example.com” is no address',
      '<ada@example.com>',
    ]) {
      assert.doesNotMatch(maskPersonal(said), /ada|example/i);
      assert.doesNotMatch(redact(said), /ada|example/i);
    }
  });
});
