import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { FoundDraft } from '../../../services/messages/message-service.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage, UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { type ComposeMetadata, composeView } from './compose-view.ts';
import {
  againAction,
  messageOutcomeView,
  outcomeMessage,
  sendingMessage,
  sendingView,
  tooLateMessage,
} from './outcome-view.ts';
import {
  describeNotSent,
  draftRefSchema,
  previewMessage,
  reviewActions,
  reviewCallback,
  reviewView,
} from './review-view.ts';

/** From the review on, in a modal or a message: *Send*, *Edit*, *Cancel*, and *Edit and try again*. */
export function registerReview(router: Router, { services, notifier, channels, log }: AppContext): void {
  const { messages } = services;

  router.submission(reviewCallback, async ({ user, metadata }) => {
    const ref = draftRefSchema.parse(metadata);
    return {
      view: sendingView(),
      background: async () => {
        const sending = await messages.send({ ...user, draftId: ref.draftId, version: ref.version });
        if (sending.kind === 'changed') {
          const access = channels.known(sending.draft.content.channelId ?? '');
          return reviewView(await messages.review(user.workspaceId, sending.draft), ref, { access });
        }
        if (sending.kind !== 'performed') {
          throw new UserError(describeNotSent(sending), { isFinal: sending.kind !== 'not_connected' });
        }
        const delivery = await notifier.notify(sending.operation);
        return messageOutcomeView(sending.operation, { user, delivery });
      },
    };
  });

  router.action(reviewActions.send, async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    let announced: Promise<void> = Promise.resolve();
    const sending = await messages.send({
      ...call.user,
      draftId: ref.draftId,
      version: ref.version,
      starting: () => {
        announced = call
          .replaceMessage(sendingMessage())
          .catch((error: unknown) => log.warn({ err: error }, 'a preview could not be replaced'));
      },
    });
    await announced;
    if (sending.kind === 'changed') {
      const review = await messages.review(call.user.workspaceId, sending.draft);
      await call.replaceMessage(previewMessage(review, ref.origin));
    } else if (sending.kind !== 'performed') {
      await call.replaceMessage(errorMessage(describeNotSent(sending)));
    } else {
      const { operation } = sending;
      const { delivered } = await notifier.notify(operation, call.replaceMessage);
      if (!delivered || operation.channelId !== undefined) {
        await call.replaceMessage(outcomeMessage(operation));
      }
    }
  });

  router.action(reviewActions.cancel, async (call) => {
    const { draftId } = draftRefSchema.parse(JSON.parse(call.value));
    const operation = await messages.cancel(call.user.workspaceId, draftId, call.user.userId);
    await call.replaceMessage(
      operation === undefined
        ? errorMessage(mrkdwn`Cancelled. Nothing was sent.`)
        : tooLateMessage(operation),
    );
  });

  router.closed(reviewCallback, async ({ user, metadata }) => {
    const { draftId } = draftRefSchema.parse(metadata);
    await messages.cancel(user.workspaceId, draftId, user.userId);
  });

  registerEdits(router, services);
}

/** Back to the form: *Edit*, and *Edit and try again* after a send that sent nothing. */
function registerEdits(router: Router, { messages, operations }: AppContext['services']): void {
  router.action(reviewActions.edit, async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    const found = await messages.find(call.user.workspaceId, ref.draftId, call.user.userId);
    const { operation } = found;
    if (operation !== undefined) {
      await (call.view?.replace(messageOutcomeView(operation)) ??
        call.replaceMessage(outcomeMessage(operation)));
    } else {
      operations.refuseOutdated(ref.draftId);
      await showForm(call, found, ref);
    }
  });

  router.action(againAction, async (call) => {
    const { workspaceId, userId } = call.user;
    const found = await messages.find(workspaceId, call.value, userId);
    let draftId = idempotencyKey(workspaceId, call.value, 'again');
    while ((await messages.find(workspaceId, draftId, userId)).cancelled) {
      draftId = idempotencyKey(workspaceId, draftId, 'again');
    }
    operations.refuseOutdated(draftId);
    await showForm(call, found, { draftId, origin: call.channelId });
  });
}

async function showForm(
  call: ActionRequest,
  { draft, cancelled }: FoundDraft,
  { draftId, origin, inMessage }: ComposeMetadata,
): Promise<void> {
  const content = draft?.content;
  if (content === undefined) {
    throw new UserError(describeNotSent({ kind: cancelled ? 'cancelled' : 'gone' }));
  }
  const form = composeView(
    {
      recipients: content.recipients.map(formatNumber).join('\n'),
      senderId: content.senderId,
      device: content.senderId,
      route: content.route,
      text: content.text,
      asFile: content.media !== undefined,
      address: content.media?.url,
      caption: content.media?.caption,
      destination: {
        inChannel: content.channelId !== undefined,
        channelId: content.channelId ?? origin,
        showNumbers: content.showNumbers === true,
      },
    },
    { draftId, origin, inMessage },
  );
  await (call.view?.replace(form) ?? call.open(form));
}
