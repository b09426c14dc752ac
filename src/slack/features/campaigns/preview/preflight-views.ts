import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber } from '../../../../domain/phone/phone-number.ts';
import type { DndSummary } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import type { MessageDelivery } from '../../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../../store/operations/ledger.ts';
import { context, input, modal, notice, section } from '../../../block-kit/build.ts';
import { describeArrival } from '../../../block-kit/descriptions/deliveries.ts';
import { failureLines } from '../../../block-kit/descriptions/failure.ts';
import { loadingView, performingView } from '../../../block-kit/loading-view.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { operationIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking } from '../../../block-kit/text.ts';
import { createOutcomeRenderer } from '../../../notifier/outcome-renderer.ts';
import { describeDndSummary } from './preview-remarks.ts';

const dndTitle = 'Do-Not-Disturb';
const testTitle = 'Send a test';
export const testCallback = 'campaign_send_test';
export const testMetadata = z.object({ id: z.string(), key: z.string() });

/** What the ledger stores about a test. */
const testSummarySchema = z.object({ campaign: z.string(), route: z.string(), to: z.string() });

export function dndCheckingView(done: number, total: number | undefined): ModalView {
  const progress = total === undefined ? '' : ` ${formatCount(done)} of ${formatCount(total)}.`;
  return loadingView(
    dndTitle,
    `Checking…${progress}`,
    context(mrkdwn`You can close this: the preview shows the result.`),
  );
}

export function dndSummaryView(summary: DndSummary, preview: Preview): ModalView {
  return notice(
    dndTitle,
    section(describeDndSummary(summary, preview)),
    ...(summary.sample ? [context(mrkdwn`Sample: at most 1,000 numbers are checked.`)] : []),
  );
}

/** `number` is the one that the user's last test went to. */
export function testFormView(metadata: z.infer<typeof testMetadata>, number: string | undefined): ModalView {
  return modal({
    callbackId: testCallback,
    title: testTitle,
    submit: 'Send',
    close: 'Back',
    notifyOnClose: true,
    metadata,
    blocks: [
      input(
        'number',
        'Your phone number',
        {
          type: 'plain_text_input',
          action_id: 'number',
          max_length: 40,
          focus_on_load: true,
          placeholder: { type: 'plain_text', text: '+234 803 123 4567' },
          ...(number === undefined ? {} : { initial_value: number }),
        },
        {
          hint: 'Gets the first example of the review. Charged like any message.',
        },
      ),
    ],
  });
}

export function sendingTestView(): ModalView {
  return performingView(testTitle, 'Sending the test…', 'sent');
}

export function testOutcomeView(operation: Operation): ModalView {
  return notice(
    testTitle,
    section(describeOutcome(operation, [])),
    context(mrkdwn`Close this to return to the review.`),
  );
}

export const testRenderer = createOutcomeRenderer({
  text: describeOutcome,
  line(operation, [number] = []) {
    const { campaign, to } = testSummarySchema.parse(operation.summary);
    return mrkdwn`Test of ${campaign} to ${number === undefined ? to : nonBreaking(formatNumber(number))}`;
  },
});

function describeOutcome(operation: Operation, deliveries: readonly MessageDelivery[]): Markup {
  const { to, route } = testSummarySchema.parse(operation.summary);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Sending the test* to ${to}.`;
    case 'accepted': {
      const { icon, word, toward, end } = describeArrival({ deliveries, recipients: 1 });
      const known = deliveries.length === 0 ? mrkdwn`. ${expectedArrival(route)}` : end;
      return mrkdwn`${icon} *Test ${word.toLowerCase()}* ${toward} ${to}, ${pluralize(operation.pages ?? 1, 'page')}${known}`;
    }
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The test to ${to}`,
        done: 'sent',
        check: 'Check whether the test arrived before you send another one.',
      });
  }
}

function expectedArrival(route: string): string {
  const soon = 'It should arrive within a minute.';
  return route === 'generic'
    ? `${soon} Generic skips numbers on Do-Not-Disturb, and MTN numbers from 20:00 to 08:00 WAT.`
    : soon;
}
