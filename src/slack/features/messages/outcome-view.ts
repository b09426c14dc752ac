import type { KnownBlock, ModalView } from '@slack/types';
import { routes } from '../../../domain/messages/routes.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { type SendSummary, sendSummarySchema } from '../../../services/messages/message-service.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { actions, button, context, notice, section } from '../../block-kit/build.ts';
import { failureLines } from '../../block-kit/descriptions/failure.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import { type LastModal, lastModalBlocks, needsNewKey } from '../../middleware/last-modal.ts';
import { doNotContactButton } from '../../navigation/do-not-contact-button.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';

export const againAction = 'sms_again';

/** How a send ended, for the user who sent it. If nothing was sent, they can try again. */
export function messageOutcomeView(operation: Operation, modal?: LastModal): ModalView {
  return notice(
    titles[operation.state],
    ...outcomeBlocks(operation),
    ...lastModalBlocks(operation, modal),
    ...nextSteps(operation),
  );
}

export function outcomeMessage(operation: Operation): SlackMessage {
  return message(describeOutcome(operation), [...outcomeBlocks(operation), ...nextSteps(operation)]);
}

/** The response to a *Cancel* that came after the send had begun. */
export function tooLateMessage(operation: Operation): SlackMessage {
  const outcome = outcomeMessage(operation);
  return { ...outcome, blocks: [context(mrkdwn`Too late to cancel: sending had begun.`), ...outcome.blocks] };
}

export const smsRenderer: OutcomeRenderer = { forUser: outcomeMessage, forChannel: channelMessage, line };

/** The outcome for a channel: with the sender, without buttons and balance, and with numbers in full only if asked for. */
function channelMessage(operation: Operation, numbers?: readonly PhoneNumber[]): SlackMessage {
  const by = mrkdwn`Sent by ${userMention(operation.userId)} with Switchboard`;
  const inFull = numbers?.map((number) => nonBreaking(formatNumber(number)));
  const shown = inFull === undefined ? [] : [section(mrkdwn`*To* ${inFull.join(', ')}`)];
  const { balance: _, ...withoutBalance } = operation;
  return message(describeOutcome(operation), [...outcomeBlocks(withoutBalance), ...shown, context(by)]);
}

export function sendingView(): ModalView {
  return loadingView('Sending', 'Sending… You may close this: the outcome also comes to you as a message.');
}

export function sendingMessage(): SlackMessage {
  const text = mrkdwn`${operationIcons.underway} Sending…`;
  return message(text, [section(text)]);
}

const titles: Record<Operation['state'], string> = {
  underway: 'Still sending',
  accepted: 'Sent',
  rejected: 'Not sent',
  not_sent: 'Not sent',
  unconfirmed: 'Not confirmed',
};

function outcomeBlocks(operation: Operation): KnownBlock[] {
  return [section(describeOutcome(operation)), context(details(operation))];
}

/** What happened, whether anything was sent, and what to do next. */
function describeOutcome(operation: Operation): Markup {
  const {
    to,
    summary: { recipients },
  } = describe(operation);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Still under way.* The message to ${to} is being sent; its outcome comes to you as a message.`;
    case 'accepted':
      return mrkdwn`${operationIcons.accepted} *The provider accepted the message* to ${to}. That is not yet delivery to the handset.`;
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The message to ${to}`,
        done: 'sent',
        check: `Check with the ${recipients === 1 ? 'recipient' : 'recipients'} before you send the message again.`,
      });
  }
}

function line(operation: Operation, numbers?: readonly PhoneNumber[]): Markup {
  const { summary, to } = describe(operation, numbers);
  return mrkdwn`SMS to ${to} · from ${summary.senderId}`;
}

function details(operation: Operation): Markup {
  const { summary, pages } = describe(operation);
  const parts = [
    mrkdwn`From ${summary.senderId}`,
    mrkdwn`${routes[summary.route].title} route`,
    mrkdwn`${pluralize(pages, 'page')}`,
    ...(operation.balance === undefined ? [] : [mrkdwn`balance ${operation.balance}`]),
    ...(operation.providerId === undefined ? [] : [mrkdwn`id \`${operation.providerId}\``]),
    timeFor(operation.endedAt ?? operation.createdAt),
  ];
  return joinInline(parts);
}

function describe(
  operation: Operation,
  numbers?: readonly PhoneNumber[],
): { summary: SendSummary; to: string; pages: number } {
  const summary = sendSummarySchema.parse(operation.summary);
  const named = numbers?.slice(0, summary.to.length).map((number) => nonBreaking(formatNumber(number)));
  const to = (named ?? summary.to).join(', ');
  const unnamed = summary.recipients - summary.to.length;
  return {
    summary,
    to: unnamed > 0 ? `${to} and ${unnamed} more` : to,
    pages: operation.pages ?? summary.pagesEach * summary.recipients,
  };
}

/** The same message can be tried again only if nothing was sent, and another key is not what it takes. */
function nextSteps(operation: Operation): KnownBlock[] {
  const { state, key, summary } = operation;
  const buttons = [
    ...((state === 'rejected' || state === 'not_sent') && !needsNewKey(operation)
      ? [button(againAction, 'Edit and try again', { value: key })]
      : []),
    ...(sendSummarySchema.parse(summary).recipients === 1 ? [doNotContactButton(key)] : []),
  ];
  return buttons.length === 0 ? [] : [actions('way_on', ...buttons)];
}
