import type { ModalView } from '@slack/types';
import { senderIdSummarySchema } from '../../../services/sender-ids/sender-id-requests.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { context, notice, section } from '../../block-kit/build.ts';
import { message } from '../../block-kit/message.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';

/** How a request for a sender ID ended. */
export function requestOutcomeView(operation: Operation): ModalView {
  return notice(titles[operation.state], section(words(operation)));
}

export const senderIdRenderer: OutcomeRenderer = {
  forUser: (operation) => message(words(operation), [section(words(operation))]),
  forChannel: (operation) =>
    message(words(operation), [
      section(words(operation)),
      context(mrkdwn`By ${userMention(operation.userId)} with Switchboard`),
    ]),
  line: (operation) =>
    mrkdwn`Request for the sender ID ${senderIdSummarySchema.parse(operation.summary).senderId}`,
};

const titles: Record<Operation['state'], string> = {
  underway: 'Still under way',
  accepted: 'Requested',
  rejected: 'Not requested',
  not_sent: 'Not requested',
  unconfirmed: 'Not confirmed',
};

function words(operation: Operation): Markup {
  const { senderId } = senderIdSummarySchema.parse(operation.summary);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`:hourglass_flowing_sand: *Still under way:* the request for *${senderId}*.`;
    case 'accepted':
      return mrkdwn`:white_check_mark: *Requested.* The provider’s administrators review *${senderId}*; it is pending until then, and your account manager gets in touch.`;
    case 'rejected':
      return mrkdwn`:x: *The provider refused the request* for *${senderId}*. Nothing was requested. ${operation.error?.message}`;
    case 'not_sent':
      return mrkdwn`:x: *The request for ${senderId} was not sent.* ${operation.error?.message}`;
    case 'unconfirmed':
      return mrkdwn`:warning: *Unconfirmed: ${senderId} may have been requested.* ${operation.error?.message} It is not requested again by itself: look for it in the list before you do.`;
  }
}
