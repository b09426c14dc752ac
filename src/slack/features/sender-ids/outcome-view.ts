import type { ModalView } from '@slack/types';
import { senderIdSummarySchema } from '../../../services/sender-ids/sender-id-form.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { notice, section } from '../../block-kit/build.ts';
import { failureLines } from '../../block-kit/descriptions/failure.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { type LastModal, lastModalBlocks } from '../../middleware/last-modal.ts';
import { createOutcomeRenderer } from '../../notifier/outcome-renderer.ts';

/** The outcome of a request for a sender ID. */
export function requestOutcomeView(operation: Operation, modal?: LastModal): ModalView {
  return notice(
    titles[operation.state],
    section(outcomeText(operation)),
    ...lastModalBlocks(operation, modal),
  );
}

export const senderIdRenderer = createOutcomeRenderer({
  text: outcomeText,
  line: (operation) =>
    mrkdwn`Request for the sender ID ${senderIdSummarySchema.parse(operation.summary).senderId}`,
});

const titles: Record<Operation['state'], string> = {
  underway: 'Sender ID',
  accepted: 'Sender ID requested',
  rejected: 'Request rejected',
  not_sent: 'Request not sent',
  unconfirmed: 'Request unconfirmed',
};

function outcomeText(operation: Operation): Markup {
  const { senderId } = senderIdSummarySchema.parse(operation.summary);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *In progress:* the request for *${senderId}*.`;
    case 'accepted':
      return mrkdwn`${operationIcons.accepted} *Requested: ${senderId}.* The sender ID is pending until the provider has reviewed it. Your account manager will contact you.`;
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The sender ID ${senderId}`,
        done: 'requested',
        check: 'Look for the sender ID in the list before you request it again.',
      });
  }
}
