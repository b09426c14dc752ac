import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import { splitNumbersFromText } from '../../../domain/messages/numbers-then-text.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import { type MessageFaults, readMessageForm } from '../../../services/messages/drafts.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import { numbersOfMessage } from '../../middleware/numbers-of-message.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand, unknownSubcommand } from '../../middleware/unknown-subcommand.ts';
import { registerMessageForm } from './compose.ts';
import { faultsMessage, previewMessage, reviewDraft } from './review.ts';
import { registerReview } from './review-listeners.ts';

/** `/sms`: the form, the preview of a message that was typed whole, and the views of other features. */
export function registerSms(router: Router, context: AppContext): void {
  router.command(
    'sms',
    smsRule,
    (call) => onSmsCommand(context, call),
    () => smsHelp(context.settings.commandPrefix),
  );
  const onShortcut = whenConnected(context, (call) => sendToNumbersOf(context, call));
  router.shortcut('send_sms_to', 'send', onShortcut);
  registerMessageForm(router, context);
  registerReview(router, context);
}

async function onSmsCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const { services, navigation, settings } = context;
  const { user, channelId: origin, requestId } = call;
  const { country } = await services.workspaces.defaults(user.workspaceId);
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
    case 'unknown':
      await call.reply(unknownSubcommand(`/${settings.commandPrefix}sms`, call.text, smsSubcommands));
      return;
    case 'bulk':
    case 'message':
      await whenConnected(context, async () => {
        await (command.kind === 'bulk'
          ? call.open(await navigation.campaignForm(user, { requestId, origin }))
          : compose(context, call, command, country));
      })(call);
  }
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
  return [recipients, text === '' ? undefined : ofText].filter((fault) => fault !== undefined);
}

/** What `/sms …` asks for. */
type SmsCommand =
  | { kind: 'bulk' }
  | { kind: 'bulk_list' }
  /** `number` is what was typed to search for. */
  | { kind: 'history'; number: string }
  | { kind: 'do_not_contact'; number: string }
  /** A message, or its beginning; both are empty where nothing was typed. */
  | { kind: 'message'; recipients: string; text: string }
  | { kind: 'unknown' };

const smsSubcommands: readonly string[] = ['bulk', 'bulk list', 'history …', 'do-not-contact …', 'help'];

/** Reads `/sms` · `/sms bulk [list]` · `/sms history [number]` · `/sms do-not-contact [number]` · `/sms +2348031234567, +2348051234567 Hello` · numbers alone, which prefill the form. */
export function readSmsCommand(text: string, country: CountryCode): SmsCommand {
  const [, word, number = ''] = /^\s*(history|do-not-contact)(?:\s+(.*))?$/is.exec(text) ?? [];
  if (word !== undefined) {
    const kind = word.toLowerCase() === 'history' ? 'history' : 'do_not_contact';
    return { kind, number: number.trim() };
  }
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  if (words === 'bulk' || words === 'bulk list') {
    return { kind: words === 'bulk' ? 'bulk' : 'bulk_list' };
  }
  const { numbersText, rest } = splitNumbersFromText(text, country);
  return numbersText === ''
    ? readWithoutNumber(text)
    : { kind: 'message', recipients: numbersText, text: rest };
}

/** A text that does not begin with a number may begin with what was meant as one, or as a subcommand. */
function readWithoutNumber(text: string): SmsCommand {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (/^[+(]?\d/.test(first)) {
    return { kind: 'message', recipients: first, text: rest };
  }
  const isSubcommand =
    first !== '' && (rest === '' || findMeantSubcommand(text, smsSubcommands) !== undefined);
  return isSubcommand || first.toLowerCase() === 'bulk'
    ? { kind: 'unknown' }
    : { kind: 'message', recipients: '', text: text.trimStart() };
}

const needed: Readonly<Record<SmsCommand['kind'], Permission>> = {
  bulk: 'campaign',
  bulk_list: 'campaign',
  history: 'use',
  do_not_contact: 'look_up',
  message: 'send',
  unknown: 'use',
};

/** Whether a text without a digit is a message depends on no country. One with a digit may be a message. */
export function smsRule(text: string): Permission {
  const { kind } = readSmsCommand(text, 'NG');
  return kind === 'unknown' && /\d/.test(text) ? 'send' : needed[kind];
}

function smsHelp(prefix: string): SlackMessage {
  const name = `/${prefix}sms`;
  return helpMessage(
    mrkdwn`How to send an SMS with ${name}`,
    mrkdwn`*Send an SMS* to one number or many.`,
    [
      mrkdwn`\`${name}\` opens the form.`,
      mrkdwn`\`${name} +2348031234567, +2348051234567 Hello\` shows a preview: pages, cost, route and warnings. *Send* sends it.`,
      mrkdwn`\`${name} bulk\` starts a campaign: a CSV file of up to a million rows, pasted numbers or a phonebook. \`${name} bulk list\` lists campaigns.`,
      mrkdwn`\`${name} history\` shows your operations and their outcomes.`,
      mrkdwn`\`${name} do-not-contact\` opens the list of opted-out numbers.`,
    ],
    mrkdwn`Only you see results, unless you choose a channel. Switchboard never resends an unconfirmed message.`,
  );
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
