import { type CountryCode, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { context, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';

/** A number to look up, and the country to look it up in. */
export interface NumberQuery {
  number: PhoneNumber;
  country: CountryCode;
}

/** Faults are sentences, by field. */
export type ReadNumberQuery =
  | { ok: true; query: NumberQuery }
  | { ok: false; faults: { number: string } | { country: string } };

/** `+2348031234567` · `+2348031234567 NG` · `0803 123 4567 ng` */
export function readNumberCommand(text: string, home: CountryCode): ReadNumberQuery {
  const typed = text.trim();
  const [last, country] = /\s([a-z]{2})$/i.exec(typed) ?? [''];
  return readNumberQuery(typed.slice(0, typed.length - last.length), country, home);
}

/** Reads a typed number. Without a country its own is used; `home`, the workspace's, for a number without a prefix. */
export function readNumberQuery(
  typed: string,
  country: string | undefined,
  home: CountryCode,
): ReadNumberQuery {
  const code = country?.toUpperCase();
  if (code !== undefined && !isCountry(code)) {
    return {
      ok: false,
      faults: { country: `“${country}” is no country’s code: write two letters, such as NG.` },
    };
  }
  const text = typed.trim();
  if (text === '') {
    return { ok: false, faults: { number: 'Enter a phone number.' } };
  }
  const read = readNumber(text, code ?? home);
  return read.ok
    ? { ok: true, query: { number: read.number, country: code ?? countryOf(read.number) ?? home } }
    : { ok: false, faults: { number: `“${text}” ${read.reason}.` } };
}

export function numberHelp(prefix: string): SlackMessage {
  const name = `/${prefix}number`;
  return message(mrkdwn`How to look up a number with ${name}`, [
    section(
      mrkdwn`*See what is known of a number*: its network, whether it was ported, Do-Not-Disturb, and the route that reaches it.`,
    ),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567\` looks the number up; the result is for you alone.`,
        mrkdwn`\`${name} 0803 123 4567 NG\` looks it up in a country, by its two letters.`,
      ]}`,
    ),
    context(mrkdwn`For many numbers at once: \`/${prefix}dnd-check\`.`),
  ]);
}
