import type { KnownBlock, ModalView } from '@slack/types';
import { readReportedStatus } from '../../../domain/deliveries/delivery-status.ts';
import { isBilledByPage, routes } from '../../../domain/messages/routes.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { type SendSummary, sendSummarySchema } from '../../../services/messages/message-service.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, context, notice, performingView, present, section } from '../../block-kit/build.ts';
import { dndAdvice } from '../../block-kit/descriptions/campaign-counts.ts';
import { describeArrival } from '../../block-kit/descriptions/deliveries.ts';
import { failureLines, outcomeTitle } from '../../block-kit/descriptions/outcome.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatMoney, pluralize } from '../../block-kit/plural.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { type LastModal, lastModalBlocks, lastModalSteps } from '../../middleware/last-modal.ts';
import { doNotContactButton, sendAgainButtons } from '../../navigation/open-actions.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';

/** How a send ended, for the user who sent it. `numbers`: its recipients in full. */
export function messageOutcomeView(
  operation: Operation,
  { numbers, modal }: { numbers?: readonly PhoneNumber[] | undefined; modal?: LastModal | undefined } = {},
): ModalView {
  return notice(
    outcomeTitle('Message', operation.state),
    ...outcomeBlocks(operation, numbers),
    ...lastModalBlocks(operation, modal),
    ...lastModalSteps(nextSteps(operation), operation, modal),
  );
}

export function outcomeMessage(
  operation: Operation,
  numbers?: readonly PhoneNumber[],
  deliveries: readonly MessageDelivery[] = [],
): SlackMessage {
  return message(describeOutcome(operation, numbers, deliveries), [
    ...outcomeBlocks(operation, numbers, deliveries),
    ...nextSteps(operation),
  ]);
}

/** The response to a *Cancel* that came after the send had begun, above its outcome. */
export function tooLate(outcome: SlackMessage): SlackMessage {
  return { ...outcome, blocks: [context(mrkdwn`Too late to cancel: sending had begun.`), ...outcome.blocks] };
}

export const smsRenderer: OutcomeRenderer = { forUser: outcomeMessage, forChannel: channelMessage, line };

/** The outcome for a channel: with the sender, without buttons and balance, and with numbers in full only if asked for. */
function channelMessage(
  operation: Operation,
  numbers?: readonly PhoneNumber[],
  deliveries: readonly MessageDelivery[] = [],
): SlackMessage {
  const by = mrkdwn`Sent by ${userMention(operation.userId)} with Switchboard`;
  const inFull = numbers?.map((number) => nonBreaking(formatNumber(number)));
  const shown = inFull === undefined ? [] : [section(mrkdwn`*To* ${inFull.join(', ')}`)];
  const { balance: _, ...withoutBalance } = operation;
  return message(describeOutcome(operation, undefined, deliveries), [
    ...outcomeBlocks(withoutBalance, undefined, deliveries),
    ...shown,
    context(by),
  ]);
}

export function sendingView(): ModalView {
  return performingView('Message', 'Sending…', 'sent');
}

/** In place of a preview whose send is in the history. */
export function sendingMessage(): SlackMessage {
  const text = mrkdwn`${operationIcons.underway} Sending… If this doesn’t change, the outcome comes as a message.`;
  return message(text, [section(text)]);
}

function outcomeBlocks(
  operation: Operation,
  numbers?: readonly PhoneNumber[],
  deliveries: readonly MessageDelivery[] = [],
): KnownBlock[] {
  const { skipped = 0, route } = sendSummarySchema.parse(operation.summary);
  const mayBeDnd = deliveries.some(({ status }) => readReportedStatus(status).mayBeDnd);
  const advice = dndAdvice(route, mayBeDnd);
  return [
    section(describeOutcome(operation, numbers, deliveries)),
    ...present(
      advice && context(advice),
      skipped > 0 &&
        context(mrkdwn`Skipped ${pluralize(skipped, 'recipient')} who opted out after the review.`),
    ),
    context(details(operation, deliveries)),
  ];
}

/** What happened, whether anything was sent, and what to do next. */
function describeOutcome(
  operation: Operation,
  numbers?: readonly PhoneNumber[],
  deliveries: readonly MessageDelivery[] = [],
): Markup {
  const {
    to,
    summary: { recipients },
  } = describe(operation, numbers);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Sending* to ${to}. The outcome comes as a message.`;
    case 'accepted': {
      const { icon, word, toward, end } = describeArrival({ deliveries, recipients });
      return mrkdwn`${icon} *${word}* ${toward} ${to}${end}`;
    }
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

function details(operation: Operation, deliveries: readonly MessageDelivery[]): Markup {
  const { summary } = describe(operation);
  const { route, recipients, pagesEach } = summary;
  const { at } = describeArrival({ deliveries, recipients });
  const pages = operation.pages ?? pagesEach * recipients;
  return joinInline([
    mrkdwn`From ${summary.senderId}`,
    mrkdwn`${routes[route].title}`,
    ...(isBilledByPage(route) ? [mrkdwn`${pluralize(pages, 'page')}`] : []),
    ...(operation.balance === undefined ? [] : [mrkdwn`balance ${formatMoney(operation.balance)}`]),
    ...(operation.providerId === undefined ? [] : [mrkdwn`id \`${operation.providerId}\``]),
    timeFor(at ?? operation.endedAt ?? operation.createdAt),
  ]);
}

/** `numbers`: the recipients in full; without them, the masked ones of the summary. */
function describe(
  operation: Operation,
  numbers?: readonly PhoneNumber[],
): { summary: SendSummary; to: string } {
  const summary = sendSummarySchema.parse(operation.summary);
  const inFull = numbers?.slice(0, summary.to.length).map((number) => nonBreaking(formatNumber(number)));
  const named = (inFull ?? summary.to).join(', ');
  const unnamed = summary.recipients - summary.to.length;
  return { summary, to: unnamed > 0 ? `${named} and ${unnamed} more` : named };
}

/** The same message can be sent again only if nothing was sent. */
function nextSteps(operation: Operation): KnownBlock[] {
  const { key, summary } = operation;
  const buttons = [
    ...sendAgainButtons(operation),
    ...(sendSummarySchema.parse(summary).recipients === 1 ? [doNotContactButton(key)] : []),
  ];
  return buttons.length === 0 ? [] : [actions('way_on', ...buttons)];
}

/**
 * How a send ended, for its sender, who sees the recipients in full while the text of the message is kept. `modal`: of a last step, for
 * where the outcome was delivered.
 */
export async function outcomeForSender(
  context: Pick<AppContext, 'services' | 'log'>,
  operation: Operation,
  modal?: LastModal,
): Promise<ModalView> {
  return messageOutcomeView(operation, { numbers: await readRecipients(context, operation), modal });
}

/** The same as a message. */
export async function outcomeMessageForSender(
  context: Pick<AppContext, 'services' | 'log'>,
  operation: Operation,
): Promise<SlackMessage> {
  return outcomeMessage(operation, await readRecipients(context, operation));
}

/** An outcome is shown, with masked numbers, also where the database is lost right after the send. */
function readRecipients(
  { services: { messages }, log }: Pick<AppContext, 'services' | 'log'>,
  operation: Operation,
): Promise<readonly PhoneNumber[] | undefined> {
  return messages.recipients(operation).catch((error: unknown) => {
    log.warn({ err: error, operation: operation.id }, 'an outcome is shown without its full numbers');
    return undefined;
  });
}
