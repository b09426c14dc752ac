import { checkText } from '../../../domain/messages/message-checks.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ReplyThread } from '../../../store/replies/replies.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import {
  type ReplyMetadata,
  readReplyText,
  replyActions,
  replyCallback,
  replyMetadata,
  replyPlainTextAction,
  replyView,
} from './form-view.ts';
import { findAnswerable, threadGone } from './reply-form.ts';
import { registerReplySettings } from './settings-listeners.ts';
import { threadActions } from './thread-view.ts';

/** What is done about messages that came in, in their threads. */
export function registerReplies(router: Router, context: AppContext): void {
  const { services, navigation } = context;
  const { replies, suppressionList } = services;
  registerReplySettings(router, context);
  registerReplyForm(router, context);

  router.action(threadActions.reply, 'send', async (call) => {
    const draftId = idempotencyKey(call.user.workspaceId, call.requestId);
    await call.open(await navigation.replyForm(call.user, { threadId: call.value, draftId }));
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
    const thread = await replies.find(user.workspaceId, value);
    if (thread === undefined) {
      throw threadGone();
    }
    const { data: number } = phoneNumberSchema.safeParse(thread.number);
    if (number === undefined) {
      throw new UserError(mrkdwn`The message came from a number that can’t be called or written to.`);
    }
    return number;
  }

  router.action(threadActions.number, 'look_up', async (call) => {
    const number = await findNumber(call);
    const show = await call.push(loadingView('Number lookup', 'Looking the number up…'));
    await show(await navigation.numberCard(call.user, number, call.requestId));
  });

  router.action(threadActions.doNotContact, 'use', async (call) => {
    const numbers = [await findNumber(call)];
    const { added } = await suppressionList.add({ ...call.user, numbers, source: { kind: 'message' } });
    await call.showLine(
      added === 0
        ? mrkdwn`The number was on the do-not-contact list already.`
        : mrkdwn`${stateIcons.done} The number is on the do-not-contact list.`,
    );
  });
}

/** In a thread’s channel its head shows it. A message that came to a person by themselves doesn’t change. */
async function showDone(
  { channelId, showLine }: ActionRequest,
  thread: ReplyThread | undefined,
  done: Markup,
): Promise<void> {
  if (thread === undefined) {
    throw threadGone();
  }
  if (thread.message?.channel !== channelId) {
    await showLine(done);
  }
}

function registerReplyForm(router: Router, context: AppContext): void {
  const { services, navigation } = context;
  const { replies, unicode } = services;

  async function update(
    { user, view }: ActionRequest,
    change: (text: string, metadata: ReplyMetadata) => { text: string; metadata: ReplyMetadata },
  ): Promise<void> {
    if (view !== undefined) {
      const typed = readReplyText(await view.rememberedValues());
      const { text, metadata } = change(typed, replyMetadata.parse(view.metadata));
      const thread = await findAnswerable(context, user.workspaceId, metadata.threadId);
      const latest = await replies.latest(thread);
      await view.replace(replyView(thread, metadata, { text, latest, unicode, userId: user.userId }));
    }
  }

  for (const actionId of Object.values(replyActions)) {
    router.action(actionId, 'send', (call) => update(call, (text, metadata) => ({ text, metadata })));
  }

  router.action(replyPlainTextAction, 'send', (call) =>
    update(call, (text, { replaced = 0, ...opened }) => ({
      text: toPlainText(text),
      metadata: { ...opened, replaced: replaced + 1 },
    })),
  );

  router.submission(replyCallback, 'send', async ({ user, values, metadata }) => {
    const opened = replyMetadata.parse(metadata);
    const text = readReplyText(values);
    const fault = checkText(text, unicode);
    if (fault !== undefined) {
      return { errors: { text: fault } };
    }
    const { id, number, sender, message } = await findAnswerable(context, user.workspaceId, opened.threadId);
    return navigation.messageReview(user, opened.draftId, {
      recipients: [phoneNumberSchema.parse(number)],
      ...sender,
      text,
      replyTo: id,
      ...(message === undefined ? {} : { channelId: message.channel }),
    });
  });
}
