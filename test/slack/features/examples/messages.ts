import fc from 'fast-check';
import { checkDelivery } from '../../../../src/domain/deliveries/delivery-check.ts';
import { filteredWords } from '../../../../src/domain/deliveries/delivery-rules.ts';
import type { PhoneNumber } from '../../../../src/domain/phone/phone-number.ts';
import { providerError } from '../../../../src/provider/response/error-messages.ts';
import type { CostEstimate } from '../../../../src/services/costs/estimate.ts';
import {
  messageOutcomeView,
  sendingMessage,
  sendingView,
} from '../../../../src/slack/features/messages/outcome-view.ts';
import { faultsMessage, reviewMessage, reviewView } from '../../../../src/slack/features/messages/review.ts';
import {
  nothingToVerifyView,
  unansweredView,
  verificationView,
} from '../../../../src/slack/features/otp/verify.ts';
import {
  at,
  drawn,
  type Examples,
  fixed,
  operationsOf,
  someNumbers,
} from '../../../support/slack/example-words.ts';

/** `/sms`: a review has up to 100 recipients, and every warning. */
export const messages: Examples = (words) => {
  const { typed, name } = words;
  const sent = operationsOf(words, 'sms.send');
  const review = fc
    .record({ recipients: someNumbers, text: typed.filter((text) => text.trim() !== ''), senderId: name })
    .map(reviewOf);
  return {
    reviewView: review.map((shown) => reviewView(shown, { origin: 'C0SUPPORT' }, { duplicates: 12 })),
    reviewMessage: review.map((shown) =>
      reviewMessage(shown, 'C0SUPPORT', { duplicates: 12, changes: ['nobody_left', 'quiet_hours'] }),
    ),
    faultsMessage: drawn({ review, fault: typed }, ({ review: { draft }, fault }) =>
      faultsMessage([fault, `And: ${fault}`], draft, {
        origin: 'C0SUPPORT',
        commandPrefix: 'acme-',
        fixes: { plainText: true, accents: true },
      }),
    ),
    messageOutcomeView: sent.map((operation) =>
      messageOutcomeView({ operation, reader: 'user', deliveries: [] }),
    ),
    ...fixed({ sendingView, sendingMessage }),
  };
};

interface Reviewed {
  recipients: PhoneNumber[];
  text: string;
  senderId: string;
}

function reviewOf({ recipients, text, senderId }: Reviewed) {
  const pages = [...Array(240).keys()];
  return {
    draft: {
      id: 'draft',
      version: 1,
      createdBy: 'U0AGENT',
      content: {
        recipients,
        leftOut: recipients.map((number) => ({ text: String(number), reason: text.slice(0, 60) })),
        senderId,
        route: 'generic' as const,
        text,
        channelId: 'C0SUPPORT',
      },
    },
    cost: {
      kind: 'known',
      perPage: text,
      prices: pages.map((pages) => ({
        country: 'NG',
        pages,
        perPage: text,
        source: { kind: 'entered', at: new Date(pages * 86_400_000) },
      })),
      pages: 4_300,
      unknown: pages.map((pages) => ({ country: 'GH', pages })),
      unknownPages: 4_300,
      total: text,
      enoughFor: 3,
      isShort: true,
    } satisfies CostEstimate,
    budgets: [{ window: 'day' as const, limit: 1_000, used: 900, ends: at }],
    limit: undefined,
    pagesEach: 43,
    pages: 4_300,
    warnings: [
      { kind: 'do_not_contact' as const, recipients },
      { kind: 'quiet_hours' as const, recipients, endsAt: at },
      { kind: 'dnd_on_generic' as const, recipients },
      { kind: 'dnd_unknown' as const, recipients },
      { kind: 'code_on_generic' as const },
      { kind: 'special_characters' as const, characters: [...text], pages: 43, pagesWithout: 19 },
    ],
    delivery: checkDelivery(
      {
        route: 'generic',
        senderId: 'Palm24',
        text: `https://a.example reply STOP ${[...filteredWords].join(' ')}`,
        recipients: { count: 100, quiet: 0, networks: ['9mobile', 'Airtel', 'Glo', 'MTN'] },
        landlines: { count: 90, of: 100 },
        activeSenderIds: [],
        off: [],
      },
      { start: new Date('2026-03-14T23:00:00Z') },
    ),
    listed: [...recipients.keys()],
    seen: { quietHours: true as const, sender: 'active' as const },
  };
}

/** `/otp`, in every way. */
export const codes: Examples = (words) => {
  const { any } = words;
  return {
    nothingToVerifyView: fc.boolean().map((isOn) => nothingToVerifyView(isOn, '')),
    verificationView: drawn(
      {
        kind: fc.constantFrom('match', 'expired', 'used_up', 'used', 'gone', 'restored'),
        operation: fc.option(operationsOf(words, 'otp.sms'), { nil: undefined }),
      },
      ({ kind, operation }) =>
        verificationView({ kind }, 'key', operation && { operation, number: undefined }),
    ),
    unansweredView: drawn(
      { kind: fc.constantFrom('unanswered', 'unconfirmed'), left: fc.constantFrom(0, 1, 2), said: any },
      ({ said, ...rest }) => {
        const failed = { operation: 'tokens.verify', reason: 'server_error', providerMessage: said } as const;
        return unansweredView({ ...rest, error: providerError('unconfirmed', failed) }, 'key');
      },
    ),
  };
};
