import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deliveryRuleNames } from '../../../../src/domain/deliveries/delivery-rules.ts';
import type { CampaignReview } from '../../../../src/services/campaigns/preflight/preflight.ts';
import type { Charges } from '../../../../src/services/costs/estimate.ts';
import { renderFor } from '../../../../src/slack/block-kit/text.ts';
import { campaignFormErrors } from '../../../../src/slack/features/campaigns/form/form-view.ts';
import { campaignStatusMessage } from '../../../../src/slack/features/campaigns/progress/campaign-messages.ts';
import { campaignReviewView } from '../../../../src/slack/features/campaigns/review/review-view.ts';
import { defaultStart } from '../../../../src/slack/features/campaigns/review/start-form.ts';
import { downloadView } from '../../../../src/slack/features/campaigns/status/download-view.ts';
import { campaignStatusView } from '../../../../src/slack/features/campaigns/status/status-view.ts';
import type { Campaign } from '../../../../src/store/campaigns/campaigns.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';
import { wordsOf } from '../../../support/slack/slack-user.ts';
import {
  noCounts,
  reviewOf,
  reviewOptions,
  someCampaign,
  someCharges,
  throughput,
} from '../examples/campaigns.ts';

function withoutWarnings(review: CampaignReview): CampaignReview {
  return { ...review, warnings: [], delivery: { ...review.delivery, off: deliveryRuleNames } };
}

describe('a campaign’s review', () => {
  const words = (changes: Partial<Campaign['counts']>, more: object = {}) =>
    wordsOf(
      campaignReviewView(
        withoutWarnings(reviewOf({ ...someCampaign, counts: { ...noCounts, ...changes } }, 'Hello')),
        { ...reviewOptions, ...more },
      ),
    );

  it('shows how many recipients there are and how many are left out, and has the count on its button', () => {
    const shown = words({
      recipients: 12_345,
      pages: 24_690,
      fewestPages: 1,
      mostPages: 3,
      duplicates: 12,
      suppressed: 3,
      acceptedBefore: 4,
      invalid: 5,
    });
    assert.match(shown, /\*12,345 recipients, 24,690 pages\* \(1 to 3 pages each\)/);
    assert.match(
      shown,
      /Skipped: 12 duplicates · 3 on the do-not-contact list · 4 already sent to[\s\S]*5 rows skipped/,
    );
    assert.match(shown, /Send to 12,345/);
    assert.match(shown, /Download skipped rows \(5\)/);
    assert.doesNotMatch(words({}), /Skipped:|do-not-contact|after all|skipped/);
  });

  it('shows how many get nothing in quiet hours, and asks for *Send anyway* only then', () => {
    const night = words({ quiet: 333 });
    assert.match(night, /Quiet hours until 8:00 AM WAT\.\* \*333 of 1,000 recipients \(33%\)\*/);
    assert.match(night, /At 8:00 AM WAT/);
    assert.match(night, /Send anyway/);
    // Some recipients were removed since the import.
    assert.match(words({ quiet: 333, recipients: 200 }), /\*200 of 200 recipients \(100%\)\*/);
    const byDay = words({ quiet: 333 }, { start: new Date('2026-11-23T12:00:00Z') });
    assert.doesNotMatch(byDay, /Quiet hours|MTN|anyway/);
    // It takes an hour.
    const evening = words({ quiet: 333 }, { start: new Date('2026-11-23T18:30:00Z') });
    assert.match(evening, /runs into quiet hours, 8:00 PM to 8:00 AM WAT\.\* \*333 of 1,000 recipients/);
    const scheduled = { form: { ...defaultStart, when: 'at' }, start: new Date('2026-11-23T22:00:00Z') };
    assert.match(words({ quiet: 333 }, scheduled), /Schedule anyway/);
  });

  it('shows how many are on Do-Not-Disturb, that it is a sample, and asks for *Send anyway* on Generic', () => {
    const dnd = { checked: 1_000, active: 90, unknown: 100, sample: true };
    const day = { start: new Date('2026-11-23T12:00:00Z') };
    const shown = words({ recipients: 50_000 }, { ...day, dnd });
    assert.match(
      shown,
      /\*90 of 900 recipients \(10%\)\*, picked at random from 50,000, won’t get it on Promotional \(generic\), but you’re still charged\. Transactional \(DND\) reaches them\. Unknown for 100 more\./,
    );
    assert.match(shown, /Send anyway/);
    const none = words({}, { ...day, dnd: { ...dnd, active: 0, sample: false } });
    assert.match(none, /Nobody is on Do-Not-Disturb\.\* Checked: 900 recipients\. Unknown for 100 more\.\n/);
    assert.match(none, /Send to 1,000/);
    const unknown = words({}, { ...day, dnd: { ...dnd, checked: 40, active: 0, unknown: 40 } });
    assert.match(unknown, /Do-Not-Disturb unknown for all 40\./);
    const abroad = words({}, { ...day, dnd: { ...dnd, checked: 0, active: 0, unknown: 0 } });
    assert.match(abroad, /is for Nigerian numbers only/);
  });

  it('shows skipped rows by problem, the most frequent first, each with its remedy', () => {
    const campaign = {
      ...someCampaign,
      text: 'Hello {{first_name}} of {{city|town}}',
      counts: { ...noCounts, invalid: 663 },
      invalidByProblem: {
        ...{ not_a_number: 6, missing_value: 623, no_number: 8, shortened: 16, too_short: 10 },
        'missing_value 0': 623,
      },
    };
    assert.match(
      wordsOf(campaignReviewView(withoutWarnings(reviewOf(campaign, 'Hello')), reviewOptions)),
      /\*663 rows skipped\*: 623 have no first_name: add a fallback like \{\{first_name\|there\}\} · 16 shortened by Excel: format the column as text and export again · 10 too short · 8 without a phone number · 6 not a number\n/,
    );
  });

  it('shows the cost, and warns and asks for *Send anyway* where the balance is short', () => {
    const day = { start: new Date('2026-11-23T12:00:00Z') };
    const cost = {
      kind: 'known' as const,
      perPage: '4.25 NGN',
      prices: [{ country: 'NG', pages: 4_800, perPage: '4.25 NGN', source: { kind: 'reports' as const } }],
      pages: 4_800,
      unknown: [],
      unknownPages: 0,
      total: '20400 NGN',
      balance: { amount: '3153.5 NGN', at: new Date(0) },
      isShort: true,
    };
    const short = words({}, { ...day, cost });
    assert.match(short, /₦20,400[\s\S]*₦3,153\.50/);
    assert.match(short, /Send anyway[\s\S]*Balance too low for everyone/);
    const enough = words({}, { ...day, cost: { ...cost, isShort: false } });
    assert.match(enough, /Send to 1,000/);
    assert.doesNotMatch(enough, /too low|anyway/);
  });

  it('offers nothing to send, fill in or check where nobody is left', () => {
    const view = campaignReviewView(
      reviewOf({ ...someCampaign, counts: { ...noCounts, recipients: 0, suppressed: 1_000 } }, 'Hello'),
      reviewOptions,
    );
    assertSlackAccepts(view);
    assert.equal(view.submit, undefined);
    assert.ok(view.blocks.every(({ type }) => type !== 'input'));
    assert.match(
      wordsOf(view),
      /No recipients left[\s\S]*Skipped: 1,000 on the do-not-contact list[\s\S]*Edit/,
    );
    assert.doesNotMatch(wordsOf(view), /Send|Check/);
  });
});

