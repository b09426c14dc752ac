import { readMessageForm } from '../../../services/messages/message-form.ts';
import type { Defaults } from '../../../services/workspaces/workspaces.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { readSmsCommand, type SmsCommand, smsHelp } from './command.ts';
import { messageForm } from './compose-view.ts';
import { previewMessage } from './review-view.ts';

/** `/sms`: the form, the preview of a message that was typed whole, and the views of other features. */
export function registerSmsCommand(router: Router, context: AppContext): void {
  const { services, navigation, commandPrefix } = context;
  const { messages, workspaces, unicode } = services;

  async function handle(call: CommandRequest): Promise<void> {
    const { user, channelId: origin, requestId } = call;
    const { workspaceId } = user;
    const defaults = await workspaces.defaults(workspaceId);
    const command = readSmsCommand(call.text, defaults.country);
    switch (command.kind) {
      case 'history':
        await (command.number === ''
          ? navigation.sendHistory(user, call.reply)
          : call.open(await navigation.history(user, { typed: command.number })));
        return;
      case 'do_not_contact':
        await call.open(await navigation.suppressionList(user, { typed: command.number }));
        return;
      case 'bulk_list':
        await call.open(await navigation.campaigns(user));
        return;
    }
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(user, commandPrefix));
    } else if (command.kind === 'bulk') {
      await call.open(await navigation.campaignForm(user, { requestId, origin }));
    } else {
      await compose(call, command, defaults);
    }
  }

  async function compose(
    call: CommandRequest,
    command: Extract<SmsCommand, { recipients: string }>,
    { country, route, senderId }: Defaults,
  ): Promise<void> {
    const { channelId: origin } = call;
    const { workspaceId, userId } = call.user;
    const draftId = idempotencyKey(workspaceId, call.requestId);
    const form = {
      recipients: command.recipients,
      senderId,
      device: route === 'chatapp' ? senderId : undefined,
      route,
      text: command.kind === 'message' ? command.text : '',
    };
    if (command.kind === 'compose' || senderId === undefined) {
      await call.open(messageForm(form, { draftId, origin }));
      return;
    }
    const read = readMessageForm(form, { country, unicode });
    if (!read.ok) {
      const faults = Object.values(read.faults).map((fault) => mrkdwn`• ${fault}`);
      await call.reply(errorMessage(mrkdwn`*Nothing was sent.* Correct this and try again:\n${faults}`));
      return;
    }
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const review = await messages.review(workspaceId, draft);
    await call.reply(previewMessage(review, origin, read.duplicates));
  }

  router.command('sms', handle, () => smsHelp(commandPrefix));
}
