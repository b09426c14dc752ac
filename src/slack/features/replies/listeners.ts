import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { textToSend } from '../../../domain/messages/accents.ts';
import { checkText } from '../../../domain/messages/message-checks.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { orGone } from '../../../services/refusal.ts';
import type { ShownThread } from '../../../services/replies/replies.ts';
import type { ReplyThread } from '../../../store/replies/reply-threads.ts';
import type { Removal } from '../../../store/replies/suppression-records.ts';
import { context as contextBlock, loadingView, present, quotation, section } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/warnings.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, typedNumbers, userMention } from '../../block-kit/text.ts';
import { accentsField, offersAccents, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import { fieldsOfChosen, templateField } from '../../kit/template-field.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerReplySettings } from './settings.ts';
import { threadActions } from './thread-view.ts';

/** What is done about messages that came in, in their threads. */
export function registerReplies(router: Router, context: AppContext): void {
  const { services, navigation } = context;
  const { replies } = services;
  registerReplySettings(router, context);
  defineReplyForm(context).register(router);

  router.action(openActions.reply, 'send', async (call) => {
    const draftId = idempotencyKey(call.user.workspaceId, call.requestId);
    await call.push(await navigation.replyForm(call.user, { threadId: call.value, draftId }));
  });

  router.action(threadActions.assign, 'send', async (call) => {
    const thread = await replies.assign(call.user, call.value);
    await showDone(call, thread, mrkdwn`${stateIcons.done} Assigned to you.`);
  });

  router.action(threadActions.done, 'send', async (call) => {
    const thread = await replies.finish(call.user, call.value);
    await showDone(call, thread, mrkdwn`${stateIcons.done} Done.`);
  });

  async function findNumber({ user, value }: ActionRequest) {
    const thread = orGone(await replies.find(user.workspaceId, value), 'thread');
    const { data: number } = phoneNumberSchema.safeParse(thread.number);
    if (number === undefined) {
      throw new UserError(mrkdwn`The message came from a number that can’t receive calls or messages.`);
    }
    return number;
  }

  router.action(threadActions.number, 'look_up', async (call) => {
    const number = await findNumber(call);
    const show = await call.push(loadingView('Number lookup', 'Looking the number up…'));
    await show(await navigation.numberCard(call.user, number, call.requestId));
  });

  router.action(threadActions.doNotContact, 'look_up', async (call) => {
    const typed = typedNumbers([await findNumber(call)]);
    await call.push(await navigation.suppressionList(call.user, { typed }));
  });

  router.action(threadActions.removeAsAsked, 'administer', async (call) => {
    const removal = await replies.removeAsAsked(call.user.workspaceId, call.value);
    await call.showLine(removalWords[removal]);
  });
}

const removalWords: Readonly<Record<Removal, Markup>> = {
  removed: mrkdwn`${stateIcons.done} The number was removed from the do-not-contact list.`,
  was_not_listed: mrkdwn`The number was no longer on the do-not-contact list.`,
  listed_since: mrkdwn`${stateIcons.blocked} Not removed: the number opted out again, or was added to the do-not-contact list, after this message.`,
};

/** In a thread’s channel its parent message shows it. A message that came to a person by themselves doesn’t change. */
async function showDone(
  { channelId, showLine }: ActionRequest,
  thread: ReplyThread,
  done: Markup,
): Promise<void> {
  if (thread.message?.channel !== channelId) {
    await showLine(done);
  }
}

interface ReplyContext extends Pick<AppContext, 'services'> {
  navigation: Pick<Navigation, 'messageReview'>;
}

/** Returns a thread that can be answered. Throws a UserError with why it can’t be. */
async function findAnswerable({ services }: ReplyContext, workspaceId: string, id: string) {
  const thread = orGone(await services.replies.find(workspaceId, id), 'thread');
  const { sender } = thread;
  if (sender === undefined) {
    throw new UserError(
      mrkdwn`You can’t reply: the message wasn’t sent to a number or a device. Nothing was sent.`,
      { isFinal: true },
    );
  }
  return { ...thread, sender } satisfies ShownThread;
}

/** The form as it opens, and as it comes back from the review. */
export function createReplyForm(context: ReplyContext): Navigation['replyForm'] {
  const form = defineReplyForm(context);
  return (viewer, { threadId, draftId, text = '', withoutAccents = false }) =>
    form.view(viewer, { threadId, draftId }, { initial: { text, withoutAccents } });
}

const plainTextAction = 'reply_plain_text';

/** The form of a reply, for who may send: with the number in full, and what it answers. */
function defineReplyForm(context: ReplyContext) {
  const { replies, templates, unicode } = context.services;
  return defineForm({
    id: 'reply_form',
    title: 'Reply',
    submit: 'Review',
    needs: 'send',
    meta: z.object({ threadId: z.string(), draftId: z.string() }),
    fields: {
      template: templateField(context),
      text: textField('Message', { multiline: true, live: 'character', focus: true }),
      withoutAccents: accentsField(),
    },
    async load({ workspaceId, userId }, { threadId }) {
      const thread = await findAnswerable(context, workspaceId, threadId);
      const hasTemplates = await templates.areAny(workspaceId);
      return { thread, userId, latest: await replies.latest(thread), hasTemplates };
    },
    above: ({ data: { thread, userId, latest } }) => {
      const { state, assignedTo, sender } = thread;
      const number = phoneNumberSchema.parse(thread.number);
      const isAnothers = state === 'open' && assignedTo !== undefined && assignedTo !== userId;
      return present<KnownBlock>(
        section(mrkdwn`*To* ${number} · *From* ${sender.senderId}`),
        isAnothers && contextBlock(mrkdwn`${userMention(assignedTo)} is already handling this.`),
        latest !== undefined && latest.text.trim() !== '' && quotation(latest.text),
      );
    },
    notes: {
      text: ({ form: { text, withoutAccents }, data: { thread } }) =>
        textLengthBlocks(text, {
          route: thread.sender.route,
          unicode,
          withoutAccents,
          replaceAction: plainTextAction,
        }),
    },
    when: {
      template: (_, { hasTemplates }) => hasTemplates,
      withoutAccents: (form) => offersAccents(form, unicode),
    },
    replaces: { text: { action: plainTextAction, by: ({ text }) => toPlainText(text) } },
    fills: {
      template: {
        others: ['text', 'withoutAccents'],
        // Who a reply is from follows from what it answers.
        async by(user, { template }) {
          const fields = await fieldsOfChosen(context, user, template);
          return fields && { text: fields.text, withoutAccents: fields.withoutAccents };
        },
      },
    },
    async submitted({ user, meta, form }) {
      const content = textToSend(form.text, form.withoutAccents && !unicode);
      const fault = checkText(content.text, unicode);
      if (fault !== undefined) {
        return { faults: { text: fault } };
      }
      const { id, number, sender, message } = await findAnswerable(context, user.workspaceId, meta.threadId);
      return context.navigation.messageReview(user, meta.draftId, {
        recipients: [phoneNumberSchema.parse(number)],
        ...sender,
        ...content,
        replyTo: id,
        ...(message === undefined ? {} : { channelId: message.channel }),
      });
    },
  });
}