describe('a campaign’s progress message', () => {
  const words = (changes: Partial<Campaign>) =>
    wordsOf(
      campaignStatusMessage(
        { ...someCampaign, ...changes },
        { messagesPerSecond: 12.34, remainingMs: 90_000 },
      ),
    );

  it('shows the progress, the rate and the remaining time', () => {
    const shown = words({
      inFlight: 100,
      counts: { ...noCounts, accepted: 390, rejected: 8, unconfirmed: 2 },
    });
    assert.match(
      shown,
      /\*Sending:\* 1,000 recipients\n████████░{12} 40% · 390 sent · 8 rejected · 2 unconfirmed\n/,
    );
    assert.match(shown, /about 12 a second[\s\S]*about 2 minutes left/);
    assert.match(shown, /Pause[\s\S]*Cancel campaign/);
    assert.match(
      wordsOf(campaignStatusMessage(someCampaign, { messagesPerSecond: 1_322.66 })),
      / about 1,300 a second/,
    );
  });

  it('shows the balance to its creator, not in a channel', () => {
    assert.match(words({ balance: '24995.75' }), /balance 24,995\.75/);
    assert.doesNotMatch(words({ balance: '24995.75', channelId: 'C0SUPPORT' }), /24,?995/);
  });

  it('shows who paused it, or why the provider refused', () => {
    assert.match(
      words({ state: 'paused', pause: { by: 'person', userId: 'U0ADMIN' } }),
      /Paused by <@U0ADMIN>/,
    );
    const error = { reason: 'balance_too_low' };
    assert.match(
      words({ state: 'paused', pause: { by: 'provider', error } }),
      /\*Paused:\* 1,000 recipients[\s\S]*The balance is too low\.\nTop up the account, then resume\.[\s\S]*Resume/,
    );
  });

  it('offers to leave out the numbers of countries that are not active, and to resume once they are', () => {
    const pause = { by: 'provider', error: { reason: 'country_inactive' } } as const;
    const paused = (countries: Record<string, number>, areLeftOut = false) =>
      words({ state: 'paused', pause: { ...pause, countries, areLeftOut } });
    assert.match(
      paused({ GH: 1_200, KE: 3 }),
      /Ghana and Kenya are not active on the account\.\n1,203 numbers are waiting: skip them and resume\. Or ask the provider to activate the countries, and try again\.[\s\S]*Skip these 1,203 numbers[\s\S]*Try again[\s\S]*Cancel/,
    );
    const left = paused({ GH: 1_200, KE: 3 }, true);
    assert.match(
      left,
      /1,203 numbers were skipped, and count as rejected\. Resume to send to the others\.[\s\S]*Resume/,
    );
    assert.doesNotMatch(left, /Leave out|Try again/);
    assert.match(
      words({ state: 'paused', pause: { ...pause, countries: { GH: 100 }, leftOut: 1_103 } }),
      /1,103 numbers were skipped, and count as rejected\. 100 numbers were in requests that hadn’t finished: skip them and resume\.[\s\S]*Skip these 100 numbers/,
    );
    const nobody = paused({ GH: 0 });
    assert.match(nobody, /Ghana is not active on the account\.\nResume to send to the others\./);
    assert.doesNotMatch(nobody, /Leave out|Try again/);
  });

  it('says what the rest needs while it is sent and the balance is less, and once it is paused for that', () => {
    const counts = { ...noCounts, pages: 2_000, accepted: 600 };
    const estimate = { total: '6800 NGN', perPage: '3.4 NGN', pages: 2_000, unknownPages: 0 };
    const shown = (change: Partial<Campaign>, known: Partial<Charges> = {}) => {
      const campaign = { ...someCampaign, counts, ...change };
      const charges = { estimate, messages: 0, free: 0, ...known };
      return wordsOf(campaignStatusMessage(campaign, throughput, { charges }));
    };
    assert.match(
      shown({ balance: '2719.99' }),
      /too low for the rest\.\* The rest needs about ₦2,720 for 400 recipients at ₦3\.40 a page\./,
    );
    assert.match(
      shown({ balance: '2720' }, { perPage: '3.5 NGN' }),
      /needs about ₦2,800 for 400 recipients at ₦3\.50 a page/,
    );
    for (const words of [
      shown({ balance: '2720' }),
      shown({}),
      shown({ balance: '1', channelId: 'C0SUPPORT' }),
      shown({ balance: '1' }, { estimate: { ...estimate, unknownPages: 1 } }),
    ]) {
      assert.doesNotMatch(words, /rest needs/);
    }
    const pause = { by: 'provider', error: { reason: 'balance_too_low' } } as const;
    const paused = shown({ state: 'paused', pause });
    assert.match(
      paused,
      /too low\.\nThe rest needs about ₦2,720 for 400 recipients at ₦3\.40 a page\.\nTop up/,
    );
  });

  it('shows in the end what became of all as a table, which a modal has not', () => {
    const ended: Campaign = {
      ...someCampaign,
      state: 'done',
      endedAt: new Date(60_000),
      counts: { ...noCounts, accepted: 990, rejected: 10 },
      deliveries: {
        delivered: 900,
        onTheWay: 12,
        failed: [{ reason: 'the number is on Do-Not-Disturb', recipients: 60 }],
        other: [],
        waiting: 18,
      },
    };
    const typesOf = ({ blocks }: { blocks: readonly { type: string }[] }) => blocks.map(({ type }) => type);
    const shown = campaignStatusMessage(ended, throughput);
    const table = shown.blocks.find((block) => block.type === 'data_table');
    const cells = table?.rows.map((row) => row.map((cell) => ('text' in cell ? cell.text : '')).join(' | '));
    assert.deepEqual(cells, [
      'Outcome | Reason | Recipients | Share',
      'Delivered | – | 900 | 90%',
      'Not delivered | the number is on Do-Not-Disturb | 60 | 6%',
      'On the way | – | 12 | 1%',
      'No report yet | – | 18 | 2%',
      'Rejected | – | 10 | 1%',
    ]);
    // The status line says it all.
    const all = { delivered: 1_000, onTheWay: 0, failed: [], other: [], waiting: 0 };
    const whole = { ...ended, counts: { ...noCounts, accepted: 1_000 }, deliveries: all };
    assert.deepEqual(typesOf(campaignStatusMessage(whole, throughput)), ['section', 'context', 'actions']);
    assert.ok(
      !typesOf(campaignStatusMessage({ ...ended, deliveries: undefined }, throughput)).includes('data_table'),
    );
    assert.ok(!typesOf(campaignStatusView(ended, throughput)).some((type) => type.startsWith('data_')));
  });

  it('says why recipients were rejected or are unconfirmed: the three most frequent reasons', () => {
    const rejected = [40, 5, 3, 2].map((recipients) => ({ reason: `Reason ${recipients}.`, recipients }));
    const unconfirmed = [{ reason: 'The provider did not answer in time.', recipients: 7 }];
    const ended: Campaign = {
      ...someCampaign,
      state: 'done',
      endedAt: new Date(60_000),
      counts: { ...noCounts, accepted: 942, rejected: 51, unconfirmed: 7 },
    };
    assert.match(
      wordsOf(
        renderFor(
          'person',
          campaignStatusMessage(ended, throughput, { failures: { rejected, unconfirmed } }),
        ),
      ),
      /\nRejected: 40: Reason 40 · 5: Reason 5 · 3: Reason 3 · 3: other reasons\nUnconfirmed: 7: The provider did not answer in time\n/,
    );
  });

  it('names everybody in the table, also those it was not sent to, and its shares add up to 100%', () => {
    const shown = campaignStatusMessage(
      {
        ...someCampaign,
        state: 'cancelled',
        endedAt: new Date(60_000),
        inFlight: 4,
        counts: { ...noCounts, accepted: 515, rejected: 155, unconfirmed: 1 },
        deliveries: {
          delivered: 255,
          onTheWay: 105,
          failed: [{ reason: 'the phone wasn’t reached in time', recipients: 155 }],
          other: [],
          waiting: 0,
        },
      },
      throughput,
    );
    const table = shown.blocks.find((block) => block.type === 'data_table');
    const rows = table?.rows.slice(1) ?? [];
    assert.deepEqual(
      rows.map((row) => row.map((cell) => ('text' in cell ? cell.text : '')).join(' | ')),
      [
        'Delivered | – | 255 | 26%',
        'Not delivered | the phone wasn’t reached in time | 155 | 15%',
        'On the way | – | 105 | 10%',
        'Being sent | – | 4 | 1%',
        'Rejected | – | 155 | 15%',
        'Unconfirmed | – | 1 | 1%',
        'Not sent | – | 325 | 32%',
      ],
    );
  });

  it('ends as a summary, with one button and a menu, and files of the outcomes that occurred', () => {
    const endedAt = new Date(60_000);
    const clean = words({ state: 'done', endedAt, counts: { ...noCounts, accepted: 1_000 } });
    assert.match(clean, / · all sent\n[\s\S]*\nFollow up…\nDownload…\nDuplicate$/);
    assert.doesNotMatch(clean, /rejected|unconfirmed|not sent|Pause|░/);
    const ended: Partial<Campaign> = {
      state: 'cancelled',
      endedAt,
      lastActionBy: 'U0ADMIN',
      counts: { ...noCounts, accepted: 700, rejected: 50, unconfirmed: 20, invalid: 4 },
    };
    const mixed = words(ended);
    assert.match(mixed, /Cancelled by <@U0ADMIN>/);
    assert.match(mixed, / · 700 sent · 50 rejected · 20 unconfirmed · 230 not sent\n/);
    assert.match(
      wordsOf(downloadView({ ...someCampaign, ...ended })),
      /All results · 1,000\n[\s\S]*Not sent · 230\n[\s\S]*Rejected by the provider, with the reason · 50\n[\s\S]*Unconfirmed · 20\n[\s\S]*Skipped rows, with the reason · 4\n/,
    );
    assert.match(mixed, /may or may not have got the message[\s\S]*Skipped: 4 invalid/);
  });

  it('counts whom it skipped', () => {
    const counts = { ...noCounts, duplicates: 1, suppressed: 2, acceptedBefore: 3 };
    assert.match(
      words({ state: 'done', endedAt: new Date(0), counts }),
      /Skipped: 1 duplicate · 2 on the do-not-contact list · 3 already sent to/,
    );
  });

  it('explains what was charged by what is not sent, and was removed since the estimate', () => {
    const counts = { ...noCounts, accepted: 600, rejected: 50, unconfirmed: 20 };
    const charges: Charges = { ...someCharges, messages: 600, free: 0, perPage: '4.25 NGN' };
    const gap = (changes: Partial<Campaign>, estimate: Partial<Charges['estimate']> = {}) => {
      const estimated = { total: '4250 NGN', perPage: '4.25 NGN', pages: 990, unknownPages: 10, ...estimate };
      const campaign = { ...someCampaign, counts, ...changes };
      const [line = ''] =
        /rejected.*not charged.*/.exec(
          wordsOf(campaignStatusView(campaign, throughput, { charges: { ...charges, estimate: estimated } })),
        ) ?? [];
      return line;
    };
    const unconfirmed = 'unconfirmed: cost unknown';
    assert.equal(gap({ state: 'paused' }), `rejected: not charged · ${unconfirmed}`);
    const over = { state: 'cancelled', endedAt: new Date(60_000) } as const;
    const notSent = 'rejected and not sent: not charged';
    assert.equal(gap(over), `${notSent} · ${unconfirmed}`);
    assert.equal(
      gap(over, { pages: 993 }),
      `${notSent} · 3 pages fewer than estimated: recipients were removed · ${unconfirmed}`,
    );
  });

  it('says why nobody is left of its recipients', () => {
    const emptied = (removed: Partial<Campaign['counts']>) =>
      words({ state: 'cancelled', counts: { ...noCounts, recipients: 0, ...removed } });
    const listed = 'are on the do-not-contact list';
    const accepted = 'were already sent to';
    const says = (removed: Partial<Campaign['counts']>, why: string) =>
      assert.ok(emptied(removed).includes(`no recipients left.* All of them ${why}. Nothing was sent.`), why);
    says({ suppressed: 1 }, listed);
    says({ acceptedBefore: 1 }, accepted);
    says({ suppressed: 1, acceptedBefore: 1 }, `${listed} or ${accepted}`);
  });

  it('shows when it continues if the provider makes it wait', () => {
    const shown = wordsOf(campaignStatusMessage(someCampaign, throughput));
    assert.match(shown, /Waiting until <!date[^>]+>\.\* The provider received too many requests\./);
  });

  it('explains unconfirmed recipients if the provider’s refusal paused it', () => {
    const counts = { ...noCounts, unconfirmed: 100 };
    const error = { reason: 'balance_too_low' };
    const told = words({ state: 'paused', pause: { by: 'provider', error }, counts });
    assert.match(
      told,
      /Top up the account, then resume\.[\s\S]*\*Unconfirmed\* recipients may or may not[\s\S]*won’t resend/,
    );
    assert.doesNotMatch(
      words({ state: 'paused', pause: { by: 'person', userId: 'U0' }, counts }),
      /may or may not/,
    );
  });

  it('uses the singular for one unconfirmed recipient', () => {
    const endedAt = new Date(60_000);
    const told = (unconfirmed: number) =>
      words({ state: 'done', endedAt, counts: { ...noCounts, unconfirmed } });
    assert.match(told(1), /The \*unconfirmed\* recipient[\s\S]* Before you do, check with the recipient or/);
    assert.match(told(2), /\*Unconfirmed\* recipients[\s\S]* Before you do, check with some of them or/);
  });

  it('shows what can be done with one that missed its start', () => {
    const startAt = new Date(0);
    const { startedAt, ...never } = someCampaign;
    assert.ok(startedAt);
    const missed = campaignStatusMessage(
      { ...never, state: 'missed', startAt, latestStart: new Date(1), endedAt: new Date(2) },
      throughput,
    );
    assert.match(
      wordsOf(missed),
      /\*Missed:\* 1,000 recipients\. Nothing was sent\.[\s\S]*Scheduled for[\s\S]*latest start[\s\S]*Start now\nSchedule again\nEdit\nDiscard/,
    );
  });
});

describe('an error of the form', () => {
  it('is shown at the field of the chosen source', () => {
    for (const [source, blockId] of [
      ['file', 'file'],
      ['pasted', 'pasted'],
      ['phonebook', 'phonebook'],
    ] as const) {
      const form = { source, pasted: '', route: 'dnd', text: '' };
      assert.deepEqual(campaignFormErrors({ recipients: 'a', senderId: 'b' }, form), {
        [blockId]: 'a',
        senderId: 'b',
      });
    }
  });
});
