import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { readMessageForm } from '../../../services/messages/message-form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { ActionView } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  composeActions,
  composeCallback,
  composeMetadata,
  composeView,
  fillSender,
  plainTextAction,
  readCompose,
} from './compose-view.ts';
import { composeSettings } from './message-form.ts';
import { createOutcomes } from './outcomes.ts';
import { createReviewDraft } from './review.ts';
import { cancelledText, checkingDndView, reviewView } from './review-view.ts';

/** The form of a message, up to its review. */
export function registerMessageForm(router: Router, context: AppContext): void {
  const { services, navigation, channels } = context;
  const { messages, workspaces, unicode } = services;
  const outcomes = createOutcomes(services);
  const reviewDraft = createReviewDraft(services);

  router.action(openActions.messageForm, 'send', async ({ user, requestId, open }) => {
    const draftId = idempotencyKey(user.workspaceId, requestId);
    await open(await navigation.messageForm(user, { recipients: '' }, { draftId }));
  });

  registerFormChanges(router, context);

  router.submission(composeCallback, 'send', async ({ user, values, metadata }) => {
    const { workspaceId, userId } = user;
    const opened = composeMetadata.parse(metadata);
    const { draftId, origin, inMessage } = opened;
    const form = readCompose(values, opened);
    const { country } = await workspaces.defaults(workspaceId);
    const { inChannel, channelId, showNumbers } = form.destination;
    const destinationId = inChannel ? channelId : undefined;
    const read = readMessageForm({ ...form, channelId: destinationId, showNumbers }, { country, unicode });
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { operation, cancelled } = await messages.find(workspaceId, draftId, userId);
    if (operation !== undefined) {
      return { view: await outcomes.view(operation) };
    }
    if (cancelled) {
      return { errors: { recipients: cancelledText } };
    }
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const review = async () =>
      reviewView(
        await reviewDraft(user, draft),
        { origin, inMessage },
        { duplicates: read.duplicates, access: channels.known(workspaceId, destinationId ?? '') },
      );
    return messages.reviewTakesTime(read.content)
      ? { view: checkingDndView(), background: review }
      : { view: await review() };
  });
}

/** What changes the form while it is open: a choice, typed text, *Replace with plain text*. */
function registerFormChanges(router: Router, context: AppContext): void {
  const settings = composeSettings(context);
  const formIn = async (view: ActionView) => {
    const metadata = composeMetadata.parse(view.metadata);
    const values = await view.rememberedValues();
    return { metadata, values, form: readCompose(values, metadata) };
  };

  router.action(composeActions.route, 'send', async ({ user, view }) => {
    if (view !== undefined) {
      const { form, values, metadata } = await formIn(view);
      const begin = await context.services.messages.prefill(user.workspaceId, user.userId);
      const sender = fillSender(form, values, begin);
      await view.replace(composeView({ ...form, ...sender }, metadata, settings));
    }
  });

  for (const field of ['what', 'text', 'replacedText', 'place'] as const) {
    router.action(composeActions[field], 'send', async ({ view }) => {
      if (view !== undefined) {
        const { form, metadata } = await formIn(view);
        await view.replace(composeView(form, metadata, settings));
      }
    });
  }

  router.action(plainTextAction, 'send', async ({ view }) => {
    if (view !== undefined) {
      const { form, metadata } = await formIn(view);
      const replaced = (metadata.replaced ?? 0) + 1;
      const plain = { ...form, text: toPlainText(form.text) };
      await view.replace(composeView(plain, { ...metadata, replaced }, settings));
    }
  });
}
