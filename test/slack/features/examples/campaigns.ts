import fc from 'fast-check';
import { audienceParts } from '../../../../src/domain/campaigns/audience.ts';
import { filteredWords } from '../../../../src/domain/deliveries/delivery-rules.ts';
import { countries } from '../../../../src/domain/phone/countries.ts';
import { phoneNumberSchema } from '../../../../src/domain/phone/phone-number.ts';
import type { CampaignReview } from '../../../../src/services/campaigns/preflight/preflight.ts';
import type { Charges, CostEstimate } from '../../../../src/services/costs/estimate.ts';
import { campaignListView } from '../../../../src/slack/features/campaigns/campaigns.ts';
import {
  campaignFormView,
  importingRecipientsView,
} from '../../../../src/slack/features/campaigns/form/form-view.ts';
import { interruptedImportMessage } from '../../../../src/slack/features/campaigns/import.ts';
import {
  campaignStatusMessage,
  missedRunsMessage,
  unscheduledMessage,
} from '../../../../src/slack/features/campaigns/progress/campaign-messages.ts';
import {
  campaignReviewView,
  importedMessage,
  optedOutView,
} from '../../../../src/slack/features/campaigns/review/review-view.ts';
import { partsView, wholeView } from '../../../../src/slack/features/campaigns/review/split.ts';
import { defaultStart } from '../../../../src/slack/features/campaigns/review/start-form.ts';
import { downloadView } from '../../../../src/slack/features/campaigns/status/download-view.ts';
import { campaignStatusView } from '../../../../src/slack/features/campaigns/status/status-view.ts';
import type { Campaign, CampaignState } from '../../../../src/store/campaigns/campaigns.ts';
import { reviewsOf } from '../../../support/slack/example-reviews.ts';
import { amount, cut, drawn, type Examples, type Words } from '../../../support/slack/example-words.ts';

const states: CampaignState[] = [
  'reading',
  'ready',
  'scheduled',
  'repeating',
  'running',
  'paused',
  'done',
  'cancelled',
  'missed',
];

