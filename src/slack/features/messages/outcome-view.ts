import type { KnownBlock, ModalView } from '@slack/types';
import { routes } from '../../../domain/messages/routes.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { type SendSummary, sendSummarySchema } from '../../../services/messages/message-service.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { actions, button, context, notice, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { joinInline, type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import { doNotContactButton } from '../../navigation/do-not-contact-button.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';
import { pageWord } from './compose-view.ts';

export const againAction = 'sms_again';

/** How a send ended, for the person who sent it; with a way on where nothing was sent. */
export function messageOutcomeView(operation: Operation): ModalView {
  return notice(titles[operation.state], ...outcomeBlocks(operation), ...wayOn(operation));
}

export function outcomeMessage(operation: Operation): SlackMessage {
  return message(words(operation), [...outcomeBlocks(operation), ...wayOn(operation)]);
}

/** In answer to a *Cancel* that came after the send had begun. */
export function tooLateMessage(operation: Operation): SlackMessage {
  const outcome = outcomeMessage(operation);
  return { ...outcome, blocks: [context(mrkdwn`Too late to cancel: sending had begun.`), ...outcome.blocks] };
}

export const smsRenderer: OutcomeRenderer = { forUser: outcomeMessage, forChannel: channelMessage, line };

/** The same for a channel: who did it, no button, not the balance, numbers masked unless they are to be shown. */
function channelMessage(operation: Operation, numbers?: readonly PhoneNumber[]): SlackMessage {
  const by = mrkdwn`Sent by ${userMention(operation.userId)} with Switchboard`;
  const inFull = numbers?.map((number) => nonBreaking(formatNumber(number)));
  const shown = inFull === undefined ? [] : [section(mrkdwn`*To* ${inFull.join(', ')}`)];
  const { balance: _, ...told } = operation;
  return message(words(operation), [...outcomeBlocks(told), ...shown, context(by)]);
}

export function sendingView(): ModalView {
  return notice(
    'Sending',
    section(
      mrkdwn`:hourglass_flowing_sand: Sending… You may close this: the outcome also comes to you as a message.`,
    ),
  );
}

export function sendingMessage(): SlackMessage {
  const text = mrkdwn`:hourglass_flowing_sand: Sending…`;
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
  return [section(words(operation)), context(details(operation))];
}

/** What happened, whether anything was sent, and what to do next. */
function words(operation: Operation): Markup {
  const { to } = describe(operation);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`:hourglass_flowing_sand: *Still under way.* The message to ${to} is being sent; its outcome comes to you as a message.`;
    case 'accepted':
      return mrkdwn`:white_check_mark: *The provider accepted the message* to ${to}. That is not yet delivery to the handset.`;
    case 'rejected':
      return mrkdwn`:x: *The provider refused the message* to ${to}. Nothing was sent. ${operation.error?.message}`;
    case 'not_sent':
      return mrkdwn`:x: *The message to ${to} was not sent.* ${operation.error?.message}`;
    case 'unconfirmed':
      return mrkdwn`:warning: *Unconfirmed: the message to ${to} may have been sent.* ${operation.error?.message ?? 'The program stopped before the provider answered.'} It is not sent again by itself. Ask a recipient or look in the provider’s dashboard before you send it again.`;
  }
}

function line(operation: Operation): Markup {
  const { summary, to, pages } = describe(operation);
  return mrkdwn`SMS to ${to} · from ${summary.senderId} · ${routes[summary.route].title} · ${pageWord(pages)}`;
}

function details(operation: Operation): Markup {
  const { summary, pages } = describe(operation);
  const parts = [
    mrkdwn`From ${summary.senderId}`,
    mrkdwn`${routes[summary.route].title} route`,
    mrkdwn`${pageWord(pages)}`,
    ...(operation.balance === undefined ? [] : [mrkdwn`balance ${operation.balance}`]),
    ...(operation.providerId === undefined ? [] : [mrkdwn`id \`${operation.providerId}\``]),
    timeFor(operation.endedAt ?? operation.createdAt),
  ];
  return mrkdwn`${joinInline(parts)}`;
}

function describe(operation: Operation): { summary: SendSummary; to: string; pages: number } {
  const summary = sendSummarySchema.parse(operation.summary);
  const unnamed = summary.recipients - summary.to.length;
  return {
    summary,
    to: unnamed > 0 ? `${summary.to.join(', ')} and ${unnamed} more` : summary.to.join(', '),
    pages: operation.pages ?? summary.pagesEach * summary.recipients,
  };
}

/** Only where nothing was sent may the same message be tried again at a click. */
function wayOn({ state, key, summary }: Operation): KnownBlock[] {
  const buttons = [
    ...(state === 'rejected' || state === 'not_sent'
      ? [button(againAction, 'Edit and try again', { value: key })]
      : []),
    ...(sendSummarySchema.parse(summary).recipients === 1 ? [doNotContactButton(key)] : []),
  ];
  return buttons.length === 0 ? [] : [actions('way_on', ...buttons)];
}
