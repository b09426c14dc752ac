import { type MessageField, readMessageForm } from '../../../services/messages/message-form.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { CommandRequest, Router } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { readSmsCommand, smsHelp } from './command.ts';
import {
  composeActions,
  composeCallback,
  composeMetadata,
  composeView,
  fieldBlocks,
  readCompose,
} from './compose-view.ts';
import { messageOutcomeView } from './outcome-view.ts';
import { cancelledText, checkingDndView, previewMessage, reviewView } from './review-view.ts';

/** `/sms` up to the review: the form, the short form with its preview, and the history. */
export function registerMessageForm(router: Router, context: AppContext): void {
  const { services, navigation, commandPrefix } = context;
  const { messages: messaging, workspaces, unicode } = services;

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId, userId } = call.user;
    const defaults = await workspaces.defaults(workspaceId);
    const command = readSmsCommand(call.text, defaults.country);
    if (command.kind === 'history') {
      await call.open(await navigation.history(call.user, { typed: command.number }));
      return;
    }
    if (command.kind === 'do_not_contact') {
      await call.open(await navigation.suppressionList(call.user, { typed: command.number }));
      return;
    }
    if (command.kind === 'bulk_list') {
      await call.open(await navigation.campaigns(call.user));
      return;
    }
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    if (command.kind === 'bulk') {
      const { user, requestId, channelId } = call;
      await call.open(await navigation.campaignForm(user, { requestId, origin: channelId }));
      return;
    }
    const draftId = idempotencyKey(workspaceId, call.requestId);
    const form = {
      recipients: command.recipients,
      senderId: defaults.senderId,
      device: defaults.route === 'chatapp' ? defaults.senderId : undefined,
      route: defaults.route,
      text: command.kind === 'message' ? command.text : '',
    };
    if (command.kind === 'compose' || defaults.senderId === undefined) {
      const destination = { inChannel: false, channelId: call.channelId };
      await call.open(composeView({ ...form, destination }, { draftId, origin: call.channelId }));
      return;
    }
    const read = readMessageForm(form, { country: defaults.country, unicode });
    if (!read.ok) {
      const faults = Object.values(read.faults).map((fault) => mrkdwn`• ${fault}`);
      await call.reply(errorMessage(mrkdwn`*Nothing was sent.* Correct this and try again:\n${faults}`));
      return;
    }
    const draft = await messaging.save(workspaceId, draftId, userId, read.content);
    const review = await messaging.review(workspaceId, draft);
    await call.reply(previewMessage(review, call.channelId, read.duplicates));
  }

  router.command('sms', handle, () => smsHelp(commandPrefix));

  router.action(openActions.messageForm, async ({ user, requestId, open }) => {
    const { senderId, route } = await workspaces.defaults(user.workspaceId);
    const form = { recipients: '', senderId, route, text: '', destination: { inChannel: false } };
    await open(composeView(form, { draftId: idempotencyKey(user.workspaceId, requestId) }));
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
      return { errors: besideFields(read.faults) };
    }
    const { operation, cancelled } = await messaging.find(workspaceId, draftId, userId);
    if (operation !== undefined) {
      return { view: messageOutcomeView(operation) };
    }
    if (cancelled) {
      return { errors: { [fieldBlocks.recipients]: cancelledText } };
    }
    const draft = await messaging.save(workspaceId, draftId, userId, read.content);
    const review = async () =>
      reviewView(await messaging.review(workspaceId, draft), { origin, inMessage }, read.duplicates);
    return messaging.reviewTakesTime(read.content)
      ? { view: checkingDndView(), background: review }
      : { view: await review() };
  });
}

function besideFields(faults: Partial<Record<MessageField, string>>): Record<string, string> {
  const beside: Record<string, string> = {};
  for (const field of ['recipients', 'senderId', 'device', 'route', 'text', 'address'] as const) {
    const fault = faults[field];
    if (fault !== undefined) {
      beside[fieldBlocks[field]] = fault;
    }
  }
  return beside;
}
