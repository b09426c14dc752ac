import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../../sandbox/slack/block-kit/surfaces.ts';
import type { RouteAdvice } from '../../../../src/domain/messages/route-advice.ts';
import { phoneNumberSchema } from '../../../../src/domain/phone/phone-number.ts';
import type { NetworkReport } from '../../../../src/services/numbers/number-lookup.ts';
import { section } from '../../../../src/slack/block-kit/build.ts';
import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import {
  cardMessage,
  channelCard,
  type LookedUpNumber,
  type NumberCard,
  numberCardView,
} from '../../../../src/slack/features/numbers/card-view.ts';
import { anyText } from '../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';

const number = phoneNumberSchema.parse('+2348031234567');

const network: fc.Arbitrary<NetworkReport> = fc.oneof(
  fc
    .record({
      operatorName: anyText,
      lineType: anyText,
      operatorCode: anyText,
      iso: anyText,
      ported: fc.nat(),
    })
    .map(({ iso, ported, ...operatorDetail }) => ({
      kind: 'known' as const,
      entry: { operatorDetail, countryDetail: { iso }, routeDetail: { ported }, raw: {} },
    })),
  fc.record({ kind: fc.constantFrom('no_entry', 'not_activated'), said: anyText }),
  fc.record({ kind: fc.constant('failed'), problem: fc.string({ unit: 'grapheme', maxLength: 600 }) }),
);

const advice: fc.Arbitrary<RouteAdvice> = fc.oneof(
  fc.record({ kind: fc.constantFrom('any_route', 'not_nigerian', 'on_dnd', 'dnd_unknown') }),
  fc.record({ kind: fc.constant('quiet_hours'), endsAt: fc.constant(new Date(0)) }),
);

const found: fc.Arbitrary<LookedUpNumber> = fc.record({
  kind: fc.constant('looked_up'),
  network,
  dnd: fc.record({
    number: fc.constant(number),
    dnd: fc.constantFrom('active', 'inactive', 'unknown'),
    network: anyText,
  }),
  advice,
});

const listed = fc.option(
  fc.record({
    number: fc.constant(number),
    createdBy: anyText,
    createdAt: fc.constant(new Date(0)),
    source: fc.record({ kind: fc.constant('file'), name: anyText }),
  }),
  { nil: undefined },
);

const card: fc.Arbitrary<NumberCard> = fc.record({
  found,
  listed,
  draftId: fc.constant('draft'),
  isAdmin: fc.boolean(),
  canSend: fc.boolean(),
  sent: fc.array(
    anyText.map((text) => section(mrkdwn`Sent: ${text}`)),
    { maxLength: 3 },
  ),
});

describe('the card of a number', () => {
  it('is accepted by Slack whatever the provider returns, in a modal, a reply and a channel', () => {
    fc.assert(
      fc.property(card, (given) => {
        assertSlackAccepts(numberCardView(given));
        for (const message of [cardMessage(given), channelCard(given, 'U0AGENT')]) {
          assert.equal(checkMessage(message), undefined);
          assert.doesNotMatch(JSON.stringify(message), /<!channel>/);
        }
      }),
    );
  });

  it('says once why neither network nor Do-Not-Disturb is known', () => {
    const problem = 'The provider did not answer in time.';
    const textOf = (reason: string) =>
      JSON.stringify(
        channelCard(
          {
            found: {
              kind: 'looked_up',
              network: { kind: 'failed', problem: reason },
              dnd: { number, dnd: 'unknown', problem },
              advice: { kind: 'dnd_unknown' },
            },
            listed: undefined,
          },
          'U0AGENT',
        ),
      );
    assert.equal(textOf(problem).split(problem).length, 2);
    assert.match(textOf(problem), /\*Network and Do-Not-Disturb not known\.\*/);
    assert.match(textOf('Another.'), /\*Network not known\.\* Another[\s\S]*\*Do-Not-Disturb not known\.\*/);
  });

  it('shows a full number in a channel only on request', () => {
    fc.assert(
      fc.property(card, (given) => {
        assert.doesNotMatch(JSON.stringify(channelCard(given, 'U0AGENT')), /1234567|123 4567/);
        assert.match(JSON.stringify(channelCard(given, 'U0AGENT', true)), /123 4567/);
      }),
    );
  });
});
