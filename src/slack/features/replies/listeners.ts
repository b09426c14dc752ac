import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { checkText } from '../../../domain/messages/message-checks.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { formatNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ShownThread } from '../../../services/replies/replies.ts';
import type { InboundMessage, ReplyThread } from '../../../store/replies/reply-threads.ts';
import { context, loadingView, modal, quotation, section } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/warnings.ts';
import { messageInput } from '../../block-kit/inputs/message-input.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking, userMention } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { registerReplySettings } from './settings.ts';
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

/** In a thread’s channel its parent message shows it. A message that came to a person by themselves doesn’t change. */
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

type Services = Pick<AppContext, 'services'>;

/** Returns a thread that can be answered. Throws a UserError with why it can’t be. */
async function findAnswerable({ services }: Services, workspaceId: string, id: string) {
  const thread = await services.replies.find(workspaceId, id);
  if (thread === undefined) {
    throw threadGone();
  }
  const { sender } = thread;
  if (sender === undefined) {
    throw new UserError(
      mrkdwn`This can’t be answered: the message didn’t come to a number or a device. Nothing was sent.`,
      { isFinal: true },
    );
  }
  return { ...thread, sender } satisfies ShownThread;
}

function threadGone(): UserError {
  return new UserError(
    mrkdwn`These messages aren’t kept any more, or belong to another workspace. Nothing was sent or changed.`,
    { isFinal: true },
  );
}

/** The form as it opens, and as it comes back from the review. */
export function createReplyForm(context: Services): Navigation['replyForm'] {
  const { replies, unicode } = context.services;
  return async ({ workspaceId, userId }, { threadId, draftId, text = '' }) => {
    const thread = await findAnswerable(context, workspaceId, threadId);
    const latest = await replies.latest(thread);
    return replyView(thread, { threadId, draftId }, { text, latest, unicode, userId });
  };
}

const replyCallback = 'reply_form';
const replyActions = { text: 'reply_text', replacedText: 'reply_replaced_text' } as const;
const replyPlainTextAction = 'reply_plain_text';

/** The thread that is answered, and the draft that the form writes. */
const replyMetadata = z.object({
  threadId: z.string(),
  draftId: z.string(),
  /** How many times the text was replaced by plain text. */
  replaced: z.number().int().optional(),
});
type ReplyMetadata = z.infer<typeof replyMetadata>;

function readReplyText(values: FormValues): string {
  return values.text?.text ?? '';
}

/** The form of a reply, for who may send: with the number in full, and what it answers. */
export function replyView(
  thread: ShownThread & { sender: NonNullable<ShownThread['sender']> },
  metadata: ReplyMetadata,
  {
    text,
    latest,
    unicode,
    userId,
  }: { text: string; latest: InboundMessage | undefined; unicode: boolean; userId: string },
): ModalView {
  const { number, sender, state, assignedTo } = thread;
  const isAnothers = state === 'open' && assignedTo !== undefined && assignedTo !== userId;
  return modal({
    callbackId: replyCallback,
    title: 'Reply',
    submit: 'Review',
    close: 'Cancel',
    metadata,
    blocks: [
      section(
        mrkdwn`*To* ${nonBreaking(formatNumber(phoneNumberSchema.parse(number)))} · *From* ${sender.senderId}`,
      ),
      ...(isAnothers ? [context(mrkdwn`${userMention(assignedTo)} is at it.`)] : []),
      ...(latest === undefined || latest.text.trim() === '' ? [] : [quotation(latest.text)]),
      messageInput(replyActions, text, { ...metadata, focus: true }),
      ...textLengthBlocks(text, { route: sender.route, unicode, replaceAction: replyPlainTextAction }),
    ],
  });
}
