import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listCharacters } from '../../../src/domain/messages/list-characters.ts';
import { describeCost } from '../../../src/slack/block-kit/descriptions/cost.ts';
import {
  isReplacementUseful,
  textLengthBlocks,
} from '../../../src/slack/block-kit/descriptions/text-length.ts';
import { formatMoney } from '../../../src/slack/block-kit/plural.ts';

function textLength(text: string, { route = 'dnd', unicode = false } = {}): string {
  return JSON.stringify(textLengthBlocks(text, { route, unicode, replaceAction: 'swap' }));
}

describe('the line under a message', () => {
  it('counts pages and characters', () => {
    assert.match(textLength('Hello'), /1 page · 5 characters, 160 to a page/);
    assert.doesNotMatch(textLength('Hello'), /Replace/);
  });

  it('names what cannot be sent, and offers its plain twin', () => {
    assert.match(textLength('Ready — today…'), /Can’t be sent: — ….*Replace with plain text/);
  });

  it('offers no swap that would not help', () => {
    assert.match(textLength('Hello 😀'), /Can’t be sent: 😀/);
    assert.doesNotMatch(textLength('Hello 😀'), /Replace with/);
    assert.doesNotMatch(textLength('It’s ready'), /Replace with/, 'one page either way');
  });

  it('names what makes a page shorter', () => {
    assert.match(textLength('a {b}'), /70 to a page because of \{ \}/);
    assert.match(textLength('a — b', { unicode: true }), /70 to a page because of —/);
  });

  it('counts no pages where none are billed', () => {
    assert.match(textLength('Hello', { route: 'voice' }), /"5 characters"/);
  });

  it('offers the swap only where fewer characters are unsendable or fewer pages are billed', () => {
    assert.equal(isReplacementUseful(`${'a'.repeat(100)}—`, { unicode: true }), true);
    assert.equal(isReplacementUseful('a—', { unicode: true }), false);
    assert.equal(isReplacementUseful('a—', { unicode: false }), true);
  });

  it('gives invisible characters a name, and says how many more there are', () => {
    assert.equal(listCharacters(['\u200B', '—']), 'zero-width space —');
    assert.equal(listCharacters([...'абвгдежзик']), 'а б в г д е ж з and 2 more');
  });
});

describe('formatMoney', () => {
  it('writes separators, and the sign of a known currency', () => {
    assert.equal(formatMoney('24989.8 NGN'), '₦24,989.80');
    assert.equal(formatMoney('1800 NGN'), '₦1,800');
    assert.equal(formatMoney('24977.05'), '24,977.05');
    assert.equal(formatMoney('0'), '0');
  });

  it('shows as it is what is no amount', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^-?\d/.test(text));
        assert.equal(formatMoney(text), text);
      }),
    );
    assert.equal(formatMoney('12,50'), '12,50');
  });
});

describe('describeCost', () => {
  it('says what it costs and what the balance is enough for', () => {
    const balance = { amount: '3153.65 NGN', at: new Date('2026-11-22T10:00:00Z') };
    const { source } = describeCost({
      kind: 'known',
      perPage: '4.25 NGN',
      total: '20425.5 NGN',
      balance,
      enoughFor: 742,
      isShort: true,
    });
    assert.match(
      source,
      /^Cost: about ₦20,425.50 \(₦4.25 a page, from earlier sends\) · balance ₦3,153.65 \(/,
    );
    assert.match(source, /: enough for about 742 pages$/);
  });

  it('invents nothing where nothing is known', () => {
    assert.equal(describeCost({ kind: 'unknown' }).source, 'Cost: not known yet');
  });
});
