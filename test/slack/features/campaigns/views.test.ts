import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { checkMessage } from '../../../../sandbox/slack/block-kit/surfaces.ts';
import type { Preview } from '../../../../src/services/campaigns/preflight/preview.ts';
import { campaignListView } from '../../../../src/slack/features/campaigns/campaign-list.ts';
import {
  campaignFormErrors,
  campaignFormView,
  importingRecipientsView,
} from '../../../../src/slack/features/campaigns/form/form-view.ts';
import {
  dndCheckingView,
  dndSummaryView,
  testFormView,
  testOutcomeView,
} from '../../../../src/slack/features/campaigns/preview/preflight-views.ts';
import {
  campaignPreviewView,
  importedMessage,
  startedView,
} from '../../../../src/slack/features/campaigns/preview/preview-view.ts';
import { defaultStart } from '../../../../src/slack/features/campaigns/preview/start-inputs.ts';
import {
  campaignStatusMessage,
  campaignStatusView,
} from '../../../../src/slack/features/campaigns/status/status-view.ts';
import type { Campaign, CampaignState } from '../../../../src/store/campaigns/campaigns.ts';
import { anyText } from '../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';
import { wordsOf } from '../../../support/slack/slack-user.ts';

const typed = anyText.map((text) => text.slice(0, 3000).toWellFormed());
const name = anyText.map((text) => text.slice(0, 75).toWellFormed());
const count = fc.integer({ min: 0, max: 1_000_000 });
const states: CampaignState[] = [
  'reading',
  'ready',
  'scheduled',
  'running',
  'paused',
  'done',
  'cancelled',
  'missed',
];

const noCounts = {
  recipients: 1_000,
  duplicates: 0,
  suppressed: 0,
  invalid: 0,
  pages: 1_000,
  fewestPages: 1,
  mostPages: 1,
  quiet: 0,
  accepted: 0,
  rejected: 0,
  unconfirmed: 0,
  chunks: 10,
};

const someCampaign: Campaign = {
  workspaceId: 'T0',
  id: 'campaign',
  createdBy: 'U0AGENT',
  name: 'March offers',
  route: 'generic',
  senderId: 'PalmMarket',
  personal: false,
  text: 'Hello',
  state: 'running',
  counts: noCounts,
  inFlight: 0,
  createdAt: new Date(0),
  startedAt: new Date(0),
};

const campaign: fc.Arbitrary<Campaign> = fc
  .record({
    name,
    senderId: name,
    said: typed,
    state: fc.constantFrom(...states),
    by: fc.constantFrom('person' as const, 'provider' as const, 'program' as const),
    route: fc.constantFrom('generic', 'dnd', 'chatapp', 'voice'),
    counts: fc.record({
      recipients: fc.constant(1_000_000),
      duplicates: count,
      suppressed: count,
      invalid: count,
      pages: count,
      fewestPages: count,
      mostPages: count,
      quiet: count,
      accepted: fc.integer({ min: 0, max: 300_000 }),
      rejected: fc.integer({ min: 0, max: 300_000 }),
      unconfirmed: fc.integer({ min: 0, max: 300_000 }),
      chunks: count,
    }),
    inFlight: fc.integer({ min: 0, max: 6_400 }),
    times: fc.boolean(),
  })
  .map(({ said, by, times, ...rest }) => ({
    ...someCampaign,
    ...rest,
    pause: { by, userId: 'U0ADMIN', error: { reason: 'refused', message: said } },
    lastActionBy: 'U0ADMIN',
    balance: said.slice(0, 30),
    startAt: new Date(0),
    latestStart: new Date(60_000),
    startedAt: new Date(600_000),
    ...(times ? { endedAt: new Date(1_200_000) } : {}),
  }));

const pace = {
  messagesPerSecond: 123.4,
  remainingMs: 600_000,
  waitsUntil: new Date(0),
  lastProblem: { reason: 'rate_limited' },
};

