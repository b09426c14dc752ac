import { formatNumber } from '../../rules/phone-number.ts';
import type { DraftContent } from '../../services/drafts.ts';
import type { Sending } from '../../services/messaging.ts';
import { type Markup, mrkdwn } from '../blocks/text.ts';
import { troubleMessage, troubleView } from '../errors.ts';
import type { ActionCall, Listening } from '../listening/calls.ts';
import { requestKey } from '../request-key.ts';
import type { Tools } from '../tools.ts';
import { composeView } from './compose-view.ts';
import { againAction, outcomeMessage, outcomeView, sendingMessage, sendingView } from './outcome-view.ts';
import { draftRefSchema, previewMessage, reviewActions, reviewCallback, reviewView } from './review-view.ts';

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
          return reviewView(await messaging.review(asker.workspaceId, sending.draft), ref.origin);
        }
        if (sending.kind !== 'performed') {
          return troubleView(whyNot(sending));
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
    const { draftId, origin } = draftRefSchema.parse(JSON.parse(call.value));
    const { draft, operation } = await messaging.find(call.asker.workspaceId, draftId, call.asker.personId);
    if (operation !== undefined) {
      await (call.view?.replace(outcomeView(operation)) ?? call.replaceMessage(outcomeMessage(operation)));
    } else {
      operations.refuseOutdated(draftId);
      await showForm(call, draft?.content, draftId, origin);
    }
  });

  listening.action(reviewActions.cancel, async (call) => {
    const { draftId } = draftRefSchema.parse(JSON.parse(call.value));
    const { operation } = await messaging.find(call.asker.workspaceId, draftId, call.asker.personId);
    await call.replaceMessage(
      operation === undefined
        ? troubleMessage(mrkdwn`Cancelled. Nothing was sent.`)
        : outcomeMessage(operation),
    );
  });

  listening.action(againAction, async (call) => {
    const { workspaceId, personId } = call.asker;
    const { draft } = await messaging.find(workspaceId, call.value, personId);
    const draftId = requestKey(workspaceId, call.value, 'again');
    operations.refuseOutdated(draftId);
    await showForm(call, draft?.content, draftId, call.channelId);
  });
}

async function showForm(
  call: ActionCall,
  content: DraftContent | undefined,
  draftId: string,
  origin: string | undefined,
): Promise<void> {
  if (content === undefined) {
    const text = whyNot({ kind: 'gone' });
    await (call.view?.replace(troubleView(text)) ?? call.replaceMessage(troubleMessage(text)));
    return;
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
    { draftId, ...(origin === undefined ? {} : { origin }) },
  );
  await (call.view?.replace(form) ?? call.open(form));
}

function whyNot(sending: Exclude<Sending, { kind: 'performed' | 'changed' }>): Markup {
  switch (sending.kind) {
    case 'gone':
      return mrkdwn`This message is no longer here: drafts are kept for a day, for the person who wrote them. Nothing was sent. Start again with the command.`;
    case 'incomplete':
      return mrkdwn`Recipients, sender ID or text are missing. Nothing was sent. Start again with the command.`;
    case 'not_connected':
      return mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was sent. An admin can connect one.`;
  }
}
