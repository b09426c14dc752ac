import type { Button, KnownBlock, Overflow } from '@slack/types';
import { z } from 'zod';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ShownThread } from '../../../services/replies/replies.ts';
import type { InboundMessage, StopAnswerNote } from '../../../store/replies/reply-threads.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  menu,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { outcomeSentence, summarizeOutcome } from '../../block-kit/descriptions/outcome.ts';
import { clampText, limits } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { defineOutcome } from '../../kit/outcome.ts';
import { openActions } from '../../navigation/open-actions.ts';
import type { Describe } from '../../notifier/outcome.ts';

export const threadActions = {
  assign: 'reply_assign',
  done: 'reply_done',
  number: 'reply_number',
  doNotContact: 'reply_do_not_contact',
  removeAsAsked: 'reply_remove_as_asked',
} as const;

/** The parent of a number’s thread: its first message, its state, and its actions. The number is masked. */
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
    ...(first === undefined ? [] : messageBlocks(thread, first)),
    context(
      joinInline([stands, mrkdwn`last message from ${author}, ${timeFor(lastAt)}`]),
      ...switchedOn(thread),
    ),
    ...(sender === undefined ? [context(cannotAnswer)] : []),
    actions(
      'reply',
      ...present<Button | Overflow>(
        sender && button(openActions.reply, 'Reply', { value, style: 'primary' }),
        button(threadActions.assign, 'Assign to me', { value }),
        state !== 'done' && button(threadActions.done, 'Mark as done', { value }),
        menu(
          'reply_more',
          button(threadActions.number, 'Look up', { value }),
          button(threadActions.doNotContact, 'Add to do-not-contact list', { value }),
        ),
      ),
    ),
  ]);
}

/** A later message of the number, in its thread. */
export function laterMessage(thread: ShownThread, later: InboundMessage): SlackMessage {
  const title = mrkdwn`*${shownNumber(thread)}* replied ${timeFor(later.receivedAt)}`;
  return message(inWords(title, thread, later), [
    section(title),
    ...messageBlocks(thread, later),
    ...switchedOn(thread).map((line) => context(line)),
  ]);
}

/** The message without its blocks: if Slack rejects those, people read only this. */
function inWords(title: Markup, thread: ShownThread, shown: InboundMessage | undefined): Markup {
  const text = clampText(shown?.text ?? '', limits.sectionText);
  return mrkdwn`${[title, mrkdwn`${text}`, ...switchedOn(thread)]}`;
}

function messageBlocks(thread: ShownThread, { id, text, answer }: InboundMessage): KnownBlock[] {
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
  const add = button(threadActions.doNotContact, 'Add to do-not-contact list', { value: thread.id });
  return [
    text.trim() === '' ? context(mrkdwn`The message has no text.`) : quotation(text),
    ...(answer === undefined ? [] : [context(answerNotes[answer])]),
    ...(answer === 'undated_start' ? [actions('reply_answer', remove)] : []),
    ...(answer === 'unclear' ? [actions('reply_answer', add)] : []),
  ];
}

const answerNotes: Readonly<Record<StopAnswerNote, Markup>> = {
  stop: mrkdwn`${stateIcons.blocked} The number is on the do-not-contact list.`,
  start: mrkdwn`Opted back in.`,
  older_stop: mrkdwn`This STOP is older than the last opt-in, so it changes nothing.`,
  older_start: mrkdwn`This START is older than the last opt-out, so the number stays on the do-not-contact list.`,
  undated_start: mrkdwn`${stateIcons.unconfirmed} *Asked to opt back in, but it isn’t known when this was sent.* It may be older than their last STOP, so the number stays on the do-not-contact list until an admin removes it.`,
  unclear: mrkdwn`${stateIcons.unconfirmed} *May be an opt-out.* If they don’t want more messages, add the number to the do-not-contact list.`,
};

function switchedOn({ setBy }: ShownThread): Markup[] {
  return setBy === undefined ? [] : [switchedOnBy(setBy)];
}

/** Who chose the channel: what an app posts in one says who wanted it there. */
function switchedOnBy(userId: string): Markup {
  return mrkdwn`Replies turned on by ${userMention(userId)}`;
}

/** A number that isn’t known here, such as a short code, is always masked. */
function shownNumber({ number }: ShownThread): Markup {
  const { data: phone } = phoneNumberSchema.safeParse(number);
  return mrkdwn`${phone ?? `${number.slice(1, 3)}•••`}`;
}

const stopSummarySchema = z.object({ senderId: z.string(), to: z.array(z.string()) });

const notAgain = 'It won’t be sent again. The number is on the do-not-contact list either way.';

const stopOutcome = defineOutcome({
  title: () => 'Opt-out confirmation',
  line(operation, { sent }) {
    const { senderId, to } = stopSummarySchema.parse(operation.summary);
    const shown = sent?.numbers[0] ?? to.join(', ');
    return mrkdwn`Opt-out confirmed to ${shown} · from ${senderId}`;
  },
  subject: ({ summary }) =>
    mrkdwn`The opt-out confirmation to ${stopSummarySchema.parse(summary).to.join(', ')}`,
  outcome: ({ operation, deliveries }) => summarizeOutcome(operation, { deliveries, recipients: 1 }),
  accepted(operation, { deliveries }) {
    const sent = summarizeOutcome(operation, { deliveries, recipients: 1 });
    const word = `Opt-out confirmation ${sent.word.toLowerCase()}`;
    return outcomeSentence({ ...sent, word }, stopSummarySchema.parse(operation.summary).to.join(', '));
  },
  done: 'sent',
  check: notAgain,
  next: notAgain,
  nextSteps: () => [],
});

/** The confirmation of a stop: nobody presses a button for it. */
export const describeStop: Describe = (shown) => ({
  ...stopOutcome.describe(shown),
  by: switchedOnBy(shown.operation.userId),
});
