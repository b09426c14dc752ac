import fc from 'fast-check';
import type { RouteAdvice } from '../../../../src/domain/messages/routes.ts';
import type { LookedUpNumber, NetworkStatus } from '../../../../src/services/numbers/number-lookup.ts';
import { section } from '../../../../src/slack/block-kit/build.ts';
import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import {
  cardMessage,
  type NumberCard,
  numberCardView,
  sharedCard,
} from '../../../../src/slack/features/numbers/card.ts';
import {
  needsFile,
  type Report,
  type ReportedNumber,
  reportMessage,
  reportView,
  sharedReport,
} from '../../../../src/slack/features/numbers/dnd-report.ts';
import { correctionMessage } from '../../../../src/slack/features/numbers/results.ts';
import {
  at,
  cut,
  drawn,
  type Examples,
  number,
  thousandNumbers,
  type Words,
} from '../../../support/slack/example-words.ts';

/** `/number`. */
export const numbers: Examples = (words) => {
  const { any, typed } = words;
  const card = cardOf(words);
  return {
    numberCardView: card.map((shown) => numberCardView(shown)),
    cardMessage: card.map(cardMessage),
    sharedCard: card.map((shown) => sharedCard(shown, 'U0AGENT')),
    correctionMessage: drawn({ typed, fault: any }, ({ fault, typed }) =>
      correctionMessage(`“${fault}” is not a number.`, 'edit', typed),
    ),
  };
};

/** The card of a number, whatever the provider returns. */
export function cardOf({ any }: Words): fc.Arbitrary<NumberCard> {
  const network: fc.Arbitrary<NetworkStatus> = fc.oneof(
    fc
      .record({ operatorName: any, lineType: any, operatorCode: any, iso: any, ported: fc.nat() })
      .map(({ iso, ported, ...operatorDetail }) => ({
        kind: 'known' as const,
        entry: { operatorDetail, countryDetail: { iso }, routeDetail: { ported }, raw: {} },
      })),
    fc.record({ kind: fc.constantFrom('no_entry', 'not_activated'), providerMessage: any }),
    fc.record({ kind: fc.constant('failed'), problem: any.map((text) => cut(text, 600)) }),
  );
  const advice: fc.Arbitrary<RouteAdvice> = fc.oneof(
    fc.record({ kind: fc.constantFrom('any_route', 'not_nigerian', 'on_dnd', 'dnd_unknown') }),
    fc.record({ kind: fc.constant('quiet_hours'), endsAt: fc.constant(at) }),
  );
  const dnd = fc.record({
    number: fc.constant(number),
    dnd: fc.constantFrom('active', 'inactive', 'unknown'),
    network: any,
  });
  const found: fc.Arbitrary<LookedUpNumber> = fc.record({
    network,
    dnd,
    advice,
  });
  const listed = fc.record({
    number: fc.constant(number),
    createdBy: any,
    createdAt: fc.constant(at),
    source: fc.record({ kind: fc.constant('file'), name: any }),
  });
  return fc.record({
    found,
    listed: fc.option(listed, { nil: undefined }),
    draftId: fc.constant('draft'),
    isAdmin: fc.boolean(),
    canSend: fc.boolean(),
    threadId: fc.constantFrom('thread', undefined),
    // The first 200 characters of each text.
    conversation: fc.array(
      any.map((text) => section(mrkdwn`Sent: ${cut(text, 200)}`)),
      { maxLength: 12 },
    ),
  });
}

/** `/dnd-check`. */
export const dndChecks: Examples = (words) => {
  const report = reportOf(words);
  return {
    reportView: report.map(reportView),
    reportMessage: report.map(reportMessage),
    sharedReport: report
      .filter(({ file }) => file === 'none')
      .map(({ numbers }) => sharedReport(numbers, 'U0AGENT')),
  };
};

function reportOf({ any }: Words): fc.Arbitrary<Report> {
  const rejected = fc.record({
    line: fc.option(fc.nat(), { nil: undefined }),
    text: any,
    reason: fc.constant('is not a number'),
  });
  return fc
    .record({
      count: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(50, 51, 1_000)),
      dnd: fc.constantFrom('active', 'inactive', 'unknown'),
      network: fc.option(any, { nil: undefined }),
      problem: fc.option(
        any.map((text) => cut(text, 600)),
        { nil: undefined },
      ),
      rejected: fc.array(rejected, { maxLength: 30 }),
      file: fc.record({ name: any, column: any }),
      draftId: fc.option(fc.constant('Kf1sm0gVnDQ3o9a0S7u5Xw'), { nil: undefined }),
      canSend: fc.boolean(),
      sent: fc.constantFrom('sent' as const, mrkdwn`Not in your messages: Slack rejected it.`),
      listed: fc.constantFrom(undefined, { createdBy: 'U0AGENT', createdAt: at, source: undefined }),
    })
    .map(({ count, dnd, network, problem, sent, draftId, canSend, listed, ...list }) => {
      const numbers = thousandNumbers.slice(0, count);
      const checked: ReportedNumber[] = numbers.map((number) => ({
        number,
        dnd,
        advice: { kind: 'quiet_hours', endsAt: at },
        listed: listed && { ...listed, number },
        ...(network === undefined ? {} : { network }),
        ...(problem === undefined ? {} : { problem }),
      }));
      const whole = { numbers, duplicates: 10_000, ...list };
      const file = needsFile(whole) ? sent : 'none';
      const notPosted = mrkdwn`This was to be shown elsewhere.`;
      return { numbers: checked, list: whole, draftId, canSend, file, notPosted };
    });
}
