import type { Permission } from '../../../domain/access/roles.ts';
import { splitNumbersFromText } from '../../../domain/messages/numbers-then-text.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { findMeantSubcommand } from '../../middleware/unknown-subcommand.ts';

/** What `/sms …` asks for. */
export type SmsCommand =
  | { kind: 'bulk' }
  | { kind: 'bulk_list' }
  /** `number` is what was typed to search for. */
  | { kind: 'history'; number: string }
  | { kind: 'do_not_contact'; number: string }
  /** A message, or its beginning; both are empty where nothing was typed. */
  | { kind: 'message'; recipients: string; text: string }
  | { kind: 'unknown' };

export const smsSubcommands: readonly string[] = [
  'bulk',
  'bulk list',
  'history …',
  'do-not-contact …',
  'help',
];

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

export function smsHelp(prefix: string): SlackMessage {
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
