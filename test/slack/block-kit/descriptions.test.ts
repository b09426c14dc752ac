import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listCharacters } from '../../../src/domain/messages/message-checks.ts';
import { reasons } from '../../../src/provider/response/error-messages.ts';
import { describeCost } from '../../../src/slack/block-kit/descriptions/costs.ts';
import { describeArrival } from '../../../src/slack/block-kit/descriptions/deliveries.ts';
import { failureLines, outcomeSentence } from '../../../src/slack/block-kit/descriptions/outcome.ts';
import { isReplacementUseful, textLengthBlocks } from '../../../src/slack/block-kit/descriptions/warnings.ts';
import { formatMoney } from '../../../src/slack/block-kit/plural.ts';
import { mrkdwn, renderFor } from '../../../src/slack/block-kit/text.ts';
import { outcomeRenderers } from '../../../src/slack/features/register-features.ts';
import type { MessageDelivery } from '../../../src/store/deliveries/deliveries.ts';
import type { Operation } from '../../../src/store/operations/operation.ts';

function textLength(text: string, { route = 'dnd', unicode = false } = {}): string {
  return JSON.stringify(textLengthBlocks(text, { route, unicode, replaceAction: 'swap' }));
}

describe('the line under a message', () => {
  it('counts pages and characters', () => {
    assert.match(textLength('Hello'), /1 page · 5 characters, 160 per page/);
    assert.doesNotMatch(textLength('Hello'), /Replace/);
    assert.match(textLength(''), /"160 characters per page"/);
  });

  it('names what cannot be sent, and offers its plain twin, or to remove an emoji', () => {
    assert.match(textLength('Ready — today…'), /Can’t be sent: — ….*Replace with plain text/);
    assert.match(textLength('Hello 👋🏽'), /Can’t be sent: 👋🏽\*.*Replace with plain text/);
  });

  it('offers no swap that would not help', () => {
    assert.match(textLength('Hello ж'), /Can’t be sent: ж/);
    assert.doesNotMatch(textLength('Hello ж'), /Replace with/);
    assert.doesNotMatch(textLength('It’s ready'), /Replace with/, 'one page either way');
  });

  it('names what makes a page shorter', () => {
    assert.match(textLength('a {b}'), /70 per page because of \{ \}/);
    assert.match(textLength('a — b', { unicode: true }), /70 per page because of —/);
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
    assert.equal(listCharacters(['\u200B', '—']), '—, a zero-width space');
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
  const at = new Date('2026-11-22T10:00:00Z');
  const reports = { kind: 'reports' } as const;
  const entered = { kind: 'entered', at } as const;
  const perPage = { country: 'NG', pages: 4_800, perPage: '4.25 NGN' };
  const known = {
    ...{ kind: 'known' as const, perPage: '4.25 NGN', isShort: false },
    ...{ pages: 4_800, unknown: [], unknownPages: 0 },
  };

  it('says what it costs, where the price is from, and what the balance is enough for', () => {
    const cost = {
      ...known,
      prices: [{ ...perPage, source: reports }],
      total: '20400 NGN',
      balance: { amount: '31536.5 NGN', at },
      enoughFor: 7_420,
    };
    assert.match(
      describeCost(cost, 'dnd').source,
      /^Cost: about ₦20,400 \(₦4.25 a page, median of the last 30 days\) · balance ₦31,536.50, enough for about 7,420 pages$/,
    );
  });

  it('shows a price that was entered with all of its decimals, and the day', () => {
    const cost = {
      ...known,
      prices: [{ ...perPage, perPage: '4.255001 NGN', source: entered }],
      total: '20424 NGN',
    };
    assert.match(
      describeCost(cost, 'dnd').source,
      /^Cost: about ₦20,424 \(₦4.255001 a page, entered <!date[^>]*\|22 Nov 2026>\)$/,
    );
  });

  it('names the countries of a list, and for how many pages nothing is known', () => {
    const cost = {
      ...known,
      prices: [
        { ...perPage, source: reports },
        { country: 'GH', pages: 1_200, perPage: '20 NGN', source: reports },
      ],
      pages: 6_000,
      unknown: [
        { country: 'KE', pages: 300 },
        { country: '', pages: 2 },
      ],
      unknownPages: 302,
      total: '44400 NGN',
    };
    assert.equal(
      describeCost(cost, 'dnd').source,
      'Cost: about ₦44,400 for 6,000 of 6,302 pages (Nigeria ₦4.25 a page, Ghana ₦20 a page, median of the last 30 days) · no price for 300 pages to Kenya, 2 pages to unknown countries: admins can set one under Costs',
    );
  });

  it('says of each price where it is from, where they are from different places', () => {
    const cost = {
      ...known,
      prices: [
        { ...perPage, source: reports },
        { country: 'GH', pages: 1_200, perPage: '20 NGN', source: entered },
        {
          country: 'KE',
          pages: 10,
          perPage: '30 NGN',
          source: { ...entered, at: new Date(at.getTime() + 1) },
        },
      ],
      total: '44700 NGN',
    };
    const day = '<!date[^>]*\\|22 Nov 2026>';
    assert.match(
      describeCost(cost, 'dnd').source,
      new RegExp(
        `\\(Nigeria ₦4.25 a page, median of the last 30 days; Ghana ₦20 a page, entered ${day}; Kenya ₦30 a page, entered ${day}\\)$`,
      ),
    );
    assert.match(
      describeCost({ ...cost, prices: cost.prices.slice(1) }, 'dnd').source,
      new RegExp(`\\(Ghana ₦20 a page, Kenya ₦30 a page, entered ${day}\\)$`),
    );
  });

  it('names no pages where a message is not billed by them', () => {
    const cost = {
      ...known,
      perPage: '7.9',
      prices: [{ country: 'NG', pages: 2, perPage: '7.9', source: reports }],
      total: '15.8',
      balance: { amount: '3153.65', at },
      enoughFor: 399,
    };
    for (const route of ['voice', 'chatapp'] as const) {
      assert.match(
        describeCost(cost, route).source,
        /^Cost: about 15.80, median of the last 30 days · balance 3,153.65$/,
      );
    }
  });

  it('invents nothing where nothing is known', () => {
    assert.equal(
      describeCost({ kind: 'unknown', unknown: [] }, 'dnd').source,
      'Cost unknown: admins can set a price under Costs',
    );
  });
});

describe('failureLines', () => {
  const sms = { subject: mrkdwn`The message to +234803•••4567`, done: 'sent', check: 'Check first.' };
  const linesOf = (state: 'rejected' | 'not_sent' | 'unconfirmed', error: Operation['error']) =>
    failureLines({ error }, state, sms).source.split('\n');

  it('says whether anything was sent, what happened, and what to do', () => {
    assert.deepEqual(linesOf('rejected', { reason: 'no_route', providerMessage: 'No Route' }), [
      ':x: *Rejected.* The message to +234803•••4567 was not sent.',
      'This route is not active on the account.',
      'Send another way, or ask the provider to activate this route.',
    ]);
    assert.deepEqual(linesOf('unconfirmed', { reason: 'cut_off' }), [
      ':warning: *Unconfirmed.* The message to +234803•••4567 may or may not have been sent.',
      'The connection broke before the provider’s answer was complete.',
      'Check first.',
    ]);
  });

  it('quotes the provider where its words say more than the reason, with one full stop', () => {
    for (const [providerMessage, quoted] of [
      ['sender is blocked', '“sender is blocked”.'],
      ['The sender is blocked.', '“The sender is blocked”.'],
    ] as const) {
      const [, why] = linesOf('rejected', { reason: 'refused', providerMessage });
      assert.equal(why, `The provider does not allow this. The provider says: ${quoted}`);
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
      linesOf('unconfirmed', undefined)[1] ?? '',
      /Switchboard stopped before the provider answered/,
    );
    assert.match(linesOf('unconfirmed', { reason: 'from_the_future' })[1] ?? '', /The reason is unknown/);
  });
});

describe('the headline of an accepted message', () => {
  const known = (state: MessageDelivery['state'], status: string, receivedAt = new Date(1_000)) =>
    ({ providerId: 'm1', state, status, receivedAt, source: 'report' }) as const;
  const delivered = known('delivered', 'Delivered');
  const failed = known('failed', 'Expired');

  it('says what became of all of several recipients, and nothing where they differ', () => {
    const headline = (...deliveries: MessageDelivery[]) => {
      const outcome = describeArrival({ deliveries, recipients: 2 }, { done: 'Sent' });
      const { text } = renderFor('person', { text: outcomeSentence(outcome, 'both').source });
      return [text, outcome.at?.getTime()];
    };
    assert.deepEqual(headline(), ['*Sent* to both.', undefined]);
    const counted = (counts: string) => [`*Sent* to both: ${counts}.`, undefined];
    assert.deepEqual(headline(delivered), counted('1 delivered · 1 waiting for a report'));
    assert.deepEqual(headline(delivered, failed), ['*Not delivered* to 1 of 2 · 1 delivered.', undefined]);
    const later = known('delivered', 'Delivered', new Date(2_000));
    assert.deepEqual(headline(later, delivered), ['*Delivered* to both.', 2_000]);
    assert.deepEqual(headline(failed, failed), [
      '*Not delivered* to both: the phone wasn’t reached in time.',
      1_000,
    ]);
    const parked = known('unknown', 'Parked');
    assert.deepEqual(headline(parked, delivered), counted('1 delivered · 1 reported as “Parked”'));
    assert.deepEqual(headline(parked), counted('1 reported as “Parked” · 1 waiting for a report'));
    const held = known('unknown', 'Held');
    assert.deepEqual(headline(parked, held), counted('1 reported as “Parked” · 1 reported as “Held”'));
    assert.deepEqual(headline(parked, parked), ['*Sent* to both: the provider says “Parked”.', 1_000]);
  });

  it('says it of codes, tests and confirmations too', () => {
    const base = {
      id: '1',
      workspaceId: 'T1',
      key: 'k',
      userId: 'U1',
      state: 'accepted',
      createdAt: new Date(0),
    };
    const to = '+234803•••4567';
    const headline = (kind: string, summary: Operation['summary'], delivery: MessageDelivery) => {
      const operation = { ...base, kind, summary, state: 'accepted' } as const;
      return outcomeRenderers[kind]?.({ operation, reader: 'user', deliveries: [delivery] }).headline.source;
    };
    const code = { way: 'sms', to, senderId: 'PalmMarket' };
    assert.match(headline('otp.sms', code, delivered) ?? '', /\*Code delivered\* to .* Ask the customer/);
    assert.match(
      headline('otp.sms', code, failed) ?? '',
      /\*Code not delivered\* to .*: the phone wasn’t reached in time\.$/,
    );
    const ended = (
      kind: 'expired' | 'verified',
      state: Operation['state'],
      deliveries: readonly MessageDelivery[],
    ) =>
      outcomeRenderers['otp.sms']?.({
        operation: {
          ...base,
          kind: 'otp.sms',
          summary: code,
          state,
          codeOutcome: { kind, at: 0 },
          wrongGuesses: 1,
        },
        reader: 'user',
        deliveries,
      }).headline.source ?? '';
    assert.match(
      ended('expired', 'accepted', [delivered]),
      /\*Expired:\* .*, not verified after 1 wrong guess\.$/,
    );
    assert.match(ended('expired', 'accepted', [failed]), /\*Code not delivered\* to/);
    assert.match(ended('expired', 'unconfirmed', []), /\*Unconfirmed\.\*/);
    assert.match(ended('verified', 'unconfirmed', []), /\*Verified:\* .* by <@U1> after 1 wrong guess\.$/);
    const test = { campaign: 'Sale', to, route: 'dnd', senderId: 'PalmMarket' };
    assert.match(headline('campaign.test', test, delivered) ?? '', /\*Test delivered\* to .*, 1 page\.$/);
    const stop = { senderId: 'PalmMarket', to: [to] };
    assert.match(
      headline('sms.confirm_stop', stop, failed) ?? '',
      /\*Opt-out confirmation not delivered\* to .*: the phone/,
    );
  });
});
