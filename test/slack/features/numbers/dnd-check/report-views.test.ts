import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../../../sandbox/slack/block-kit/surfaces.ts';
import { phoneNumberSchema } from '../../../../../src/domain/phone/phone-number.ts';
import { mrkdwn } from '../../../../../src/slack/block-kit/text.ts';
import {
  channelReport,
  needsFile,
  type Report,
  reportMessage,
  reportView,
} from '../../../../../src/slack/features/numbers/dnd-check/report-views.ts';
import type { ReportedNumber } from '../../../../../src/slack/features/numbers/dnd-check/reported-number.ts';
import { anyText } from '../../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../../support/slack/assert-slack-accepts.ts';
import { manyNumbers } from '../../../../support/slack/number-files.ts';

const all = manyNumbers(1_000).map((number) => phoneNumberSchema.parse(number));

const bad = fc.record({
  line: fc.option(fc.nat(), { nil: undefined }),
  text: anyText,
  reason: fc.constant('is not a number'),
});

const report: fc.Arbitrary<Report> = fc
  .record({
    count: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(50, 51, 1_000)),
    dnd: fc.constantFrom('active', 'inactive', 'unknown'),
    network: fc.option(anyText, { nil: undefined }),
    problem: fc.option(fc.string({ unit: 'grapheme', maxLength: 600 }), { nil: undefined }),
    rejected: fc.array(bad, { maxLength: 30 }),
    file: fc.record({ name: anyText, column: anyText }),
    draftId: fc.option(fc.constant('Kf1sm0gVnDQ3o9a0S7u5Xw'), { nil: undefined }),
    canSend: fc.boolean(),
    sent: fc.constantFrom('sent', 'failed'),
    isListed: fc.boolean(),
  })
  .map(({ count, dnd, network, problem, sent, draftId, canSend, isListed, ...list }) => {
    const numbers = all.slice(0, count);
    const checked: ReportedNumber[] = numbers.map((number) => ({
      number,
      dnd,
      advice: { kind: 'quiet_hours', endsAt: new Date(0) },
      listed: isListed
        ? { number, createdBy: 'U0AGENT', createdAt: new Date(0), source: undefined }
        : undefined,
      ...(network === undefined ? {} : { network }),
      ...(problem === undefined ? {} : { problem }),
    }));
    const whole = { numbers, duplicates: 10_000, ...list };
    return {
      numbers: checked,
      list: whole,
      draftId,
      canSend,
      file: needsFile(whole) ? sent : 'none',
      notPosted: mrkdwn`This was to be shown elsewhere.`,
    };
  });

describe('the report of a Do-Not-Disturb check', () => {
  it('is accepted by Slack whatever it contains, in a modal, a reply and a channel', () => {
    fc.assert(
      fc.property(report, (given) => {
        assertSlackAccepts(reportView(given));
        assert.equal(checkMessage(reportMessage(given)), undefined);
        if (given.file === 'none') {
          assert.equal(checkMessage(channelReport(given.numbers, 'U0AGENT')), undefined);
        }
        assert.doesNotMatch(JSON.stringify(reportMessage(given)), /<!channel>/);
      }),
      { numRuns: 200 },
    );
  });
});