function previewOf(campaign: Campaign, text: string): Preview {
  return {
    campaign,
    examples: [1, 2, 3].map(() => ({ to: '+234803•••4567', text, pages: 3 })),
    warnings: [
      { kind: 'code_on_generic' },
      { kind: 'special_characters', characters: [...text].slice(0, 500), pages: 43, pagesWithout: 19 },
    ],
    durationMs: 3_600_000,
    quietUntil: new Date(0),
  };
}

const metadata = { id: 'campaign', origin: 'C0SUPPORT', morning: new Date(0).toISOString() };
const options = { metadata, form: defaultStart, zone: 'Europe/London', editable: true };

function taken(view: ModalView): void {
  assertSlackAccepts(view);
  mentionsNobody(view);
}

/** Only markup can mention somebody: Slack shows plain text and typed input as they are. */
function mentionsNobody(content: object): void {
  const markup = [...JSON.stringify(content).matchAll(/"type":"mrkdwn","text":"((?:[^"\\]|\\.)*)"/g)];
  for (const [, text = ''] of markup) {
    assert.doesNotMatch(text, /<!channel>|did not fit/);
  }
}

describe('Slack accepts the views of campaigns', () => {
  it('the form, with any input, for each source and every route', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('file' as const, 'pasted' as const, 'phonebook' as const),
        fc.constantFrom('generic', 'dnd', 'chatapp', 'voice', undefined),
        typed,
        name,
        (source, route, text, short) => {
          const phonebooks = Array.from({ length: 100 }, (_, index) => ({ id: `p${index}`, name: 'One' }));
          const form = { source, pasted: text, route, senderId: 'Palm', device: short, text, name: short };
          taken(campaignFormView(form, { id: 'i', origin: 'C0SUPPORT', earlier: short }, phonebooks));
          taken(campaignFormView(form, { id: 'i' }, []));
        },
      ),
    );
    taken(importingRecipientsView(0));
    taken(importingRecipientsView(999_999));
  });

  it('the preview, with any texts and any names of columns', () => {
    fc.assert(
      fc.property(
        campaign,
        typed.filter((text) => text.trim() !== ''),
        fc.array(anyText, { minLength: 1, maxLength: 300 }),
        fc.constantFrom('now' as const, 'at' as const, 'morning' as const),
        (shown, text, titles, when) => {
          const preview = previewOf(shown, text);
          const dnd = { kind: 'checked' as const, checked: 1_000, active: 81, unknown: 3, sample: true };
          taken(
            campaignPreviewView(preview, {
              ...options,
              form: {
                ...defaultStart,
                when,
                date: '2026-11-23',
                time: '09:30',
                inChannel: true,
                channelId: 'C0',
              },
              start: new Date(0),
              dnd,
              columns: { titles, chosen: titles.length - 1 },
            }),
          );
          taken(dndSummaryView(dnd, preview));
          assert.equal(checkMessage(importedMessage(preview)), undefined);
        },
      ),
      { numRuns: 50 },
    );
    taken(dndCheckingView(10, 1_000));
    taken(testFormView({ id: 'i', key: 'k' }));
    taken(startedView(undefined, undefined));
    taken(startedView('Mon, 23 Nov 2026, 08:00 WAT', 'C0SUPPORT'));
  });

  it('the progress and the summary, in every state, and the list of many', () => {
    fc.assert(
      fc.property(campaign, (shown) => {
        const message = campaignStatusMessage(shown, pace);
        assert.equal(checkMessage(message), undefined);
        mentionsNobody(message);
        taken(campaignStatusView(shown, pace));
      }),
    );
    fc.assert(
      fc.property(fc.array(campaign, { minLength: 40, maxLength: 40 }), fc.boolean(), (all, everyones) => {
        taken(campaignListView({ open: all.slice(0, 30), over: all.slice(30) }, { everyones }));
      }),
      { numRuns: 20 },
    );
    taken(campaignListView({ open: [], over: [] }, { everyones: false }));
  });

  it('the outcome of a test, in every state', () => {
    for (const state of ['underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed'] as const) {
      const operation = {
        id: 'o',
        key: 'k',
        workspaceId: 'T0',
        kind: 'campaign.test',
        userId: 'U0AGENT',
        summary: { campaign: '<!channel>', route: 'generic', to: '+234803•••4567' },
        state,
        createdAt: new Date(0),
        error: { reason: 'refused', message: 'The provider said no.' },
      };
      taken(testOutcomeView(operation));
    }
  });
});

