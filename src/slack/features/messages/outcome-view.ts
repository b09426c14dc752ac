import type { Button, ModalView } from '@slack/types';
import { readReportedStatus } from '../../../domain/deliveries/delivery-status.ts';
import { isBilledByPage, routeTitles } from '../../../domain/messages/routes.ts';
import { hideCode } from '../../../domain/otp/one-time-code.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { writeOperationId } from '../../../services/history/history.ts';
import { canBeAskedAbout } from '../../../services/history/provider-history.ts';
import { type SendSummary, sendSummarySchema } from '../../../services/messages/message-service.ts';
import { countKnownRecipients } from '../../../services/operations/operations.ts';
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
import type { OutcomeSummary } from '../../block-kit/descriptions/deliveries.ts';
import {
  failureLines,
  outcomeSentence,
  outcomeTitle,
  summarizeOutcome,
} from '../../block-kit/descriptions/outcome.ts';
import { beginningOf } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import {
  channelMention,
  joinInline,
  joinWords,
  type Markup,
  mrkdwn,
  plain,
  timeFor,
  userMention,
} from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { type LastModal, lastModalBlocks } from '../../middleware/last-modal.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { costOf, describeRecipients, resolutionSource } from '../../notifier/known-of-outcome.ts';
import {
  type Description,
  describedBlocks,
  messageFor,
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
/** More would be cut in a table, within a number. */
const maxNamesInList = 2;

/** How a send ended, for the user who sent it. */
export function messageOutcomeView(outcome: ShownOutcome, modal?: LastModal): ModalView {
  const { operation } = outcome;
  const { steps = [], ...description } = describeSms(outcome);
  return notice(
    outcomeTitle('Message', operation.state),
    ...describedBlocks(description),
    ...lastModalBlocks(operation, modal),
    ...steps,
  );
}

/** The response to a *Cancel* that came after the send had begun, above its outcome. */
export function tooLate(outcome: SlackMessage): SlackMessage {
  return {
    ...outcome,
    blocks: [context(mrkdwn`Too late to cancel: sending had already started.`), ...outcome.blocks],
  };
}

/** The response to *Send again* of a message that was sent again before, above what became of that. */
export function alreadyAgain(outcome: ModalView, { state, createdAt }: Operation): ModalView {
  const title = state === 'accepted' ? 'Already sent again' : 'Already tried again';
  const headline = mrkdwn`*${title} ${timeFor(createdAt)}.* Nothing was sent now.`;
  return { ...outcome, title: plain(title), blocks: [section(headline), ...outcome.blocks] };
}

export function sendingView(): ModalView {
  return performingView('Message', 'Sending…', 'sent');
}

/** In place of a review whose send is in the history. */
export function sendingMessage(): SlackMessage {
  const text = mrkdwn`${operationIcons.underway} Sending… If this doesn’t change, you’ll get the outcome as a message.`;
  return message(text);
}

export function describeSms(shown: ShownOutcome): Description {
  const { operation, deliveries = [], deliveryOf, sent, isDeleted, reader } = shown;
  const summary = sendSummarySchema.parse(operation.summary);
  const { skipped = 0, route, pagesEach, senderId, showNumbers } = summary;
  const recipients = countKnownRecipients(operation);
  const outcome = summarizeOutcome(operation, {
    deliveries: shown.deliveries,
    recipients: shown.recipients ?? recipients,
  });
  const to = namesOf(summary, sent?.numbers);
  const facts = joinInline([
    mrkdwn`${senderId}`,
    mrkdwn`${routeTitles[route]}`,
    ...(isBilledByPage(route)
      ? [mrkdwn`${pluralize(operation.pages ?? pagesEach * summary.recipients, 'page')}`]
      : []),
    ...costOf(shown),
    timeFor(outcome.at ?? operation.endedAt ?? operation.createdAt),
  ]);
  // Several recipients with the same outcome get one line.
  const isMixed =
    deliveries.length > 0 &&
    (deliveries.length < recipients || new Set(deliveries.map(({ status }) => status)).size > 1);
  const ofEach =
    sent && deliveryOf && operation.state === 'accepted' && isMixed
      ? describeRecipients(sent.numbers, deliveryOf)
      : [];
  return {
    subject: mrkdwn`SMS to ${namesOf(summary, sent?.numbers, maxNamesInList)} · from ${senderId}`,
    outcome,
    // Each number is named once: in the headline, or below it where that tells how many there are.
    headline: headline(shown, outcome, ofEach.length === 0 ? to : mrkdwn`${pluralize(recipients, 'number')}`),
    recipients:
      outcome.whom !== undefined && ofEach.length === 0
        ? [mrkdwn`To ${to}`]
        : ofEach.slice(0, maxRecipientLines),
    text: sent && beginningOf(hideCode(sent.text), maxTextLength),
    details: present(
      facts,
      ...resolutionSource(operation),
      skipped > 0 && mrkdwn`Skipped ${pluralize(skipped, 'recipient')} who opted out after the review.`,
      isDeleted === true && (reader === 'user' || showNumbers) && mrkdwn`Text and numbers have been deleted.`,
    ),
    ...stepsOf(shown, summary),
    by: mrkdwn`Sent by ${userMention(operation.userId)} with Switchboard`,
  };
}

/** The outcome and to whom; for a failure also what happened, and what to do next. */
function headline(
  { operation, deliveries, isDeleted, isFixed }: ShownOutcome,
  outcome: OutcomeSummary,
  to: Markup,
): Markup {
  const { state, mark } = operation;
  const { icon, word, at, remarks } = outcome;
  if (state === 'unconfirmed' && mark !== undefined) {
    return mrkdwn`${icon} *${word}* ${joinInline(remarks)}${at && mrkdwn` ${timeFor(at)}`}: the message to ${to}.`;
  }
  switch (state) {
    case 'underway':
      return mrkdwn`${icon} *Sending* to ${to}. You’ll get the outcome as a message.`;
    case 'accepted': {
      const isAhead =
        (word === 'Sent' || word === 'On its way') && remarks.length === 0 && isDeleted !== true;
      if (isAhead && isFixed) {
        const { channelId } = operation;
        const later =
          channelId === undefined
            ? 'You’ll get a message if the provider reports it as not delivered.'
            : mrkdwn`Its delivery is shown in ${channelMention(channelId)}.`;
        return mrkdwn`${icon} *${word}* to ${to}. ${later}`;
      }
      return isAhead && deliveries === undefined
        ? mrkdwn`${icon} *${word}* to ${to}, waiting for delivery.`
        : mrkdwn`${icon} ${outcomeSentence(outcome, to)}`;
    }
    default:
      return failureLines(operation, state, {
        subject: mrkdwn`The message to ${to}`,
        done: 'sent',
        check: 'Check with the recipient before you send the message again.',
      });
  }
}

/** @param numbers whom it went to; without them, the masked numbers of the summary are shown */
function namesOf(
  { to, recipients, erased = 0 }: SendSummary,
  numbers: readonly (string | PhoneNumber)[] = to,
  max = to.length,
): Markup {
  const shown = numbers.slice(0, Math.min(max, to.length));
  const unnamed = recipients - erased - shown.length;
  const named = joinWords(shown);
  return unnamed > 0 ? mrkdwn`${named} and ${unnamed} more` : named;
}

/** At most one thing to do next, chosen by the outcome. The rest is in the menu. */
function stepsOf(
  outcome: ShownOutcome,
  { recipients, route }: SendSummary,
): Pick<Description, 'steps' | 'more'> {
  const { operation, canAsk = false, isDeleted = false } = outcome;
  const { state, key } = operation;
  const isToOne = recipients === 1 && !isDeleted;
  const checkStatus = button(openActions.askProvider, 'Check delivery status', { value: operation.id });
  const canCheck = canAsk && canBeAskedAbout(operation);
  const marks = [
    button(messageActions.received, 'Mark as received', { value: key }),
    button(messageActions.notReceived, 'Mark as not received', {
      value: key,
      confirm: confirmDialog({
        title: 'Mark as not received?',
        text: 'Check with the recipient first. You can then send the message again, but if the provider did send it, the recipient gets it twice.',
        yes: 'Mark',
        no: 'Cancel',
      }),
    }),
  ];
  // Without an id, only a report can name the message: what its sender finds out helps sooner.
  const isNamed = operation.providerId !== undefined || operation.receiptId !== undefined;
  const openSteps = canCheck && isNamed ? [checkStatus] : marks;
  const isOpen = state === 'unconfirmed' && operation.mark === undefined;
  const steps = isOpen ? openSteps : present(!isDeleted && nextStep(outcome, route));
  return {
    steps: steps.length === 0 ? [] : [actions('outcome_steps', ...steps)],
    more: present(
      canCheck && (state === 'accepted' || !isNamed) && checkStatus,
      isToOne && button(messageActions.sameRecipients, 'New message to this number', { value: key }),
      isToOne && button(messageActions.doNotContact, 'Add to do-not-contact list', { value: key }),
      state !== 'underway' &&
        button(
          openActions.historyEntry,
          recipients > maxRecipientLines ? 'Show all recipients' : 'Open details',
          {
            value: writeOperationId(operation.id),
          },
        ),
    ),
  };
}

/** *Send again*, for recipients who certainly did not get the message, or whose message was not delivered. */
function nextStep(
  { operation, deliveries = [], sent }: ShownOutcome,
  route: SendSummary['route'],
): Button | undefined {
  const { state, key, mark } = operation;
  const labelFor = (to: number) => (to > 1 ? `Send again to ${formatCount(to)}` : 'Send again');
  if (
    state === 'rejected' ||
    state === 'not_sent' ||
    (state === 'unconfirmed' && mark?.kind === 'not_received')
  ) {
    const all = countKnownRecipients(operation);
    return button(openActions.messageAgain, labelFor(all), { value: key, style: 'primary' });
  }
  const failed = deliveries.filter((each) => each.state === 'failed');
  if (state !== 'accepted' || failed.length === 0 || sent === undefined) {
    return undefined;
  }
  const isBlocked = ({ status }: MessageDelivery) => readReportedStatus(status).mayBeDnd === true;
  const onRoute = route === 'generic' && failed.some(isBlocked) ? ` on ${routeTitles.dnd}` : '';
  // What Do-Not-Disturb has blocked comes by no other route.
  const warning = failed.every(isBlocked)
    ? {}
    : {
        confirm: confirmDialog({
          title: 'Send it again?',
          text:
            failed.length === 1
              ? 'The provider reported it as not delivered. If the first message still arrives by another route, the recipient gets it twice.'
              : `The provider reported it as not delivered to ${formatCount(failed.length)} recipients. If the first message still arrives by another route, they get it twice.`,
          yes: 'Continue',
          no: 'Cancel',
        }),
      };
  const label = `${labelFor(failed.length)}${onRoute}`;
  return button(openActions.messageAgain, label, { value: key, style: 'primary', ...warning });
}

/** How a send ended, for its sender. `modal`: of a last step, for where the outcome was delivered. */
export async function outcomeForSender(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
  operation: Operation,
  modal?: LastModal,
): Promise<ModalView> {
  return messageOutcomeView(await readForSender(context, operation), modal);
}

/** The same as a message, which can’t be changed later. */
export async function outcomeMessageForSender(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
  operation: Operation,
): Promise<SlackMessage> {
  const outcome = await readForSender(context, operation);
  return messageFor(outcome, describeSms({ ...outcome, isFixed: true }));
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
    return { operation, reader: 'user' };
  }
}
