import type { Button, ModalView } from '@slack/types';
import { readReportedStatus } from '../../../domain/deliveries/delivery-status.ts';
import { isBilledByPage, routes } from '../../../domain/messages/routes.ts';
import { hideCode } from '../../../domain/otp/one-time-code.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { writeOperationId } from '../../../services/history/history.ts';
import { canBeAskedAbout } from '../../../services/history/provider-history.ts';
import { type SendSummary, sendSummarySchema } from '../../../services/messages/message-service.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  notice,
  performingView,
  present,
  section,
} from '../../block-kit/build.ts';
import { describeArrival } from '../../block-kit/descriptions/deliveries.ts';
import { failureLines, outcomeTitle } from '../../block-kit/descriptions/outcome.ts';
import { beginningOf } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { type LastModal, lastModalBlocks } from '../../middleware/last-modal.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { costOf, describeRecipients, resolutionSource } from '../../notifier/known-of-outcome.ts';
import {
  type Description,
  describedBlocks,
  messageFor,
  type OutcomeRenderer,
  readOutcome,
  type ShownOutcome,
} from '../../notifier/outcome.ts';

export const messageActions = {
  /** The form, with the recipients of a message of the user’s own; the value is its key, as for the next. */
  sameRecipients: 'sms_same_recipients',
  doNotContact: 'sms_do_not_contact',
  /** What the user found out about an unconfirmed message. */
  received: 'sms_received',
  notReceived: 'sms_not_received',
} as const;

/** Of the text, in characters. */
const maxTextLength = 80;
/** Recipients with an outcome of their own; the entry of the history has all. */
const maxRecipientLines = 5;

/** How a send ended, for the user who sent it. */
export function messageOutcomeView(outcome: ShownOutcome, modal?: LastModal): ModalView {
  const { operation } = outcome;
  const { steps = [], ...description } = describeMessage(outcome);
  return notice(
    outcomeTitle('Message', operation.state),
    ...describedBlocks(description),
    ...lastModalBlocks(operation, modal),
    ...steps,
  );
}

/** The response to a *Cancel* that came after the send had begun, above its outcome. */
export function tooLate(outcome: SlackMessage): SlackMessage {
  return { ...outcome, blocks: [context(mrkdwn`Too late to cancel: sending had begun.`), ...outcome.blocks] };
}

export const smsRenderer: OutcomeRenderer = { describe: describeMessage, line };

export function sendingView(): ModalView {
  return performingView('Message', 'Sending…', 'sent');
}

/** In place of a preview whose send is in the history. */
export function sendingMessage(): SlackMessage {
  const text = mrkdwn`${operationIcons.underway} Sending… If this doesn’t change, the outcome comes as a message.`;
  return message(text, [section(text)]);
}

function describeMessage(outcome: ShownOutcome): Description {
  const { operation, deliveries, deliveryOf, sent, isDeleted, reader } = outcome;
  const summary = sendSummarySchema.parse(operation.summary);
  const { skipped = 0, route, recipients, pagesEach, senderId } = summary;
  const { at } = describeArrival({ deliveries, recipients });
  const facts = joinInline([
    mrkdwn`${senderId}`,
    mrkdwn`${routes[route].title}`,
    ...(isBilledByPage(route)
      ? [mrkdwn`${pluralize(operation.pages ?? pagesEach * recipients, 'page')}`]
      : []),
    ...costOf(outcome),
    timeFor(at ?? operation.endedAt ?? operation.createdAt),
  ]);
  // Nothing more is said of several recipients of whom the same is known.
  const isMixed =
    deliveries.length > 0 &&
    (deliveries.length < recipients || new Set(deliveries.map(({ status }) => status)).size > 1);
  const ofEach =
    sent && deliveryOf && operation.state === 'accepted' && isMixed
      ? describeRecipients(sent.numbers, deliveryOf)
      : [];
  return {
    headline: headline(outcome, summary),
    recipients: ofEach.slice(0, maxRecipientLines),
    text: sent && beginningOf(hideCode(sent.text), maxTextLength),
    details: present(
      facts,
      ...resolutionSource(operation),
      skipped > 0 && mrkdwn`Skipped ${pluralize(skipped, 'recipient')} who opted out after the review.`,
      reader === 'user' && isDeleted === true && mrkdwn`The text and the numbers are no longer kept.`,
    ),
    ...stepsOf(outcome, summary),
    by: mrkdwn`Sent by ${userMention(operation.userId)} with Switchboard`,
  };
}

/** The outcome and to whom; for a failure also what happened, and what to do next. */
function headline({ operation, deliveries, sent }: ShownOutcome, summary: SendSummary): Markup {
  const { recipients } = summary;
  const inFull = sent?.numbers.slice(0, summary.to.length).map((number) => nonBreaking(formatNumber(number)));
  const to = namesOf(summary, inFull);
  if (operation.state === 'unconfirmed' && operation.mark !== undefined) {
    const { kind, at, by } = operation.mark;
    const [icon, words] =
      kind === 'received'
        ? [operationIcons.accepted, 'Marked as received']
        : [operationIcons.not_sent, 'Marked as not received'];
    return mrkdwn`${icon} *${words}* by ${userMention(by)} ${timeFor(new Date(at))}: the message to ${to}.`;
  }
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Sending* to ${to}. The outcome comes as a message.`;
    case 'accepted': {
      const { icon, word, whom = to, end } = describeArrival({ deliveries, recipients });
      return mrkdwn`${icon} *${word}* to ${whom}${end}`;
    }
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The message to ${to}`,
        done: 'sent',
        check: `Check with the ${recipients === 1 ? 'recipient' : 'recipients'} before you send the message again.`,
      });
  }
}

