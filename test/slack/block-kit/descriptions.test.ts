import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listCharacters } from '../../../src/domain/messages/list-characters.ts';
import { reasons } from '../../../src/provider/response/error-messages.ts';
import { describeCost } from '../../../src/slack/block-kit/descriptions/cost.ts';
import { failureLines } from '../../../src/slack/block-kit/descriptions/failure.ts';
import {
  isReplacementUseful,
  textLengthBlocks,
} from '../../../src/slack/block-kit/descriptions/text-length.ts';
import { formatMoney } from '../../../src/slack/block-kit/plural.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import type { Operation } from '../../../src/store/operations/ledger.ts';

function textLength(text: string, { route = 'dnd', unicode = false } = {}): string {
  return JSON.stringify(textLengthBlocks(text, { route, unicode, replaceAction: 'swap' }));
}

describe('the line under a message', () => {
  it('counts pages and characters', () => {
    assert.match(textLength('Hello'), /1 page · 5 characters, 160 to a page/);
    assert.doesNotMatch(textLength('Hello'), /Replace/);
    assert.match(textLength(''), /"160 characters to a page"/);
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

  it('keeps the digits of less than one unit, as a page costs in some currencies', () => {
    assert.equal(formatMoney('0.0175 USD'), '$0.0175');
    assert.equal(formatMoney('0.0045'), '0.0045');
    assert.equal(formatMoney('0.5 NGN'), '₦0.50');
    assert.equal(formatMoney('-0.0045'), '-0.0045');
    assert.equal(formatMoney('4.2575 NGN'), '₦4.26');
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
    const { source } = describeCost(
      {
        kind: 'known',
        perPage: '4.25 NGN',
        prices: [{ country: 'NG', pages: 4_806, perPage: '4.25 NGN' }],
        unknown: [],
        isRecent: true,
        total: '20425.5 NGN',
        balance,
        enoughFor: 742,
        isShort: true,
      },
      'dnd',
    );
    assert.match(
      source,
      /^Cost: about ₦20,425.50 \(₦4.25 a page, from the last 30 days\) · balance ₦3,153.65 \(/,
    );
    assert.match(source, /: enough for about 742 pages$/);
  });

  it('names the countries of a list, and for how many pages nothing is known', () => {
    const cost = {
      kind: 'known' as const,
      perPage: '7.4 NGN',
      prices: [
        { country: 'NG', pages: 4_800, perPage: '4.25 NGN' },
        { country: 'GH', pages: 1_200, perPage: '20 NGN' },
      ],
      unknown: [
        { country: 'KE', pages: 300 },
        { country: '', pages: 2 },
      ],
      isRecent: true,
      total: '44400 NGN',
      isShort: false,
    };
    assert.equal(
      describeCost(cost, 'dnd').source,
      'Cost: about ₦44,400 (Nigeria ₦4.25 a page, Ghana ₦20 a page, from the last 30 days), without 300 pages to Kenya, 2 pages to unknown countries: not known yet',
    );
  });

  it('names no pages where a message is not billed by them', () => {
    const cost = {
      kind: 'known' as const,
      perPage: '7.9',
      prices: [{ country: 'NG', pages: 2, perPage: '7.9' }],
      unknown: [],
      isRecent: false,
      total: '15.8',
      balance: { amount: '3153.65', at: new Date('2026-11-22T10:00:00Z') },
      enoughFor: 399,
      isShort: false,
    };
    for (const route of ['voice', 'chatapp'] as const) {
      assert.match(
        describeCost(cost, route).source,
        /^Cost: about 15.80, from earlier sends · balance 3,153.65 \(.*\)$/,
      );
    }
  });

  it('invents nothing where nothing is known', () => {
    assert.equal(describeCost({ kind: 'unknown' }, 'dnd').source, 'Cost: not known yet');
  });
});

describe('failureLines', () => {
  const sms = { subject: mrkdwn`The message to +234803•••4567`, done: 'sent', check: 'Check first.' };
  const linesOf = (state: 'rejected' | 'not_sent' | 'unconfirmed', error: Operation['error']) =>
    failureLines({ error }, state, sms).source.split('\n');

  it('says what happened, whether anything was sent, and what to do', () => {
    assert.deepEqual(linesOf('rejected', { reason: 'no_route', providerMessage: 'No Route' }), [
      ':x: *Rejected.* This route is not active on the account.',
      'The message to +234803•••4567 was not sent.',
      'Send another way, or ask the provider to activate this route.',
    ]);
    assert.deepEqual(linesOf('unconfirmed', { reason: 'cut_off' }), [
      ':warning: *Unconfirmed.* The connection broke before the provider’s whole answer came.',
      'The message to +234803•••4567 may or may not have been sent.',
      'Check first.',
    ]);
  });

  it('quotes the provider where its words say more than the reason, with one full stop', () => {
    for (const [providerMessage, quoted] of [
      ['sender is blocked', '“sender is blocked”.'],
      ['The sender is blocked.', '“The sender is blocked”.'],
    ] as const) {
      const [first] = linesOf('rejected', { reason: 'refused', providerMessage });
      assert.equal(first, `:x: *Rejected.* The provider does not allow this. The provider says: ${quoted}`);
    }
  });

  it('has three lines of distinct sentences for every reason, without codes of a system', () => {
    for (const reason of Object.keys(reasons)) {
      for (const state of ['rejected', 'not_sent', 'unconfirmed'] as const) {
        const lines = linesOf(state, { reason });
        assert.equal(lines.length, 3, reason);
        const sentences = lines.join(' ').split(/(?<=[.:]\*?) /);
        assert.equal(new Set(sentences).size, sentences.length, lines.join('\n'));
        assert.doesNotMatch(lines.join(' '), /\b[A-Z]+_[A-Z_]+\b|\bE[A-Z]{4,}\b/);
      }
    }
  });

  it('describes what a crash left, and a reason that is not known', () => {
    assert.match(
      linesOf('unconfirmed', undefined)[0] ?? '',
      /Switchboard stopped before the provider answered/,
    );
    assert.match(linesOf('unconfirmed', { reason: 'from_the_future' })[0] ?? '', /The reason is not known/);
  });
});