describe('a campaign’s preview', () => {
  const words = (changes: Partial<Campaign['counts']>, more: object = {}) =>
    wordsOf(
      campaignPreviewView(
        { ...previewOf({ ...someCampaign, counts: { ...noCounts, ...changes } }, 'Hello'), warnings: [] },
        { ...options, ...more },
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
      invalid: 5,
    });
    assert.match(shown, /\*12,345 recipients, 24,690 pages\* \(1 to 3 pages each\)/);
    assert.match(shown, /12 repeated[\s\S]*3 on the do-not-contact list[\s\S]*5 rows cannot be used/);
    assert.match(shown, /Start \(12,345\)/);
    assert.match(shown, /Get the invalid rows/);
    assert.doesNotMatch(words({}), /repeated|do-not-contact|cannot be used|invalid/);
  });

  it('shows the share in quiet hours, the share on Do-Not-Disturb, and that it is a sample', () => {
    assert.match(words({ quiet: 333 }), /Quiet hours\.\* \*333 of 1,000 recipients \(33%\)\*/);
    assert.match(words({ quiet: 333 }), /At 08:00 WAT/);
    // Some recipients were removed since the import.
    assert.match(words({ quiet: 333, recipients: 200 }), /\*200 of 200 recipients \(100%\)\*/);
    assert.doesNotMatch(words({ quiet: 333, recipients: 0 }), /MTN/);
    const byDay = words({ quiet: 333 }, { start: new Date('2026-11-23T12:00:00Z') });
    assert.match(byDay, /333 of 1,000[\s\S]*from 20:00 to 08:00/);
    assert.doesNotMatch(byDay, /Quiet hours/);
    assert.match(words({ quiet: 333 }, { start: new Date('2026-11-23T22:00:00Z') }), /Quiet hours/);
    const dnd = { kind: 'checked', checked: 1_000, active: 90, unknown: 100, sample: true };
    assert.match(
      words({ recipients: 50_000 }, { dnd }),
      /on for \*90 \(10%\)\* of 900 of 50,000 recipients, picked at random[\s\S]*Of 100 more the provider could not say/,
    );
  });

  it('shows a start in both zones', () => {
    const shown = words(
      {},
      { form: { ...defaultStart, when: 'at' }, start: new Date('2026-07-06T07:00:00Z') },
    );
    assert.match(shown, /Mon, 6 Jul(?:y)? 2026, 08:00 London time · Mon, 6 Jul(?:y)? 2026, 08:00 WAT/);
    assert.match(shown, /Schedule \(1,000\)/);
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
    assert.match(shown, /\*Sending:\* 500 of 1,000 recipients/);
    assert.match(shown, /████████░{12} 40%/);
    assert.match(shown, /12\.3 a second[\s\S]*about 2 minutes left/);
    assert.match(shown, /Pause[\s\S]*Cancel/);
    assert.match(
      wordsOf(campaignStatusMessage(someCampaign, { messagesPerSecond: 1_322.66 })),
      / 1,323 a second/,
    );
  });

  it('shows the balance to its creator, not in a channel', () => {
    assert.match(words({ balance: '24995.75' }), /balance 24995\.75/);
    assert.doesNotMatch(words({ balance: '24995.75', channelId: 'C0SUPPORT' }), /24995/);
  });

  it('shows who paused it, or why the provider refused', () => {
    assert.match(
      words({ state: 'paused', pause: { by: 'person', userId: 'U0ADMIN' } }),
      /Paused by <@U0ADMIN>/,
    );
    const error = { reason: 'balance_too_low' };
    assert.match(
      words({ state: 'paused', pause: { by: 'provider', error } }),
      /\*Paused\.\* The balance is too low\.\n1,000 recipients not sent yet\.\nTop up the account, then resume\.[\s\S]*Resume/,
    );
  });

  it('ends as a summary, with files of the outcomes that occurred, and buttons to send again', () => {
    const endedAt = new Date(60_000);
    const clean = words({ state: 'done', endedAt, counts: { ...noCounts, accepted: 1_000 } });
    assert.doesNotMatch(clean, /Rejected \(|Unconfirmed \(|Invalid|Not sent|Retry|Pause/);
    const mixed = words({
      state: 'cancelled',
      endedAt,
      lastActionBy: 'U0ADMIN',
      counts: { ...noCounts, accepted: 700, rejected: 50, unconfirmed: 20, invalid: 4 },
    });
    assert.match(mixed, /Cancelled by <@U0ADMIN>/);
    assert.match(
      mixed,
      /Rejected \(50\)\nUnconfirmed \(20\)\nNot sent \(230\)\nInvalid \(4\)\nRetry the rejected\nSend to the unconfirmed again/,
    );
    assert.match(mixed, /may or may not have got it[\s\S]*Left out before it went: 4 invalid/);
  });

  it('does not claim that suppressed recipients were left out before the start', () => {
    const counts = { ...noCounts, duplicates: 1, suppressed: 2 };
    assert.match(
      words({ state: 'done', endedAt: new Date(0), counts }),
      /Left out: 1 repeated · 2 on the do-not-contact list/,
    );
  });

  it('shows when it continues if the provider makes it wait', () => {
    const shown = wordsOf(campaignStatusMessage(someCampaign, pace));
    assert.match(shown, /Waiting until <!date[^>]+>\.\* The provider got too many requests\./);
  });

  it('explains unconfirmed recipients if the provider’s refusal paused it', () => {
    const counts = { ...noCounts, unconfirmed: 100 };
    const error = { reason: 'balance_too_low' };
    const told = words({ state: 'paused', pause: { by: 'provider', error }, counts });
    assert.match(
      told,
      /Top up the account, then resume\.[\s\S]*100 recipients unconfirmed:[\s\S]*never sends it again/,
    );
    assert.doesNotMatch(
      words({ state: 'paused', pause: { by: 'person', userId: 'U0' }, counts }),
      /unconfirmed:/,
    );
  });

  it('uses the singular for one unconfirmed recipient', () => {
    const endedAt = new Date(60_000);
    const told = (unconfirmed: number) =>
      words({ state: 'done', endedAt, counts: { ...noCounts, unconfirmed } });
    assert.match(told(1), /1 recipient unconfirmed:[\s\S]* Ask them, or look/);
    assert.match(told(2), /2 recipients unconfirmed:[\s\S]* Ask some of them, or look/);
  });

  it('shows a late start, and a missed one', () => {
    const startAt = new Date(0);
    assert.match(words({ startAt, startedAt: new Date(1_500_000) }), /started 25 minutes late/);
    const { startedAt, ...never } = someCampaign;
    assert.ok(startedAt);
    const missed = campaignStatusMessage(
      { ...never, state: 'missed', startAt, latestStart: new Date(1), endedAt: new Date(2) },
      pace,
    );
    assert.match(wordsOf(missed), /nothing was sent[\s\S]*could not start at its time/);
  });
});

describe('an error of the form', () => {
  it('is shown at the field of the chosen source', () => {
    for (const [source, blockId] of [
      ['file', 'file'],
      ['pasted', 'recipients'],
      ['phonebook', 'phonebook'],
    ] as const) {
      const form = { source, pasted: '', route: 'dnd', text: '' };
      assert.deepEqual(campaignFormErrors({ recipients: 'a', senderId: 'b' }, form), {
        [blockId]: 'a',
        sender_id: 'b',
      });
    }
  });
});
