import type { ModalView } from '@slack/types';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { textToSend } from '../../../domain/messages/accents.ts';
import { checkText } from '../../../domain/messages/message-checks.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { type DraftContent, findFixes } from '../../../services/messages/drafts.ts';
import { type FoundDraft, whyNoDraft } from '../../../services/messages/message-service.ts';
import { ifRefused, Refusal } from '../../../services/refusal.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { present } from '../../block-kit/build.ts';
import type { ChannelAccess } from '../../block-kit/descriptions/channel-note.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage, UserError } from '../../middleware/errors.ts';
import { addToRefusal, changedSinceShown, explainRefusal } from '../../middleware/explain-refusal.ts';
import type { ActionRequest, AskAgain, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { createDraftForm } from './compose.ts';
import {
  alreadyAgain,
  messageActions,
  outcomeForSender,
  outcomeMessageForSender,
  sendingMessage,
  sendingView,
  tooLate,
} from './outcome-view.ts';
import {
  type DraftOrigin,
  type DraftRef,
  draftRefSchema,
  faultsMessage,
  reviewActions,
  reviewCallback,
  reviewDraft,
  reviewMessage,
  reviewView,
} from './review.ts';

const nothingSent = 'Nothing was sent.';

/** From the review on, in a modal or a message: *Send*, *Edit*, *Cancel*, and *Send again*. */
export function registerReview(router: Router, context: AppContext): void {
  const { messages } = context.services;

  router.submission(reviewCallback, 'send', async ({ user, metadata }) => {
    const ref = draftRefSchema.parse(metadata);
    return { view: sendingView(), background: () => sendFromModal(context, user, ref) };
  });

  router.action(reviewActions.send, 'send', async (call) => {
    if (call.view === undefined) {
      await sendFromMessage(context, call);
      return;
    }
    await call.view.replace(sendingView());
    const next = await sendFromModal(context, call.user, draftRefSchema.parse(JSON.parse(call.value)));
    const isShown = await call.view.replace('ifClosed' in next ? next.view : next);
    if (!isShown && 'ifClosed' in next) {
      throw new UserError(next.ifClosed);
    }
  });

  router.action(reviewActions.cancel, 'use', async (call) => {
    const { draftId } = draftRefSchema.parse(JSON.parse(call.value));
    const operation = await messages.cancel(call.user.workspaceId, draftId, call.user.userId);
    await call.replaceMessage(
      operation === undefined
        ? errorMessage(mrkdwn`Cancelled. Nothing was sent.`)
        : tooLate(await outcomeMessageForSender(context, operation)),
    );
  });

  router.closed(reviewCallback, async ({ user, metadata }) => {
    const { draftId } = draftRefSchema.parse(metadata);
    await messages.cancel(user.workspaceId, draftId, user.userId);
  });

  for (const kind of ['received', 'notReceived'] as const) {
    router.action(messageActions[kind], 'use', async (call) => {
      const { workspaceId, userId } = call.user;
      const as = kind === 'received' ? 'received' : 'not_received';
      const operation = await context.services.operations.mark(workspaceId, call.value, userId, as);
      await (call.view === undefined
        ? call.replaceMessage(await outcomeMessageForSender(context, operation))
        : call.view.replace(await outcomeForSender(context, operation)));
    });
  }

  registerEdits(router, context);
}

async function sendFromModal(context: AppContext, user: User, ref: DraftRef): Promise<ModalView | AskAgain> {
  const { services, notifier, channels } = context;
  const { draftId, version, listed, seen } = ref;
  const sending = await services.messages
    .send({ ...user, draftId, version, listed, seen })
    .catch(addToRefusal(nothingSent));
  if (sending.kind === 'changed') {
    const access = await accessTo(channels, user.workspaceId, sending.draft.content);
    const { draft, changes } = sending;
    const view = reviewView(await reviewDraft(context, user, draft), ref, { access, changes });
    return { view, ifClosed: changedSinceShown(nothingSent) };
  }
  // Without a channel, the outcome also comes as a direct message, because the modal may be closed.
  const delivery = await notifier.notify(sending.operation);
  return outcomeForSender(context, sending.operation, { user, delivery });
}

async function sendFromMessage(context: AppContext, call: ActionRequest): Promise<void> {
  const { services, notifier, log } = context;
  const { draftId, version, listed, seen, origin } = draftRefSchema.parse(JSON.parse(call.value));
  let announced: Promise<void> = Promise.resolve();
  const sending = await services.messages
    .send({
      ...call.user,
      draftId,
      version,
      listed,
      seen,
      starting: () => {
        announced = call
          .replaceMessage(sendingMessage())
          .catch((error: unknown) => log.warn({ err: error }, 'a review could not be replaced'));
      },
    })
    // Not if a limit was reached, because it can be sent later.
    .catch(
      ifRefused(['not_connected', 'cancelled', 'gone', 'incomplete'], (reason) =>
        call.replaceMessage(errorMessage(explainRefusal(reason, nothingSent))),
      ),
    )
    .catch(addToRefusal(nothingSent));
  await announced;
  if (sending === undefined) {
    return;
  }
  if (sending.kind === 'changed') {
    const review = await reviewDraft(context, call.user, sending.draft);
    await call.replaceMessage(reviewMessage(review, origin, { changes: sending.changes }));
  } else {
    const { operation } = sending;
    const { postedHere } = await notifier.notify(operation, call.replaceMessage);
    if (!postedHere || operation.channelId !== undefined) {
      await call.replaceMessage(await outcomeMessageForSender(context, operation));
    }
  }
}

/** Changes of the draft: *Edit*, *Replace with plain text*, and another one like it after a send that sent nothing. */
function registerEdits(router: Router, context: AppContext): void {
  const { services, channels } = context;
  const { messages, operations } = services;

  router.action(reviewActions.edit, 'send', async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    await unlessSent(context, call, ref, (found) => showForm(context, call, contentOf(found), ref));
  });

  const rewrites = {
    [reviewActions.plainText]: ({ text, accented }: DraftContent) => ({
      text: toPlainText(text),
      accented: accented && toPlainText(accented),
    }),
    [reviewActions.withoutAccents]: ({ text }: DraftContent) => textToSend(text, true),
    [reviewActions.reviewAgain]: () => ({}),
  };
  for (const [action, rewrite] of Object.entries(rewrites)) {
    router.action(action, 'send', async (call) => {
      const ref = draftRefSchema.parse(JSON.parse(call.value));
      const { workspaceId, userId } = call.user;
      await unlessSent(context, call, ref, async (found) => {
        const content = contentOf(found);
        const access = await accessTo(channels, workspaceId, content);
        const changed = { ...content, ...rewrite(content) };
        const draft = await messages.save(workspaceId, ref.draftId, userId, changed);
        const { unicode, senderIds } = services;
        const rules = { unicode, active: await senderIds.activeFor(workspaceId, changed) };
        const fixes = findFixes(changed, rules);
        if (fixes.plainText || fixes.accents) {
          const { commandPrefix } = context.settings;
          const faults = present(checkText(changed.text, unicode));
          await call.replaceMessage(
            faultsMessage(faults, draft, { origin: ref.origin, commandPrefix, fixes }),
          );
          return;
        }
        const review = await reviewDraft(context, call.user, draft);
        await (call.view?.replace(reviewView(review, ref, { access })) ??
          call.replaceMessage(reviewMessage(review, ref.origin)));
      });
    });
  }

  router.action(openActions.messageAgain, 'send', async (call) => {
    const { workspaceId, userId } = call.user;
    const found = await messages.find(workspaceId, call.value, userId);
    // Sends again that were cancelled or came to nothing leave their key. Whom the others went to gets it no third time.
    let draftId = idempotencyKey(workspaceId, call.value, 'again');
    let last: Operation | undefined;
    let areAllKnown = true;
    const reached = new Set<PhoneNumber>();
    for (;;) {
      const repeat = await messages.find(workspaceId, draftId, userId);
      if (repeat.operation === undefined && !repeat.cancelled) {
        break;
      }
      if (repeat.operation !== undefined && !['rejected', 'not_sent'].includes(repeat.operation.state)) {
        last = repeat.operation;
        const went = await messages.sent(last);
        areAllKnown &&= went.kind === 'kept';
        for (const number of went.kind === 'kept' ? went.numbers : []) {
          reached.add(number);
        }
      }
      draftId = idempotencyKey(workspaceId, draftId, 'again');
    }
    operations.refuseOutdated(draftId);
    const shown = { draftId, origin: call.channelId };
    const { draft, operation } = found;
    if (operation?.state === 'unconfirmed' && operation.mark?.kind !== 'not_received') {
      throw new UserError(mrkdwn`This message may have been sent. Nothing was sent again.`);
    }
    const sent = operation && (await messages.contentAgain(operation));
    if (
      operation !== undefined &&
      sent === undefined &&
      (draft === undefined || operation.state === 'accepted')
    ) {
      throw new UserError(mrkdwn`This message’s text has been deleted. Nothing was sent. Write it again.`);
    }
    if (sent?.recipients.length === 0) {
      throw new UserError(mrkdwn`This message has been delivered since. Nothing was sent.`);
    }
    const content = sent ?? contentOf(found);
    const recipients = content.recipients.filter((number) => !reached.has(number));
    if (last !== undefined && (recipients.length === 0 || !areAllKnown)) {
      await call.show(alreadyAgain(await outcomeForSender(context, last), last));
      return;
    }
    // The draft keeps what it sends again.
    await messages.save(workspaceId, draftId, userId, { ...content, recipients });
    await showForm(context, call, { ...content, recipients }, shown);
  });
}

