import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkText, definedFaults } from '../../domain/messages/message-checks.ts';
import { readSenderId } from '../../domain/messages/sender-id.ts';
import { checkCodeText } from '../../domain/otp/code-text.ts';
import { codeLength, isOwnWay, type OtpWay, otpWaySchema } from '../../domain/otp/otp-ways.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { type PhoneNumber, toE164 } from '../../domain/phone/phone-number.ts';
import { readTypedNumber } from '../../domain/phone/read-number.ts';
import type { CodeDefaults } from '../workspaces/workspace-settings.ts';

export const otpFormSchema = z.object({
  way: otpWaySchema,
  number: z.string(),
  address: z.string(),
  senderId: z.string().optional(),
  device: z.string(),
});

/** The form for a one-time code, as typed. Each way of sending uses only its own fields. */
export type OtpForm = z.infer<typeof otpFormSchema>;

export const otpFields = ['number', 'address', 'device', 'senderId'] as const;
export type OtpField = (typeof otpFields)[number];

/** What a workspace has chosen for its codes, as the form needs it. */
export interface CodeSetup {
  /** Its `senderId` may be the workspace's sender for messages. Without one, the form asks for it. */
  defaults: CodeDefaults;
  /** The ways that can be chosen. */
  ways: readonly OtpWay[];
  /** Of numbers that are written without one. */
  country: CountryCode;
  /** Whether codes that the provider sends can be verified here. */
  verifiesProviderCodes: boolean;
}

/** Names what the codes of a workspace are like: what a form shows of it, and from whom they are sent. */
export function nameOfSettings({ defaults, verifiesProviderCodes }: CodeSetup): string {
  const { senderId = '', text, length, minutes, attempts, characters } = defaults;
  const settings = [senderId, text, length, minutes, attempts, characters, verifiesProviderCodes];
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 16);
}

interface CodeLife {
  length: number;
  minutes: number;
  attempts: number;
}

export type OwnCode = CodeLife &
  (
    | { way: 'sms'; to: PhoneNumber; senderId: string; text: string }
    | { way: 'voice'; to: PhoneNumber }
    | { way: 'chat'; to: PhoneNumber; device: string }
    | { way: 'email'; address: string }
  );

export type ProviderCode = CodeLife & { characters: CodeDefaults['characters'] } & (
    | { way: 'sms_token'; to: PhoneNumber; senderId: string; text: string }
    | { way: 'in_app'; to: PhoneNumber }
  );

export type OtpRequest = OwnCode | ProviderCode;

export type ReadOtpForm =
  | { ok: true; code: OtpRequest }
  | { ok: false; faults: Partial<Record<OtpField | 'way', string>> };

/** Returns the fields of a way. */
export function fieldsOf(way: OtpWay, { defaults }: CodeSetup): readonly OtpField[] {
  const sender: OtpField[] = defaults.senderId === undefined ? ['senderId'] : [];
  const fields: Record<OtpWay, readonly OtpField[]> = {
    sms: ['number', ...sender],
    voice: ['number'],
    email: ['address'],
    chat: ['number', 'device'],
    sms_token: ['number', ...sender],
    in_app: ['number'],
  };
  return fields[way];
}

/**
 * Reads the whole form by the limits of API §4.1–4.7. Each fault is a sentence to show beside its field.
 *
 * @param active the account's active sender IDs, see `readSenderId`
 */
