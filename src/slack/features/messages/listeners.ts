import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { splitNumbersFromText } from '../../../domain/messages/numbers-then-text.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import { type MessageFaults, readMessageForm } from '../../../services/messages/drafts.ts';
import { present } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { defineCommand, unknown } from '../../kit/command.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import { numbersOfMessage } from '../../middleware/numbers-of-message.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { registerMessageForm } from './compose.ts';
import { faultsMessage, previewMessage, reviewDraft } from './review.ts';
import { registerReview } from './review-listeners.ts';

/** `/sms`: the form, the preview of a message that was typed whole, and the views of other features. */
export function registerSms(router: Router, context: AppContext): void {
  createSmsCommand(context).register(router);
  const onShortcut = whenConnected(context, (call) => sendToNumbersOf(context, call));
  router.shortcut('send_sms_to', 'send', onShortcut);
  registerMessageForm(router, context);
  registerReview(router, context);
}

function createSmsCommand(context: AppContext) {
  const { navigation, services } = context;
  // Whether a text without a digit is a message depends on no country. One with a digit may be a message.
  const isMessage = (text: string): boolean =>
    /\d/.test(text) || (readTypedSms(text, 'NG') !== undefined && !command.isMisspelt(text));

  const command = defineCommand(context, {
    name: 'sms',
    title: 'How to send an SMS',
    purpose: mrkdwn`*Send an SMS* to one number or many.`,
    note: mrkdwn`Only you see results, unless you choose a channel. Switchboard never resends an unconfirmed message.`,
    words: {
      bulk: {
        needs: 'campaign',
        connected: true,
        help: (name) =>
          mrkdwn`\`${name} bulk\` starts a campaign: a CSV file of up to a million rows, pasted numbers or a phonebook. \`${name} bulk list\` lists campaigns.`,
        run: async ({ open, user, requestId, channelId: origin }) =>
          open(await navigation.campaignForm(user, { requestId, origin })),
      },
      'bulk list': {
        needs: 'campaign',
        run: async ({ open, user }) => open(await navigation.campaigns(user)),
      },
      'history …': {
        needs: 'use',
        help: (name) => mrkdwn`\`${name} history\` shows your operations and their outcomes.`,
        run: async ({ open, reply, user }, typed) =>
          typed === ''
            ? navigation.sendHistory(user, reply)
            : open(await navigation.history(user, { typed })),
      },
      'do-not-contact …': {
        needs: 'look_up',
        help: (name) => mrkdwn`\`${name} do-not-contact\` opens the list of opted-out numbers.`,
        run: async ({ open, user }, typed) => open(await navigation.suppressionList(user, { typed })),
      },
    },
    otherwise: {
      needs: (text) => (isMessage(text) ? 'send' : 'use'),
      connected: true,
      help: (name) => [
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567, +2348051234567 Hello\` shows a preview: pages, cost, route and warnings. *Send* sends it.`,
      ],
      accepts: isMessage,
      async run(call) {
        const { country } = await services.workspaces.defaults(call.user.workspaceId);
        const typed = readTypedSms(call.text, country);
        return typed === undefined || (typed.recipients === '' && command.isMisspelt(call.text))
          ? unknown
          : compose(context, call, typed, country);
      },
    },
  });
  return command;
}

/** Opens the form, shows the preview of a message that is whole, or says what is wrong with it. */
async function compose(
  context: AppContext,
  call: CommandRequest,
  { recipients, text }: { recipients: string; text: string },
  country: CountryCode,
): Promise<void> {
  const { services, navigation, settings } = context;
  const { messages, unicode } = services;
  const { user, channelId: origin } = call;
  const { workspaceId, userId } = user;
  const draftId = idempotencyKey(workspaceId, call.requestId);
  const begin = await messages.prefill(workspaceId, userId, text);
  const read = readMessageForm({ ...begin, recipients, text }, { country, unicode });
  const faults = read.ok || recipients + text === '' ? [] : faultsOfTyped(read.faults, text);
  if (read.content !== undefined && faults.length > 0) {
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const { commandPrefix } = settings;
    await call.reply(faultsMessage(faults, draft, { origin, commandPrefix }));
  } else if (!read.ok) {
    await call.open(await navigation.messageForm(user, { recipients, text }, { draftId, origin }));
  } else {
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    await call.reply(previewMessage(await reviewDraft(context, user, draft), origin, read.duplicates));
  }
}

/** The faults of what was typed; a sender or a text that is missing is asked for in the form. */
function faultsOfTyped({ recipients, text: ofText }: MessageFaults, text: string): string[] {
  return present(recipients, text !== '' && ofText);
}

/**
 * Reads `+2348031234567, +2348051234567 Hello`, or numbers alone, which prefill the form. Returns undefined for a word alone,
 * or after *bulk*: it may have been meant as a subcommand.
 */
export function readTypedSms(
  typed: string,
  country: CountryCode,
): { recipients: string; text: string } | undefined {
  const { numbersText, rest } = splitNumbersFromText(typed, country);
  if (numbersText !== '') {
    return { recipients: numbersText, text: rest };
  }
  const [, first = '', others = ''] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  if (/^[+(]?\d/.test(first)) {
    return { recipients: first, text: others };
  }
  return (first !== '' && others === '') || first.toLowerCase() === 'bulk'
    ? undefined
    : { recipients: '', text: typed.trimStart() };
}

/** *Send SMS to…* in the menu of a message: the form, prefilled with the numbers in the message. */
async function sendToNumbersOf(context: AppContext, call: CommandRequest): Promise<void> {
  const found = await numbersOfMessage(call, context);
  if (found === undefined) {
    return;
  }
  const recipients = found.numbers.map(formatNumber).join('\n');
  const draftId = idempotencyKey(call.user.workspaceId, call.requestId);
  const opening = { draftId, origin: call.channelId };
  await call.open(await context.navigation.messageForm(call.user, { recipients }, opening));
  if (found.note !== undefined) {
    await call.reply(errorMessage(found.note));
  }
}
