import { z } from 'zod';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { context, section } from '../../block-kit/build.ts';
import { describeArrival } from '../../block-kit/descriptions/deliveries.ts';
import { failureLines } from '../../block-kit/descriptions/outcome.ts';
import { message } from '../../block-kit/message.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking } from '../../block-kit/text.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';
import { switchedOnBy } from './thread-view.ts';

const summarySchema = z.object({ senderId: z.string(), to: z.array(z.string()) });

/** The confirmation of a stop: nobody presses a button for it. */
export const stopRenderer: OutcomeRenderer = {
  forUser: render,
  forChannel: render,
  line(operation, [number] = []) {
    const { senderId, to } = summarySchema.parse(operation.summary);
    const shown = number === undefined ? to.join(', ') : nonBreaking(formatNumber(number));
    return mrkdwn`Stop confirmed to ${shown} · from ${senderId}`;
  },
};

function render(operation: Operation, _: unknown, deliveries: readonly MessageDelivery[] = []) {
  const text = describe(operation, deliveries);
  return message(text, [section(text), context(switchedOnBy(operation.userId))]);
}

function describe(operation: Operation, deliveries: readonly MessageDelivery[]): Markup {
  const to = summarySchema.parse(operation.summary).to.join(', ');
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Confirming the stop* to ${to}.`;
    case 'accepted': {
      const { icon, word, end } = describeArrival({ deliveries, recipients: 1 });
      return word === 'Accepted'
        ? mrkdwn`${icon} *Stop confirmed* to ${to} by SMS.`
        : mrkdwn`${icon} *Confirmation of the stop ${word.toLowerCase()}* to ${to}${end}`;
    }
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The confirmation of the stop to ${to}`,
        done: 'sent',
        check: 'It isn’t sent again. The number is on the do-not-contact list either way.',
      });
  }
}
