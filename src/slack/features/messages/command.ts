import { splitNumbersFromText } from '../../../domain/messages/numbers-then-text.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { context, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';

/** What `/sms …` asks for. */
export type SmsCommand =
  | { kind: 'compose'; recipients: string }
  | { kind: 'bulk' }
  | { kind: 'bulk_list' }
  /** `number` is what was typed to search for. */
  | { kind: 'history'; number: string }
  | { kind: 'do_not_contact'; number: string }
  | { kind: 'message'; recipients: string; text: string };

/** Reads `/sms` · `/sms bulk [list]` · `/sms history [number]` · `/sms do-not-contact [number]` · `/sms +2348031234567, +2348051234567 Hello` · numbers alone, which prefill the form. */
export function readSmsCommand(text: string, country: CountryCode): SmsCommand {
  if (text.trim() === '') {
    return { kind: 'compose', recipients: '' };
  }
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
  return rest === ''
    ? { kind: 'compose', recipients: numbersText }
    : { kind: 'message', recipients: numbersText, text: rest };
}

export function smsHelp(prefix: string): SlackMessage {
  const name = `/${prefix}sms`;
  return message(mrkdwn`How to send an SMS with ${name}`, [
    section(mrkdwn`*Send an SMS* to one or many.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567, +2348051234567 Hello\` shows a preview with the pages, the route and warnings; nothing is sent before you press *Send*.`,
        mrkdwn`\`${name} bulk\` sends to many: a CSV file of up to a million rows, pasted numbers or a phonebook. \`${name} bulk list\` lists those campaigns.`,
        mrkdwn`\`${name} history\` shows what you sent and asked for, and how each ended.`,
        mrkdwn`\`${name} do-not-contact\` opens the list of those who want no messages.`,
      ]}`,
    ),
    context(
      mrkdwn`Results are for you alone unless you choose a channel. A message whose outcome is not known is never sent again by itself.`,
    ),
  ]);
}
