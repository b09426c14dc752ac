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
  const { number, country } = splitNumberCommand(text);
  return readNumberQuery(number, country, home);
}

/** Splits the number from the two letters after it, if there are any. */
export function splitNumberCommand(text: string): { number: string; country: string | undefined } {
  const typed = text.trim();
  const [last, country] = /\s([a-z]{2})$/i.exec(typed) ?? [''];
  return { number: typed.slice(0, typed.length - last.length), country: country?.toUpperCase() };
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
      faults: { country: `“${country}” is not a country code. Use two letters, such as NG.` },
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
      mrkdwn`*Look up a number*: network, porting, Do-Not-Disturb, do-not-contact list, and the route that reaches the number.`,
    ),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567\` looks the number up. Only you see the result.`,
        mrkdwn`\`${name} 0803 123 4567 NG\` reads the number as one of Nigeria. Use the two letters of any country.`,
      ]}`,
    ),
    context(mrkdwn`For many numbers at once: \`/${prefix}dnd-check\`.`),
  ]);
}
