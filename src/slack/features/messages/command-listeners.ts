import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { type MessageFaults, readMessageForm } from '../../../services/messages/message-form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/not-performed.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { unknownSubcommand } from '../../middleware/unknown-subcommand.ts';
import { readSmsCommand, smsHelp, smsRule, smsSubcommands } from './command.ts';
import { createReviewDraft } from './review.ts';
import { faultsMessage, previewMessage } from './review-view.ts';

/** `/sms`: the form, the preview of a message that was typed whole, and the views of other features. */
export function registerSmsCommand(router: Router, context: AppContext): void {
  const {
    services,
    navigation,
    settings: { commandPrefix },
  } = context;
  const { messages, workspaces, unicode } = services;
  const reviewDraft = createReviewDraft(services);

  async function handle(call: CommandRequest): Promise<void> {
    const { user, channelId: origin, requestId } = call;
    const { workspaceId } = user;
    const { country } = await workspaces.defaults(workspaceId);
    const command = readSmsCommand(call.text, country);
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
    if (command.kind === 'unknown') {
      await call.reply(unknownSubcommand(`/${commandPrefix}sms`, call.text, smsSubcommands));
    } else if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(user, commandPrefix));
    } else if (command.kind === 'bulk') {
      await call.open(await navigation.campaignForm(user, { requestId, origin }));
    } else {
      await compose(call, command, country);
    }
  }

  /** Opens the form, shows the preview of a message that is whole, or says what is wrong with it. */
  async function compose(
    call: CommandRequest,
    { recipients, text }: { recipients: string; text: string },
    country: CountryCode,
  ): Promise<void> {
    const { user, channelId: origin } = call;
    const { workspaceId, userId } = user;
    const draftId = idempotencyKey(workspaceId, call.requestId);
    const begin = await messages.prefill(workspaceId, userId, text);
    const read = readMessageForm({ ...begin, recipients, text }, { country, unicode });
    const faults = read.ok || recipients + text === '' ? [] : faultsOfTyped(read.faults, text);
    if (read.content !== undefined && faults.length > 0) {
      const draft = await messages.save(workspaceId, draftId, userId, read.content);
      await call.reply(faultsMessage(faults, draft, { origin, commandPrefix }));
    } else if (!read.ok) {
      await call.open(await navigation.messageForm(user, { recipients, text }, { draftId, origin }));
    } else {
      const draft = await messages.save(workspaceId, draftId, userId, read.content);
      await call.reply(previewMessage(await reviewDraft(call.user, draft), origin, read.duplicates));
    }
  }

  router.command('sms', smsRule, handle, () => smsHelp(commandPrefix));
}

/** The faults of what was typed; a sender or a text that is missing is asked for in the form. */
function faultsOfTyped({ recipients, text: ofText }: MessageFaults, text: string): string[] {
  return [recipients, text === '' ? undefined : ofText].filter((fault) => fault !== undefined);
}
