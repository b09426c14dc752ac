import { readMessageForm } from '../../../services/messages/message-form.ts';
import { errorsByBlock } from '../../block-kit/errors-by-block.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  composeActions,
  composeCallback,
  composeMetadata,
  composeView,
  fieldBlocks,
  messageForm,
  readCompose,
} from './compose-view.ts';
import { messageOutcomeView } from './outcome-view.ts';
import { cancelledText, checkingDndView, reviewView } from './review-view.ts';

/** The form of a message, up to its review. */
export function registerMessageForm(router: Router, { services, channels }: AppContext): void {
  const { messages, workspaces, unicode } = services;

  router.action(openActions.messageForm, async ({ user, requestId, open }) => {
    const { senderId, route } = await workspaces.defaults(user.workspaceId);
    const draftId = idempotencyKey(user.workspaceId, requestId);
    await open(messageForm({ recipients: '', senderId, route, text: '' }, { draftId }));
  });

  for (const actionId of Object.values(composeActions)) {
    router.action(actionId, async ({ view }) => {
      if (view !== undefined) {
        const metadata = composeMetadata.parse(view.metadata);
        await view.replace(composeView(readCompose(view.rememberedValues(), metadata.origin), metadata));
      }
    });
  }

  router.submission(composeCallback, async ({ user, values, metadata }) => {
    const { workspaceId, userId } = user;
    const { draftId, origin, inMessage } = composeMetadata.parse(metadata);
    const form = readCompose(values, origin);
    const { country } = await workspaces.defaults(workspaceId);
    const { inChannel, channelId, showNumbers } = form.destination;
    const destinationId = inChannel ? channelId : undefined;
    const read = readMessageForm({ ...form, channelId: destinationId, showNumbers }, { country, unicode });
    if (!read.ok) {
      return { errors: errorsByBlock(read.faults, fieldBlocks) };
    }
    const { operation, cancelled } = await messages.find(workspaceId, draftId, userId);
    if (operation !== undefined) {
      return { view: messageOutcomeView(operation) };
    }
    if (cancelled) {
      return { errors: { [fieldBlocks.recipients]: cancelledText } };
    }
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const review = async () =>
      reviewView(
        await messages.review(workspaceId, draft),
        { origin, inMessage },
        { duplicates: read.duplicates, access: channels.known(destinationId ?? '') },
      );
    return messages.reviewTakesTime(read.content)
      ? { view: checkingDndView(), background: review }
      : { view: await review() };
  });
}
