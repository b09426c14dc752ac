import { type FormField, readMessageForm } from '../../../services/messages/message-form.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { CommandCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { troubleMessage } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { createCampaignList } from '../campaigns/list.ts';
import { createBulkCommand } from '../campaigns/open-form.ts';
import { createHistoryView } from '../history/listeners.ts';
import { createListView } from '../suppression-list/listeners.ts';
import { readSmsCommand, smsHelp } from './command.ts';
import {
  composeActions,
  composeCallback,
  composeMetadata,
  composeView,
  fieldBlocks,
  openComposeAction,
  readCompose,
} from './compose-view.ts';
import { outcomeView } from './outcome-view.ts';
import { cancelledText, previewMessage, reviewingView, reviewView } from './review-view.ts';

/** `/sms` up to the review: the form, the short form with its preview, and the history. */
export function listenToComposing(listening: Listening, tools: Tools): void {
  const { services, commandPrefix } = tools;
  const { messaging, workspaces, unicode } = services;
  const history = createHistoryView(tools);
  const doNotContact = createListView(tools);
  const bulk = createBulkCommand(tools);
  const campaignList = createCampaignList(tools);

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId, personId } = call.asker;
    const defaults = await workspaces.defaults(workspaceId);
    const command = readSmsCommand(call.text, defaults.country);
    if (command.kind === 'history') {
      await call.open(await history(call.asker, { typed: command.number }));
      return;
    }
    if (command.kind === 'do_not_contact') {
      await call.open(await doNotContact(call.asker, { typed: command.number }));
      return;
    }
    if (command.kind === 'bulk_list') {
      await call.open(await campaignList(call.asker));
      return;
    }
    if (command.kind === 'bulk') {
      await bulk(call);
      return;
    }
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
      return;
    }
    const draftId = requestKey(workspaceId, call.requestId);
    const form = {
      recipients: command.recipients,
      senderId: defaults.senderId,
      device: defaults.route === 'chatapp' ? defaults.senderId : undefined,
      route: defaults.route,
      text: command.kind === 'message' ? command.text : '',
    };
    if (command.kind === 'compose' || defaults.senderId === undefined) {
      const place = { inChannel: false, channelId: call.channelId };
      await call.open(composeView({ ...form, place }, { draftId, origin: call.channelId }));
      return;
    }
    const read = readMessageForm(form, { country: defaults.country, unicode });
    if (!read.ok) {
      const faults = Object.values(read.faults).map((fault) => mrkdwn`• ${fault}`);
      await call.reply(troubleMessage(mrkdwn`*Nothing was sent.* Correct this and try again:\n${faults}`));
      return;
    }
    const draft = await messaging.save(workspaceId, draftId, personId, read.content);
    const review = await messaging.review(workspaceId, draft);
    await call.reply(previewMessage(review, call.channelId, read.duplicates));
  }

  listening.command('sms', handle, () => smsHelp(commandPrefix));

  listening.action(openComposeAction, async ({ asker, requestId, open }) => {
    const { senderId, route } = await workspaces.defaults(asker.workspaceId);
    const form = { recipients: '', senderId, route, text: '', place: { inChannel: false } };
    await open(composeView(form, { draftId: requestKey(asker.workspaceId, requestId) }));
  });

  for (const actionId of Object.values(composeActions)) {
    listening.action(actionId, async ({ view }) => {
      if (view !== undefined) {
        const metadata = composeMetadata.parse(view.metadata);
        await view.replace(composeView(readCompose(view.filledIn(), metadata.origin), metadata));
      }
    });
  }

  listening.submission(composeCallback, async ({ asker, values, metadata }) => {
    const { workspaceId, personId } = asker;
    const { draftId, origin, inMessage } = composeMetadata.parse(metadata);
    const form = readCompose(values, origin);
    const { country } = await workspaces.defaults(workspaceId);
    const { inChannel, channelId, showNumbers } = form.place;
    const place = inChannel ? channelId : undefined;
    const read = readMessageForm({ ...form, place, showNumbers }, { country, unicode });
    if (!read.ok) {
      return { errors: besideFields(read.faults) };
    }
    const { operation, cancelled } = await messaging.find(workspaceId, draftId, personId);
    if (operation !== undefined) {
      return { view: outcomeView(operation) };
    }
    if (cancelled) {
      return { errors: { [fieldBlocks.recipients]: cancelledText } };
    }
    const draft = await messaging.save(workspaceId, draftId, personId, read.content);
    const review = async () =>
      reviewView(await messaging.review(workspaceId, draft), { origin, inMessage }, read.duplicates);
    return messaging.reviewTakesTime(read.content)
      ? { view: reviewingView(), afterwards: review }
      : { view: await review() };
  });
}

function besideFields(faults: Partial<Record<FormField, string>>): Record<string, string> {
  const beside: Record<string, string> = {};
  for (const field of ['recipients', 'senderId', 'device', 'route', 'text', 'address'] as const) {
    const fault = faults[field];
    if (fault !== undefined) {
      beside[fieldBlocks[field]] = fault;
    }
  }
  return beside;
}
