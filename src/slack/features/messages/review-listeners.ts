import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { DraftContent } from '../../../services/messages/drafts.ts';
import type { FoundDraft } from '../../../services/messages/message-service.ts';
import type { ChannelAccess } from '../../block-kit/channel-access.ts';
import { describeReached } from '../../block-kit/descriptions/reached-limit.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage, UserError } from '../../middleware/errors.ts';
import { limitedError } from '../../middleware/not-performed.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { type ComposeMetadata, type ComposeSettings, composeView } from './compose-view.ts';
import { composeSettings } from './message-form.ts';
import { sendingMessage, sendingView, tooLate } from './outcome-view.ts';
import { createOutcomes } from './outcomes.ts';
import { createReviewDraft } from './review.ts';
import {
  describeNotSent,
  draftRefSchema,
  previewMessage,
  reviewActions,
  reviewCallback,
  reviewView,
} from './review-view.ts';

/** From the review on, in a modal or a message: *Send*, *Edit*, *Cancel*, and *Edit and try again*. */
export function registerReview(router: Router, context: AppContext): void {
  const { services, notifier, channels, log } = context;
  const { messages } = services;
  const outcomes = createOutcomes(services);
  const reviewDraft = createReviewDraft(services);

  router.submission(reviewCallback, 'send', async ({ user, metadata }) => {
    const ref = draftRefSchema.parse(metadata);
    return {
      view: sendingView(),
      background: async () => {
        const { draftId, version, listed } = ref;
        const sending = await messages.send({ ...user, draftId, version, listed });
        if (sending.kind === 'changed') {
          const access = await accessTo(channels, user.workspaceId, sending.draft.content);
          return reviewView(await reviewDraft(user, sending.draft), ref, { access });
        }
        if (sending.kind === 'limited') {
          throw limitedError(sending.limit, 'Nothing was sent.');
        }
        if (sending.kind !== 'performed') {
          throw new UserError(describeNotSent(sending), { isFinal: sending.kind !== 'not_connected' });
        }
        const delivery = await notifier.notify(sending.operation);
        return outcomes.view(sending.operation, { user, delivery, canAsk: services.providerHistory.isOn });
      },
    };
  });

  router.action(reviewActions.send, 'send', async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    let announced: Promise<void> = Promise.resolve();
    const sending = await messages.send({
      ...call.user,
      draftId: ref.draftId,
      version: ref.version,
      listed: ref.listed,
      starting: () => {
        announced = call
          .replaceMessage(sendingMessage())
          .catch((error: unknown) => log.warn({ err: error }, 'a preview could not be replaced'));
      },
    });
    await announced;
    if (sending.kind === 'changed') {
      const review = await reviewDraft(call.user, sending.draft);
      await call.replaceMessage(previewMessage(review, ref.origin));
    } else if (sending.kind === 'limited') {
      // The preview stays: it can be sent once the limit is free.
      await call.showLine(describeReached(sending.limit, 'Nothing was sent.'));
    } else if (sending.kind !== 'performed') {
      await call.replaceMessage(errorMessage(describeNotSent(sending)));
    } else {
      const { operation } = sending;
      const { delivered } = await notifier.notify(operation, call.replaceMessage);
      if (!delivered || operation.channelId !== undefined) {
        await call.replaceMessage(await outcomes.message(operation));
      }
    }
  });

  router.action(reviewActions.cancel, 'use', async (call) => {
    const { draftId } = draftRefSchema.parse(JSON.parse(call.value));
    const operation = await messages.cancel(call.user.workspaceId, draftId, call.user.userId);
    await call.replaceMessage(
      operation === undefined
        ? errorMessage(mrkdwn`Cancelled. Nothing was sent.`)
        : tooLate(await outcomes.message(operation)),
    );
  });

  router.closed(reviewCallback, async ({ user, metadata }) => {
    const { draftId } = draftRefSchema.parse(metadata);
    await messages.cancel(user.workspaceId, draftId, user.userId);
  });

  registerEdits(router, context);
}

/** Changes of the draft: *Edit*, *Replace with plain text*, and another one like it after a send that sent nothing. */
function registerEdits(router: Router, context: AppContext): void {
  const { services, channels, navigation } = context;
  const { messages, operations } = services;
  const settings = composeSettings(context);
  const reviewDraft = createReviewDraft(services);
  const outcomes = createOutcomes(services);

  /** Shows the outcome where the draft was sent meanwhile, and otherwise calls `change`. */
  async function unlessSent(
    call: ActionRequest,
    { draftId }: ComposeMetadata,
    change: (found: FoundDraft) => Promise<void>,
  ): Promise<void> {
    const found = await messages.find(call.user.workspaceId, draftId, call.user.userId);
    if (found.operation === undefined) {
      operations.refuseOutdated(draftId);
      await change(found);
    } else if (call.view === undefined) {
      await call.replaceMessage(await outcomes.message(found.operation));
    } else {
      await call.view.replace(await outcomes.view(found.operation));
    }
  }

  router.action(reviewActions.edit, 'send', async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    await unlessSent(call, ref, (found) => showForm(call, contentOf(found), ref, { settings, navigation }));
  });

  router.action(reviewActions.plainText, 'send', async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    const { workspaceId, userId } = call.user;
    await unlessSent(call, ref, async (found) => {
      const content = contentOf(found);
      const plain = { ...content, text: toPlainText(content.text) };
      const access = await accessTo(channels, workspaceId, content);
      const review = await reviewDraft(
        call.user,
        await messages.save(workspaceId, ref.draftId, userId, plain),
      );
      await (call.view?.replace(reviewView(review, ref, { access })) ??
        call.replaceMessage(previewMessage(review, ref.origin)));
    });
  });

  router.action(openActions.messageAgain, 'send', async (call) => {
    const { workspaceId, userId } = call.user;
    const found = await messages.find(workspaceId, call.value, userId);
    let draftId = idempotencyKey(workspaceId, call.value, 'again');
    while ((await messages.find(workspaceId, draftId, userId)).cancelled) {
      draftId = idempotencyKey(workspaceId, draftId, 'again');
    }
    operations.refuseOutdated(draftId);
    const shown = { draftId, origin: call.channelId };
    const { draft, operation } = found;
    const sent =
      draft === undefined && operation !== undefined ? await messages.sentContent(operation) : undefined;
    await showForm(call, sent ?? contentOf(found), shown, { settings, navigation });
  });
}

function contentOf({ draft, cancelled }: FoundDraft) {
  if (draft === undefined) {
    throw new UserError(describeNotSent({ kind: cancelled ? 'cancelled' : 'gone' }));
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
  call: ActionRequest,
  content: DraftContent,
  { draftId, origin, inMessage }: ComposeMetadata,
  { settings, navigation }: { settings: ComposeSettings; navigation: Pick<Navigation, 'replyForm'> },
): Promise<void> {
  if (content.replyTo !== undefined) {
    const reply = { threadId: content.replyTo, draftId, text: content.text };
    const view = await navigation.replyForm(call.user, reply);
    await call.show(view);
    return;
  }
  const { recipients, leftOut = [], senderId, media } = content;
  const form = composeView(
    {
      recipients: [...recipients.map(formatNumber), ...leftOut.map(({ text }) => text)].join('\n'),
      senderId,
      device: senderId,
      route: content.route,
      text: content.text,
      asFile: media !== undefined,
      address: media?.url,
      caption: media?.caption,
      destination: {
        inChannel: content.channelId !== undefined,
        channelId: content.channelId ?? origin,
        showNumbers: content.showNumbers === true,
      },
    },
    { draftId, origin, inMessage },
    settings,
  );
  await call.show(form);
}
