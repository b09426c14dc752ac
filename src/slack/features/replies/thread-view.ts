import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { formatNumber, maskNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ShownThread } from '../../../services/replies/replies.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import type { InboundMessage, StopAnswerNote } from '../../../store/replies/reply-threads.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { describeArrival } from '../../block-kit/descriptions/deliveries.ts';
import { failureLines } from '../../block-kit/descriptions/outcome.ts';
import { clampText, limits } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { operationIcons, stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import { doNotContactButton } from '../../navigation/open-actions.ts';
import type { OutcomeRenderer } from '../../notifier/outcome.ts';

export const threadActions = {
  reply: 'reply_open',
  assign: 'reply_assign',
  done: 'reply_done',
  number: 'reply_number',
  doNotContact: 'reply_do_not_contact',
  removeAsAsked: 'reply_remove_as_asked',
} as const;

/** The parent of a number’s thread: its first message, how it stands, and what can be done. The number is masked. */
export function parentMessage(thread: ShownThread, first: InboundMessage | undefined): SlackMessage {
  const { id: value, state, sender, receiver, assignedTo, lastBy, lastAt } = thread;
  const to = receiver === undefined ? mrkdwn`` : mrkdwn` to ${receiver}`;
  const title = mrkdwn`:incoming_envelope: *Message from ${shownNumber(thread)}*${to}`;
  const open = assignedTo === undefined ? mrkdwn`*Open*` : mrkdwn`*Assigned to* ${userMention(assignedTo)}`;
  const stands = state === 'done' ? mrkdwn`${stateIcons.done} *Done*` : open;
  const author = lastBy === undefined ? mrkdwn`the customer` : userMention(lastBy);
  const cannotAnswer =
    receiver === undefined
      ? mrkdwn`You can’t reply here: the provider doesn’t say which sender received the message.`
      : mrkdwn`You can’t reply here: this sender can’t receive replies.`;
  return message(inWords(title, thread, first), [
    section(title),
    ...(first === undefined ? [] : said(first)),
    context(
      joinInline([stands, mrkdwn`last message from ${author}, ${timeFor(lastAt)}`]),
      ...switchedOn(thread),
    ),
    ...(sender === undefined ? [context(cannotAnswer)] : []),
    actions(
      'reply',
      ...present(
        sender && button(threadActions.reply, 'Reply', { value, style: 'primary' }),
        button(threadActions.assign, 'Assign to me', { value }),
        state !== 'done' && button(threadActions.done, 'Done', { value }),
        button(threadActions.number, 'Look up', { value, label: 'Look up the number' }),
        doNotContactButton(value, threadActions.doNotContact),
      ),
    ),
  ]);
}

/** A later message of the number, in its thread. */
export function laterMessage(thread: ShownThread, later: InboundMessage): SlackMessage {
  const title = mrkdwn`*${shownNumber(thread)}* replied ${timeFor(later.receivedAt)}`;
  return message(inWords(title, thread, later), [
    section(title),
    ...said(later),
    ...switchedOn(thread).map((line) => context(line)),
  ]);
}

/** The message without its blocks: where Slack rejects those, it is all that people have of what was written. */
function inWords(title: Markup, thread: ShownThread, shown: InboundMessage | undefined): Markup {
  const text = clampText(shown?.text ?? '', limits.sectionText);
  return mrkdwn`${[title, mrkdwn`${text}`, ...switchedOn(thread)]}`;
}

function said({ id, text, answer }: InboundMessage): KnownBlock[] {
  const remove = button(threadActions.removeAsAsked, 'Remove from do-not-contact list', {
    value: id,
    confirm: confirmDialog({
      title: 'Remove from list?',
      text: 'Campaigns can include this number again.',
      yes: 'Remove',
      no: 'Keep',
      danger: true,
    }),
  });
  return [
    text.trim() === '' ? context(mrkdwn`The message has no text.`) : quotation(text),
    ...(answer === undefined ? [] : [context(answerNotes[answer])]),
    ...(answer === 'undated_start' ? [actions('reply_answer', remove)] : []),
  ];
}

const answerNotes: Readonly<Record<StopAnswerNote, Markup>> = {
  stop: mrkdwn`${stateIcons.blocked} The number is on the do-not-contact list.`,
  start: mrkdwn`Opted back in.`,
  older_stop: mrkdwn`This STOP is older than the last opt-in, so it changes nothing.`,
  older_start: mrkdwn`This START is older than the last opt-out, so the number stays on the do-not-contact list.`,
  undated_start: mrkdwn`${stateIcons.unconfirmed} *Asked to opt back in, but it isn’t known when this was sent.* It may be older than their last STOP, so the number stays on the do-not-contact list until an admin removes it.`,
};

function switchedOn({ setBy }: ShownThread): Markup[] {
  return setBy === undefined ? [] : [switchedOnBy(setBy)];
}

/** Who chose the channel: what an app posts in one says who wanted it there. */
function switchedOnBy(userId: string): Markup {
  return mrkdwn`Replies switched on by ${userMention(userId)}`;
}

/** Masked, as for every channel. A short code is nobody’s phone. */
function shownNumber({ number }: ShownThread): string {
  const { data: phone } = phoneNumberSchema.safeParse(number);
  return phone === undefined ? `${number.slice(1, 3)}•••` : maskNumber(phone);
}

const stopSummarySchema = z.object({ senderId: z.string(), to: z.array(z.string()) });

/** The confirmation of a stop: nobody presses a button for it. */
export const stopRenderer: OutcomeRenderer = {
  describe: ({ operation, deliveries }) => ({
    headline: describeStop(operation, deliveries),
    by: switchedOnBy(operation.userId),
  }),
  line(operation, [number] = []) {
    const { senderId, to } = stopSummarySchema.parse(operation.summary);
    const shown = number === undefined ? to.join(', ') : nonBreaking(formatNumber(number));
    return mrkdwn`Stop confirmed to ${shown} · from ${senderId}`;
  },
};

function describeStop(operation: Operation, deliveries: readonly MessageDelivery[]): Markup {
  const to = stopSummarySchema.parse(operation.summary).to.join(', ');
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Confirming the stop* to ${to}.`;
    case 'accepted': {
      const { icon, word, end } = describeArrival({ deliveries, recipients: 1 });
      return word === 'Sent' || word === 'On its way'
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
