import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { Found } from '../../../services/messages/message-service.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal, troubleMessage } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { type ComposeMetadata, composeView } from './compose-view.ts';
import {
  againAction,
  outcomeMessage,
  outcomeView,
  sendingMessage,
  sendingView,
  tooLateMessage,
} from './outcome-view.ts';
import {
  draftRefSchema,
  previewMessage,
  reviewActions,
  reviewCallback,
  reviewView,
  whyNot,
} from './review-view.ts';

/** From the review on, in a modal or under a preview: *Send*, *Edit*, *Cancel*, and *Edit and try again*. */
export function listenToReviewing(listening: Listening, { services, telling, log }: Tools): void {
  const { messaging, operations } = services;

  listening.submission(reviewCallback, async ({ asker, metadata }) => {
    const ref = draftRefSchema.parse(metadata);
    return {
      view: sendingView(),
      afterwards: async () => {
        const sending = await messaging.send({ ...asker, draftId: ref.draftId, version: ref.version });
        if (sending.kind === 'changed') {
          return reviewView(await messaging.review(asker.workspaceId, sending.draft), ref);
        }
        if (sending.kind !== 'performed') {
          throw new Refusal(whyNot(sending), { isFinal: sending.kind !== 'not_connected' });
        }
        await telling.tell(sending.operation);
        return outcomeView(sending.operation);
      },
    };
  });

  listening.action(reviewActions.send, async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    let announced: Promise<void> = Promise.resolve();
    const sending = await messaging.send({
      ...call.asker,
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
      const review = await messaging.review(call.asker.workspaceId, sending.draft);
      await call.replaceMessage(previewMessage(review, ref.origin));
    } else if (sending.kind !== 'performed') {
      await call.replaceMessage(troubleMessage(whyNot(sending)));
    } else {
      const { operation } = sending;
      const told = await telling.tell(operation, call.replaceMessage);
      if (!told || operation.place !== undefined) {
        await call.replaceMessage(outcomeMessage(operation));
      }
    }
  });

  listening.action(reviewActions.edit, async (call) => {
    const ref = draftRefSchema.parse(JSON.parse(call.value));
    const found = await messaging.find(call.asker.workspaceId, ref.draftId, call.asker.personId);
    const { operation } = found;
    if (operation !== undefined) {
      await (call.view?.replace(outcomeView(operation)) ?? call.replaceMessage(outcomeMessage(operation)));
    } else {
      operations.refuseOutdated(ref.draftId);
      await showForm(call, found, ref);
    }
  });

  listening.action(reviewActions.cancel, async (call) => {
    const { draftId } = draftRefSchema.parse(JSON.parse(call.value));
    const operation = await messaging.cancel(call.asker.workspaceId, draftId, call.asker.personId);
    await call.replaceMessage(
      operation === undefined
        ? troubleMessage(mrkdwn`Cancelled. Nothing was sent.`)
        : tooLateMessage(operation),
    );
  });

  listening.closed(reviewCallback, async ({ asker, metadata }) => {
    const { draftId } = draftRefSchema.parse(metadata);
    await messaging.cancel(asker.workspaceId, draftId, asker.personId);
  });

  listening.action(againAction, async (call) => {
    const { workspaceId, personId } = call.asker;
    const found = await messaging.find(workspaceId, call.value, personId);
    let draftId = requestKey(workspaceId, call.value, 'again');
    while ((await messaging.find(workspaceId, draftId, personId)).cancelled) {
      draftId = requestKey(workspaceId, draftId, 'again');
    }
    operations.refuseOutdated(draftId);
    await showForm(call, found, { draftId, origin: call.channelId });
  });
}

async function showForm(
  call: ActionCall,
  { draft, cancelled }: Found,
  { draftId, origin, inMessage }: ComposeMetadata,
): Promise<void> {
  const content = draft?.content;
  if (content === undefined) {
    throw new Refusal(whyNot({ kind: cancelled ? 'cancelled' : 'gone' }));
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
      place: {
        inChannel: content.place !== undefined,
        channelId: content.place ?? origin,
        showNumbers: content.showNumbers === true,
      },
    },
    { draftId, origin, inMessage },
  );
  await (call.view?.replace(form) ?? call.open(form));
}
