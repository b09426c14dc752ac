import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { maskPersonal } from '../../lib/redact.ts';
import { type PhoneNumber, provenNumberSchema, toE164 } from '../phone/phone-number.ts';

/**
 * Who reads a text: the person it is for, a channel, Slackbot's tools, or the records (history and audit), which outlast the
 * text of a message. Only the person sees phone numbers, ICCIDs and personal text in full.
 */
export type Readers = 'person' | 'channel' | 'tool' | 'record';

/** Text that a customer, a colleague or the provider wrote, and that may name a phone number or an e-mail address. */
export class PersonalText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Only the renderer writes it, so in a plain template it is a mistake. */
  [Symbol.toPrimitive](): never {
    throw new TypeError('Personal text is written by the renderer alone.');
  }
}

/** Tells whether a text is a phone number in E.164 or an ICCID, which may have its filler, and nothing else. */
export function readPrivateValue(text: string): 'phone' | 'iccid' | undefined {
  return /^\+[1-9]\d{5,14}$/.test(text) ? 'phone' : /^89\d{16,20}F{0,2}$/i.test(text) ? 'iccid' : undefined;
}

/** Never throws: the value may be cut. */
export function showPrivateValue(
  { kind, value }: { kind: string | undefined; value: string },
  readers: Readers,
): string {
  if (kind === 'iccid') {
    return showIccid(value, readers);
  }
  const { data: number } = provenNumberSchema.safeParse(value);
  return number === undefined ? showPersonal(value, readers) : showNumber(number, readers);
}

/**
 * Writes a number for its readers: `+234 803 123 4567`, or masked, `+234803•••4567`. A mask hides at least three digits,
 * however short the number is, and does not show how many.
 */
export function showNumber(number: PhoneNumber, readers: Readers): string {
  const text = toE164(number);
  const parsed = parsePhoneNumberFromString(text);
  if (readers === 'person') {
    return parsed?.formatInternational() ?? text;
  }
  const { countryCallingCode = '', nationalNumber = text.slice(1) } = parsed ?? {};
  const mayBeShown = nationalNumber.length - 3;
  const last = Math.min(4, mayBeShown);
  const first = Math.min(3, mayBeShown - last);
  return `+${countryCallingCode}${nationalNumber.slice(0, first)}•••${nationalNumber.slice(nationalNumber.length - last)}`;
}

/** Writes an ICCID. Every one begins with 89; the last four digits tell them apart. */
export function showIccid(iccid: string, readers: Readers): string {
  return readers === 'person' ? iccid : `89•••${iccid.slice(-4)}`;
}

export function showPersonal(text: string, readers: Readers): string {
  return readers === 'person' ? text : maskPersonal(text);
}

/**
 * Returns a value as the records keep it: phone numbers and ICCIDs are masked at any depth. Whatever is recorded passes
 * through here, so no caller has to. A sender ID stays: it is the workspace's own, and *Send again* needs it.
 *
 * @param named keys of texts that people choose, and in which they may name a number
 */
export function toRecord(value: unknown, named: ReadonlySet<string> = new Set()): unknown {
  const json = JSON.stringify(value);
  return json === undefined
    ? value
    : JSON.parse(json, (key, part: unknown) => {
        const kind = typeof part === 'string' && key !== 'senderId' ? readPrivateValue(part) : undefined;
        if (kind !== undefined) {
          return showPrivateValue({ kind, value: String(part) }, 'record');
        }
        return typeof part === 'string' && named.has(key) ? showPersonal(part, 'record') : part;
      });
}