export function readOtpForm(form: OtpForm, setup: CodeSetup, active: readonly string[]): ReadOtpForm {
  const { way } = form;
  const { defaults } = setup;
  const fields = fieldsOf(way, setup);
  const faults: Partial<Record<OtpField | 'way', string>> = {};
  /** Returns the value that was read, or notes the fault if the way has the field. */
  const take = <T>(field: OtpField, read: ReadField<T>): T | undefined => {
    if (!read.ok && fields.includes(field)) {
      faults[field] = read.reason;
    }
    return read.ok ? read.value : undefined;
  };

  const to = take('number', phoneNumber(form.number, setup.country));
  const address = take('address', emailAddress(form.address));
  const device = take('device', deviceName(form.device));
  const senderId = take('senderId', sender(defaults.senderId ?? form.senderId ?? '', active));
  if (!setup.ways.includes(way)) {
    faults.way = 'This workspace has no email configuration. Choose another way to send it.';
  }
  if (Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  const { minutes, attempts, text, characters } = defaults;
  const life = { length: codeLength(way, defaults.length), minutes, attempts };
  const code = requestFor({ way, to, address, device, senderId }, { ...life, text, characters });
  return code === undefined ? { ok: false, faults } : { ok: true, code };
}

/** Returns the request of a way, once everything it needs was read. */
function requestFor(
  read: {
    way: OtpWay;
    to: PhoneNumber | undefined;
    address: string | undefined;
    device: string | undefined;
    senderId: string | undefined;
  },
  { text, characters, ...life }: CodeLife & Pick<CodeDefaults, 'text' | 'characters'>,
): OtpRequest | undefined {
  const { way, to, address, device, senderId } = read;
  if (way === 'email') {
    return address === undefined ? undefined : { way, address, ...life };
  }
  if (to === undefined) {
    return undefined;
  }
  switch (way) {
    case 'sms':
      return senderId === undefined ? undefined : { way, to, senderId, text, ...life };
    case 'sms_token':
      return senderId === undefined ? undefined : { way, to, senderId, text, characters, ...life };
    case 'chat':
      return device === undefined ? undefined : { way, to, device, ...life };
    case 'voice':
      return { way, to, ...life };
    case 'in_app':
      return { way, to, characters, ...life };
  }
}

/** Returns the form that a code was sent with, to send another one. */
export function formOf(code: OtpRequest): OtpForm {
  return {
    way: code.way,
    number: code.way === 'email' ? '' : toE164(code.to),
    address: code.way === 'email' ? code.address : '',
    device: code.way === 'chat' ? code.device : '',
    ...('senderId' in code ? { senderId: code.senderId } : {}),
  };
}

export function isOwnCode(code: OtpRequest): code is OwnCode {
  return isOwnWay(code.way);
}

type ReadField<T> = { ok: true; value: T } | { ok: false; reason: string };

function phoneNumber(text: string, country: CountryCode): ReadField<PhoneNumber> {
  const read = readTypedNumber(text, country);
  return read.ok
    ? { ok: true, value: read.number }
    : { ok: false, reason: read.fault ?? 'Enter the phone number.' };
}

function emailAddress(text: string): ReadField<string> {
  const read = z.email().safeParse(text.trim());
  return read.success ? { ok: true, value: read.data } : { ok: false, reason: 'Enter an email address.' };
}

function deviceName(text: string): ReadField<string> {
  const name = text.trim();
  return name === ''
    ? { ok: false, reason: 'Enter the name of the device that sends.' }
    : { ok: true, value: name };
}

function sender(text: string, active: readonly string[]): ReadField<string> {
  const read = readSenderId(text, active);
  return read.ok ? { ok: true, value: read.senderId } : read;
}

/** The form for a workspace's one-time codes, as typed. */
export type CodeDefaultsForm = Record<keyof CodeDefaults, string>;

export type ReadCodeDefaults =
  | { ok: true; defaults: CodeDefaults }
  | { ok: false; faults: Partial<Record<keyof CodeDefaults, string>> };

/** The limits of API §4.2–4.7. A code needs at least a minute to be read back. */
export const codeLimits = {
  length: { min: 4, max: 8 },
  minutes: { min: 1, max: 60 },
  attempts: { min: 1, max: 10 },
} as const;

/**
 * Reads the whole form. Each fault is a sentence to show beside its field. `unicode`: whether such text can be sent. `active`:
 * as `readOtpForm`.
 */
export function readCodeDefaults(
  form: CodeDefaultsForm,
  { unicode, active }: { unicode: boolean; active: readonly string[] },
): ReadCodeDefaults {
  const way = otpWaySchema.safeParse(form.way).data;
  const senderId = form.senderId.trim();
  const sender = senderId === '' ? undefined : readSenderId(senderId, active);
  const emailConfigurationId = form.emailConfigurationId.trim();
  const length = readNumberWithin(form.length, codeLimits.length);
  const minutes = readNumberWithin(form.minutes, codeLimits.minutes);
  const attempts = readNumberWithin(form.attempts, codeLimits.attempts);
  const codeFault =
    length === undefined || minutes === undefined ? undefined : checkCodeText(form.text, { length, minutes });

  const faults = definedFaults({
    way: way === undefined ? 'Choose how to send it.' : faultOfWay(way, emailConfigurationId),
    senderId: sender?.ok === false ? sender.reason : undefined,
    text: checkText(form.text, unicode) ?? codeFault,
    length: length === undefined ? rangeFault(codeLimits.length) : undefined,
    minutes: minutes === undefined ? rangeFault(codeLimits.minutes) : undefined,
    attempts: attempts === undefined ? rangeFault(codeLimits.attempts) : undefined,
  });
  const isWhole =
    way !== undefined && length !== undefined && minutes !== undefined && attempts !== undefined;
  if (!isWhole || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  return {
    ok: true,
    defaults: {
      way,
      text: form.text,
      length,
      minutes,
      attempts,
      characters: form.characters === 'ALPHANUMERIC' ? form.characters : 'NUMERIC',
      ...(senderId === '' ? {} : { senderId }),
      ...(emailConfigurationId === '' ? {} : { emailConfigurationId }),
    },
  };
}

function faultOfWay(way: OtpWay, emailConfigurationId: string): string | undefined {
  return way === 'email' && emailConfigurationId === ''
    ? 'Codes by email need an email configuration.'
    : undefined;
}

function rangeFault({ min, max }: { min: number; max: number }): string {
  return `Enter a whole number from ${min} to ${max}.`;
}

function readNumberWithin(text: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
