import type { CountryCode } from '../../rules/countries.ts';
import { splitNumbersFromText } from '../../rules/numbers-then-text.ts';
import { context, section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { mrkdwn } from '../blocks/text.ts';

/** What a person wants who types `/sms …`. */
export type SmsCommand =
  | { kind: 'compose'; recipients: string }
  | { kind: 'history' }
  | { kind: 'message'; recipients: string; text: string };

/** `/sms` · `/sms history` · `/sms +2348031234567, +2348051234567 Hello` · numbers alone fill the form. */
export function readSmsCommand(text: string, country: CountryCode): SmsCommand {
  if (text.trim() === '') {
    return { kind: 'compose', recipients: '' };
  }
  if (text.trim().toLowerCase() === 'history') {
    return { kind: 'history' };
  }
  const { numbersText, rest } = splitNumbersFromText(text, country);
  return rest === ''
    ? { kind: 'compose', recipients: numbersText }
    : { kind: 'message', recipients: numbersText, text: rest };
}

export function smsHelp(prefix: string): Message {
  const name = `/${prefix}sms`;
  return message(mrkdwn`How to send an SMS with ${name}`, [
    section(mrkdwn`*Send an SMS* to up to 100 numbers.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567, +2348051234567 Hello\` shows a preview with the pages, the route and warnings; nothing is sent before you press *Send*.`,
        mrkdwn`\`${name} history\` shows what you sent and asked for, and how each ended.`,
      ]}`,
    ),
    context(
      mrkdwn`Results are for you alone unless you choose a channel. A message whose outcome is not known is never sent again by itself.`,
    ),
  ]);
}
