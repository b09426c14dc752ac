import { z } from 'zod';
import { readSenderId } from '../../domain/messages/sender-id.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readNumber } from '../../domain/phone/read-number.ts';
import { type OtpRequest, type OtpWay, otpWaySchema } from './otp-service.ts';

/** The form for a one-time code, as typed. Each way of sending uses only its own fields. */
export interface OtpForm {
  way: OtpWay;
  number: string;
  address: string;
  senderId: string | undefined;
  device: string;
  kind: string | undefined;
  length: string;
  minutes: string;
  attempts: string;
  text: string;
  placeholder: string;
}

export type OtpField = Exclude<keyof OtpForm, 'way'>;

export type ReadOtpForm =
  | { ok: true; code: OtpRequest }
  | { ok: false; faults: Partial<Record<OtpField, string>> };

/** The fields of each way, in the order of the form. */
export const otpFields: Record<OtpWay, readonly OtpField[]> = {
  sms: ['number', 'senderId', 'text', 'placeholder', 'kind', 'length', 'minutes', 'attempts'],
  voice: ['number', 'length', 'minutes', 'attempts'],
  email: ['address', 'length', 'minutes', 'attempts'],
  chat: ['number', 'device', 'length', 'minutes', 'attempts'],
  in_app: ['number', 'kind', 'length', 'minutes', 'attempts'],
};

export const emptyOtpForm: OtpForm = {
  way: otpWaySchema.enum.sms,
  number: '',
  address: '',
  senderId: undefined,
  device: '',
  kind: 'NUMERIC',
  length: '6',
  minutes: '10',
  attempts: '3',
  text: 'Your code is <code>. It is good for 10 minutes.',
  placeholder: '<code>',
};

/** The maximum of digits in a code: fewer in the chat application (API §4.2, §8). */
const maxLength: Record<OtpWay, number> = { sms: 8, voice: 8, email: 8, chat: 6, in_app: 8 };
const maxAttempts = 10;

/** Reads the whole form by the limits of API §4.2–4.7. Each fault is a sentence to show beside its field. */
export function readOtpForm(form: OtpForm, country: CountryCode): ReadOtpForm {
  const faults: Partial<Record<OtpField, string>> = {};
  /** Returns the value that was read, or notes the fault and returns `none`. */
  const take = <T>(
    field: OtpField,
    read: { ok: true; value: T } | { ok: false; reason: string },
    none: T,
  ): T => {
    if (read.ok) {
      return read.value;
    }
    if (otpFields[form.way].includes(field)) {
      faults[field] = read.reason;
    }
    return none;
  };

  // The provider accepts 0 minutes for its own codes; a code that the program verifies needs time to be read back.
  const minMinutes = form.way === 'sms' || form.way === 'in_app' ? 0 : 1;
  const length = take('length', wholeNumber(form.length, 4, maxLength[form.way]), 0);
  const minutes = take('minutes', wholeNumber(form.minutes, minMinutes, 60), 0);
  const attempts = take('attempts', wholeNumber(form.attempts, 1, maxAttempts), 0);
  const address = take('address', emailAddress(form.address), '');
  const device = take('device', required(form.device, 'Enter the name of the device that sends.'), '');
  const kind = form.kind === 'ALPHANUMERIC' ? form.kind : 'NUMERIC';
  const senderId = take('senderId', sender(form.senderId ?? ''), '');
  const placeholder = take(
    'placeholder',
    required(form.placeholder, 'Enter what the code takes the place of.'),
    '',
  );
  const text = take('text', textWith(form.text, placeholder), '');
  const number = readNumber(form.number, country);
  if (!number.ok && otpFields[form.way].includes('number')) {
    faults.number =
      form.number.trim() === '' ? 'Enter the phone number.' : `“${form.number.trim()}” ${number.reason}.`;
  }

  if (Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  const life = { length, minutes, attempts };
  if (form.way === 'email') {
    return { ok: true, code: { way: 'email', address, ...life } };
  }
  if (!number.ok) {
    return { ok: false, faults };
  }
  const to = number.number;
  switch (form.way) {
    case 'sms':
      return { ok: true, code: { way: 'sms', to, senderId, kind, text, placeholder, ...life } };
    case 'in_app':
      return { ok: true, code: { way: 'in_app', to, kind, ...life } };
    case 'voice':
      return { ok: true, code: { way: 'voice', to, ...life } };
    case 'chat':
      return { ok: true, code: { way: 'chat', to, device, ...life } };
  }
}

type ReadField<T> = { ok: true; value: T } | { ok: false; reason: string };

function wholeNumber(text: string, min: number, max: number): ReadField<number> {
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max
    ? { ok: true, value }
    : { ok: false, reason: `Enter a whole number from ${min} to ${max}.` };
}

function emailAddress(text: string): ReadField<string> {
  const read = z.email().safeParse(text.trim());
  return read.success ? { ok: true, value: read.data } : { ok: false, reason: 'Enter an e-mail address.' };
}

function required(text: string, reason: string): ReadField<string> {
  return text.trim() === '' ? { ok: false, reason } : { ok: true, value: text.trim() };
}

function sender(text: string): ReadField<string> {
  const read = readSenderId(text);
  return read.ok ? { ok: true, value: read.senderId } : read;
}

function textWith(text: string, placeholder: string): ReadField<string> {
  if (text.trim() === '') {
    return { ok: false, reason: 'Write the message.' };
  }
  return placeholder !== '' && !text.includes(placeholder)
    ? { ok: false, reason: `The message must hold ${placeholder}, where the code is to stand.` }
    : { ok: true, value: text };
}
