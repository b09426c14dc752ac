import { checkText } from '../../domain/messages/message-checks.ts';
import { readSenderId } from '../../domain/messages/sender-id.ts';
import { checkCodeText } from '../../domain/otp/code-text.ts';
import { otpWaySchema } from '../../domain/otp/otp-ways.ts';
import type { CodeDefaults } from '../workspaces/code-defaults.ts';

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

/** Reads the whole form. Each fault is a sentence to show beside its field. `unicode`: whether such text can be sent. */
export function readCodeDefaults(
  form: CodeDefaultsForm,
  { unicode }: { unicode: boolean },
): ReadCodeDefaults {
  const way = otpWaySchema.safeParse(form.way).data;
  const senderId = form.senderId.trim();
  const sender = senderId === '' ? undefined : readSenderId(senderId);
  const emailConfigurationId = form.emailConfigurationId.trim();
  const numbers = {
    length: readNumberWithin(form.length, codeLimits.length),
    minutes: readNumberWithin(form.minutes, codeLimits.minutes),
    attempts: readNumberWithin(form.attempts, codeLimits.attempts),
  };
  const { length, minutes, attempts } = numbers;
  const textFault =
    checkText(form.text, unicode) ??
    (length !== undefined && minutes !== undefined
      ? checkCodeText(form.text, { length, minutes })
      : undefined);

  const faults: Partial<Record<keyof CodeDefaults, string>> = {};
  if (way === undefined) {
    faults.way = 'Choose a way.';
  } else if (way === 'email' && emailConfigurationId === '') {
    faults.way = 'Codes by email need an email configuration.';
  }
  if (sender?.ok === false) {
    faults.senderId = sender.reason;
  }
  if (textFault !== undefined) {
    faults.text = textFault;
  }
  for (const field of ['length', 'minutes', 'attempts'] as const) {
    if (numbers[field] === undefined) {
      const { min, max } = codeLimits[field];
      faults[field] = `Enter a whole number from ${min} to ${max}.`;
    }
  }
  if (
    way === undefined ||
    length === undefined ||
    minutes === undefined ||
    attempts === undefined ||
    Object.keys(faults).length > 0
  ) {
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

function readNumberWithin(text: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