export const noCounts = {
  recipients: 1_000,
  duplicates: 0,
  suppressed: 0,
  acceptedBefore: 0,
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

const unknownCost: CostEstimate = { kind: 'unknown', unknown: [] };

/** Their maximum length. */
const someVersion = [...Array.from({ length: 4 }, () => 'v'.repeat(22)), 1e13, 1e13].join('.');

export const someCampaign: Campaign = {
  workspaceId: 'T0',
  id: 'campaign',
  sequence: 1,
  version: someVersion,
  listSize: 0,
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

export const throughput = {
  messagesPerSecond: 123.4,
  remainingMs: 600_000,
  waitsUntil: new Date(0),
  lastProblem: { reason: 'rate_limited' },
};

export const someCharges: Charges = {
  estimate: { total: '20400 NGN', perPage: '4.25 NGN', pages: 4_800, unknownPages: 12 },
  total: '19312.5 NGN',
  messages: 4_700,
  free: 12,
  perPage: '4.12 NGN',
};

export const reviewOptions = {
  metadata: {
    id: 'campaign',
    version: someVersion,
    seen: { quietHours: true as const, sender: 'active' as const },
    origin: 'C0SUPPORT',
    morning: new Date(0).toISOString(),
  },
  form: defaultStart,
  start: new Date(0),
  isTimeRead: false,
  now: new Date(0),
  zone: 'Europe/London',
  replaceable: false,
  isAccented: false,
  plainCells: false,
};

export function reviewOf(campaign: Campaign, text: string): CampaignReview {
  return {
    campaign,
    examples: [1, 2, 3].map(() => ({ to: '+234803•••4567', text, pages: 3 })),
    warnings: [
      { kind: 'code_on_generic' },
      { kind: 'special_characters', characters: [...text].slice(0, 500), pages: 43, pagesWithout: 19 },
    ],
    delivery: {
      route: 'generic',
      senderId: text.slice(0, 11),
      text: `${text} ${[...filteredWords].join(' ')}`,
      recipients: { count: 10, quiet: 4, networks: ['9mobile', 'Airtel', 'Glo', 'MTN'] },
      landlines: { count: 900, of: 1_000 },
      activeSenderIds: [],
      off: [],
    },
    durationMs: 3_600_000,
    quietUntil: new Date(0),
  };
}

export const campaigns: Examples = (words) => {
  const { any, typed, name } = words;
  const campaign = campaignOf(words);
  const dnd = { checked: 1_000, active: 81, unknown: 3, sample: true };
  const review = fc.tuple(campaign, typed).map(([shown, text]) => reviewOf(shown, text || 'Hello'));
  const shownCharges = { charges: someCharges, canAsk: true };
  const route = fc.constantFrom('generic', 'dnd', 'chatapp', 'voice', undefined);
  const source = fc.constantFrom(
    'file' as const,
    'pasted' as const,
    'phonebook' as const,
    'campaign' as const,
  );
  const part = fc.constantFrom(...audienceParts);
  return {
    campaignFormView: drawn({ source, part, route, text: typed, name, isWhole: fc.boolean() }, (given) => {
      const { text, name, isWhole, part, ...chosen } = given;
      const audience = { campaign: isWhole ? 'campaign' : undefined, part, word: text };
      const form = { ...chosen, audience, pasted: text, senderId: 'Palm', device: name, text, name };
      const longest = { ...someCampaign, name, counts: { ...noCounts, recipients: 1_000_000 } };
      const phonebooks = Array.from({ length: isWhole ? 100 : 0 }, (_, index) => ({ id: `p${index}`, name }));
      const more = { origin: 'C0SUPPORT', earlier: name, replaced: 3, offersPlainCells: true };
      return campaignFormView(form, isWhole ? { id: 'i', ...more } : { id: 'i' }, {
        phonebooks,
        campaigns: Array.from({ length: isWhole ? 100 : 1 }, (_, index) => ({ ...longest, id: `c${index}` })),
        zone: 'Europe/London',
        unicode: !isWhole,
        optOutAddress: isWhole ? 'sms.acme.example' : undefined,
        hasTemplates: isWhole,
      });
    }),
    importingRecipientsView: fc.constantFrom(0, 999_999).map(importingRecipientsView),
    interruptedImportMessage: fc.oneof(name, fc.constant('')).map(interruptedImportMessage),
    campaignReviewView: drawn(
      {
        review,
        readingReview: reviewsOf(any),
        when: fc.constantFrom('now' as const, 'at' as const, 'morning' as const, 'repeat' as const),
      },
      ({ review, readingReview, when }) => {
        const start = {
          when,
          date: '2026-11-23',
          time: '09:30',
          until: '2026-12-23',
          inChannel: true,
          channelId: 'C0',
        };
        return campaignReviewView(review, {
          ...reviewOptions,
          form: { ...defaultStart, ...start },
          dnd,
          readingReview,
        });
      },
    ),
    optedOutView: fc.integer({ min: 1, max: 100 }).map((count) =>
      optedOutView(
        Array.from({ length: count }, () => phoneNumberSchema.parse('+2348031234567')),
        { id: 'id', version: 'version', seen: {} },
      ),
    ),
    wholeView: fc.nat({ max: 3 }).map((unknown) => wholeView('id', unknown, 'value')),
    partsView: fc.tuple(campaign, campaign).map((parts) => partsView(parts, [unknownCost, unknownCost], 3)),
    importedMessage: campaign.map(importedMessage),
    campaignStatusMessage: campaign.map((shown) => campaignStatusMessage(shown, throughput, shownCharges)),
    downloadView: campaign.map(downloadView),
    campaignStatusView: campaign.map((shown) => campaignStatusView(shown, throughput, shownCharges)),
    unscheduledMessage: campaign.map(unscheduledMessage),
    missedRunsMessage: drawn(
      { campaign, runs: fc.array(campaign, { minLength: 1, maxLength: 40 }), isNext: fc.boolean() },
      ({ campaign, runs, isNext }) =>
        missedRunsMessage(
          campaign,
          runs.map((run) => ({ ...run, occurrence: { of: 1, at: new Date(0) } })),
          { next: isNext ? new Date(60_000) : undefined, now: new Date(0), commandPrefix: 'acme-' },
        ),
    ),
    campaignListView: drawn(
      { all: fc.array(campaign, { maxLength: 35 }), isAdmin: fc.boolean(), hasCampaigns: fc.boolean() },
      ({ all, ...who }) => {
        const some = all.slice(0, 25);
        const listed = { scheduled: some, active: some, drafts: all.slice(0, 15), over: all.slice(25) };
        return campaignListView(listed, who, new Set());
      },
    ),
  };
};

const someRepeat = {
  every: 'month',
  from: '2026-11-23',
  until: '2027-11-23',
  time: '09:30',
  plainCells: false,
} as const;

/** A request has a hundred recipients. */
const everyCountry = Object.fromEntries(countries.slice(0, 100).map(({ code }) => [code, 300_000]));

/** A campaign in every state, with its outcomes. */
function campaignOf({ any, name }: Words): fc.Arbitrary<Campaign> {
  const sent = fc.integer({ min: 0, max: 300_000 });
  const counts = fc.record({
    recipients: fc.constant(1_000_000),
    duplicates: amount,
    suppressed: amount,
    acceptedBefore: amount,
    invalid: amount,
    pages: amount,
    fewestPages: amount,
    mostPages: amount,
    quiet: amount,
    accepted: sent,
    rejected: sent,
    unconfirmed: sent,
    chunks: amount,
  });
  const failed = fc.record({ reason: fc.option(any, { nil: undefined }), recipients: amount });
  const deliveries = fc.record({
    delivered: amount,
    onTheWay: amount,
    failed: fc.array(failed, { maxLength: 30 }),
    other: fc.array(fc.record({ words: fc.option(any, { nil: undefined }), recipients: amount }), {
      maxLength: 21,
    }),
    waiting: amount,
  });
  return fc
    .record({
      name,
      senderId: name,
      said: any,
      state: fc.constantFrom(...states),
      by: fc.constantFrom('person' as const, 'provider' as const, 'program' as const),
      since: fc.constantFrom(
        {},
        { countries: everyCountry },
        { countries: { GH: 1 }, areLeftOut: true },
        { isEdited: true },
      ),
      route: fc.constantFrom('generic', 'dnd', 'chatapp', 'voice'),
      counts,
      inFlight: fc.integer({ min: 0, max: 6_400 }),
      isOver: fc.boolean(),
      repeat: fc.option(fc.constant(someRepeat), { nil: undefined }),
      deliveries: fc.option(deliveries, { nil: undefined }),
    })
    .map(({ said, by, since, isOver, ...rest }) => ({
      ...someCampaign,
      ...rest,
      pause: { by, userId: 'U0ADMIN', error: { reason: 'refused', message: said }, ...since },
      lastActionBy: 'U0ADMIN',
      balance: cut(said, 30),
      startAt: new Date(0),
      latestStart: new Date(60_000),
      startedAt: rest.state === 'missed' ? undefined : new Date(600_000),
      ...(isOver ? { endedAt: new Date(1_200_000) } : {}),
    }));
}