/** Shows the outcome where the draft was sent meanwhile, and otherwise calls `change`. */
async function unlessSent(
  context: AppContext,
  call: ActionRequest,
  { draftId }: DraftOrigin,
  change: (found: FoundDraft) => Promise<void>,
): Promise<void> {
  const { messages, operations } = context.services;
  const found = await messages.find(call.user.workspaceId, draftId, call.user.userId);
  if (found.operation === undefined) {
    operations.refuseOutdated(draftId);
    await change(found);
  } else if (call.view === undefined) {
    await call.replaceMessage(await outcomeMessageForSender(context, found.operation));
  } else {
    await call.view.replace(await outcomeForSender(context, found.operation));
  }
}

function contentOf({ draft, cancelled }: FoundDraft) {
  if (draft === undefined) {
    throw new Refusal(whyNoDraft(cancelled));
  }
  return draft.content;
}

/** Returns whether the app can post in the channel of a message; undefined where it goes to none. */
async function accessTo(
  channels: AppContext['channels'],
  workspaceId: string,
  { channelId }: DraftContent,
): Promise<ChannelAccess | undefined> {
  return channelId === undefined ? undefined : channels.check(workspaceId, channelId);
}

async function showForm(
  context: AppContext,
  call: ActionRequest,
  content: DraftContent,
  { draftId, origin, inMessage }: DraftOrigin,
): Promise<void> {
  if (content.replyTo !== undefined) {
    const { replyTo: threadId, text, accented } = content;
    const reply = { threadId, draftId, text: accented ?? text, withoutAccents: accented !== undefined };
    await call.show(await context.navigation.replyForm(call.user, reply));
    return;
  }
  const showDraft = createDraftForm(context);
  await call.show(await showDraft(call.user, content, { draftId, origin, inMessage }));
}