/** @param inFull as many numbers as the summary names; without them, its masked ones are shown */
function namesOf({ to, recipients }: SendSummary, inFull: readonly string[] = to): string {
  const unnamed = recipients - to.length;
  return unnamed > 0 ? `${inFull.join(', ')} and ${unnamed} more` : inFull.join(', ');
}

function line(operation: Operation, numbers?: readonly PhoneNumber[]): Markup {
  const summary = sendSummarySchema.parse(operation.summary);
  const inFull = numbers?.slice(0, summary.to.length).map((number) => nonBreaking(formatNumber(number)));
  return mrkdwn`SMS to ${namesOf(summary, inFull)} · from ${summary.senderId}`;
}

/** At most one thing to do next, chosen by the outcome. The rest is in the menu. */
function stepsOf(
  outcome: ShownOutcome,
  { recipients, route }: SendSummary,
): Pick<Description, 'steps' | 'more'> {
  const { operation, canAsk = false } = outcome;
  const { state, key } = operation;
  const checkStatus = button(openActions.askProvider, 'Check delivery status', { value: operation.id });
  const canCheck = canAsk && canBeAskedAbout(operation);
  const marks = [
    button(messageActions.received, 'Mark as received', { value: key }),
    button(messageActions.notReceived, 'Mark as not received', {
      value: key,
      confirm: confirmDialog({
        title: 'Mark as not received?',
        text: 'You can send the message again then. If the provider did send it, the recipient gets it twice. Check with the recipient first.',
        yes: 'Mark',
        no: 'Cancel',
      }),
    }),
  ];
  // Without an id, only a report can name the message: what its sender finds out helps sooner.
  const isNamed = operation.providerId !== undefined || operation.receiptId !== undefined;
  const openSteps = canCheck && isNamed ? [checkStatus] : marks;
  const isOpen = state === 'unconfirmed' && operation.mark === undefined;
  const steps = isOpen ? openSteps : present(nextStep(outcome, route));
  return {
    steps: steps.length === 0 ? [] : [actions('outcome_steps', ...steps)],
    more: present(
      canCheck && (state === 'accepted' || !isNamed) && checkStatus,
      recipients === 1 && button(messageActions.sameRecipients, 'New message to this number', { value: key }),
      recipients === 1 && button(messageActions.doNotContact, 'Add to do-not-contact list', { value: key }),
      state !== 'underway' &&
        button(openActions.historyEntry, recipients > maxRecipientLines ? 'All recipients' : 'Details', {
          value: writeOperationId(operation.id),
        }),
    ),
  };
}

/** The same message again, for those who certainly did not get it, or to whom it was not delivered. */
function nextStep(
  { operation, deliveries, sent }: ShownOutcome,
  route: SendSummary['route'],
): Button | undefined {
  const { state, key, mark } = operation;
  if (
    state === 'rejected' ||
    state === 'not_sent' ||
    (state === 'unconfirmed' && mark?.kind === 'not_received')
  ) {
    return button(openActions.messageAgain, 'Send again', { value: key, style: 'primary' });
  }
  const failed = deliveries.filter((each) => each.state === 'failed');
  if (state !== 'accepted' || failed.length === 0 || sent === undefined) {
    return undefined;
  }
  const isBlocked = ({ status }: MessageDelivery) => readReportedStatus(status).mayBeDnd === true;
  const again =
    route === 'generic' && failed.some(isBlocked) ? `Send again on ${routes.dnd.title}` : 'Send again';
  // What Do-Not-Disturb has blocked comes by no other route.
  const warning = failed.every(isBlocked)
    ? {}
    : {
        confirm: confirmDialog({
          title: 'Send it again?',
          text: 'The provider reported it as not delivered. If the first message still arrives by another route, the recipient gets it twice.',
          yes: 'Continue',
          no: 'Cancel',
        }),
      };
  return button(openActions.messageAgain, again, { value: key, style: 'primary', ...warning });
}

/** How a send ended, for its sender. `modal`: of a last step, for where the outcome was delivered. */
export async function outcomeForSender(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
  operation: Operation,
  modal?: LastModal,
): Promise<ModalView> {
  return messageOutcomeView(await readForSender(context, operation), modal);
}

/** The same as a message. */
export async function outcomeMessageForSender(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
  operation: Operation,
): Promise<SlackMessage> {
  const outcome = await readForSender(context, operation);
  return messageFor(outcome, describeMessage(outcome));
}

/** An outcome is shown, with masked numbers, also where the database is lost right after the send. */
async function readForSender(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
  operation: Operation,
): Promise<ShownOutcome> {
  try {
    return await readOutcome(context, operation, 'user');
  } catch (error) {
    context.log.warn({ err: error, operation: operation.id }, 'an outcome is shown without its full numbers');
    return { operation, reader: 'user', deliveries: [] };
  }
}
