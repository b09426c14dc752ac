import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import type { Dialect } from '../dialect.ts';
import type { Outcome } from '../errors.ts';
import { codeInput, nonEmptyText, senderId } from '../request/input-fields.ts';
import { phoneNumber } from '../request/recipients.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { omitUndefined, optionalText, record } from '../response/fields.ts';
import { type SendResult, sendResult } from '../response/send-result.ts';
import { codePattern, type GeneratedToken, generatedToken } from './generated-token.ts';
import { type TokenCheck, type TokenVerification, verifyOperation } from './token-verification.ts';

/** How a one-time code is generated (API §2.3). */
interface Pin {
  /** Digits only, or letters and digits. */
  readonly pinType: 'NUMERIC' | 'ALPHANUMERIC';
  /** Attempts that the recipient has: 1 or more. */
  readonly pinAttempts: number;
  /** Minutes until the code expires: 0 to 60. */
  readonly pinTimeToLive: number;
  /** Characters: 4 to 8. */
  readonly pinLength: number;
}

/** A one-time code that the provider generates and sends by SMS (API §4.4). */
export interface TokenMessage extends Pin {
  /** One recipient. */
  readonly to: string;
  /** An approved sender ID. */
  readonly from: string;
  readonly route: 'generic' | 'dnd';
  /** The part of the text that the code replaces. */
  readonly pinPlaceholder: string;
  /** Must contain the placeholder. */
  readonly text: string;
}

/** The provider accepted the message with the code. Its delivery is not known yet. */
export interface SentToken {
  /** The id by which the code is verified. */
  readonly pinId: string;
  readonly messageId?: string | undefined;
  readonly to?: string | undefined;
  readonly phoneNumber?: string | undefined;
  /** As the provider writes it. */
  readonly smsStatus?: string | undefined;
  readonly raw: unknown;
}

/** A one-time code that the provider generates and returns, to be shown elsewhere (API §4.5). */
export interface InAppToken extends Pin {
  readonly phoneNumber: string;
}

/** A code of the caller's, read out in a voice call (API §4.6). The provider cannot verify it. */
export interface VoiceToken {
  readonly phoneNumber: string;
  /** 4 to 8 digits. */
  readonly code: string | Secret;
}

/** A code of the caller's, sent by email (API §4.7). The provider cannot verify it. */
export interface EmailToken {
  readonly emailAddress: string;
  readonly code: string | Secret;
  /** Id of a configuration created on the account's dashboard. */
  readonly emailConfigurationId: string;
}

export interface TokenOperations {
  send(token: TokenMessage, options?: RequestOptions): Promise<Outcome<SentToken>>;
  generate(token: InAppToken, options?: RequestOptions): Promise<Outcome<GeneratedToken>>;
  call(token: VoiceToken, options?: RequestOptions): Promise<Outcome<SendResult>>;
  email(token: EmailToken, options?: RequestOptions): Promise<Outcome<SendResult>>;
  /**
   * Checks a code that the provider made. Beyond the description; ends as `not_configured` unless the dialect names the path.
   */
  verify(check: TokenCheck, options?: RequestOptions): Promise<Outcome<TokenVerification>>;
}

export function createTokenOperations(request: RequestSender, dialect: Dialect): TokenOperations {
  const answer = sendResult(dialect);
  const call = callOperation(dialect, answer);
  const email = emailOperation(answer);
  const verify = verifyOperation(dialect);
  return {
    send: (token, options) => request(send, token, options),
    generate: (token, options) => request(generate, token, options),
    call: (token, options) => request(call, token, options),
    email: (token, options) => request(email, token, options),
    verify: (check, options) => request(verify, check, options),
  };
}

const pin = {
  pinType: z.enum(['NUMERIC', 'ALPHANUMERIC'], 'must be NUMERIC or ALPHANUMERIC'),
  pinAttempts: z.int('must be a whole number').min(1, 'must be 1 or more'),
  pinTimeToLive: z
    .int('must be a whole number')
    .min(0, 'must be 0 to 60 minutes')
    .max(60, 'must be 0 to 60 minutes'),
  pinLength: z.int('must be a whole number').min(4, 'must be 4 to 8').max(8, 'must be 4 to 8'),
};

function pinFields({ pinType, pinAttempts, pinTimeToLive, pinLength }: Pin) {
  return {
    pin_type: pinType,
    pin_attempts: pinAttempts,
    pin_time_to_live: pinTimeToLive,
    pin_length: pinLength,
  };
}

const sendInput = z
  .object({
    ...pin,
    to: phoneNumber,
    from: senderId,
    route: z.enum(['generic', 'dnd'], 'must be generic or dnd'),
    pinPlaceholder: nonEmptyText,
    text: nonEmptyText,
  })
  .refine(({ text, pinPlaceholder }) => text.includes(pinPlaceholder), {
    path: ['text'],
    error: 'must hold the placeholder of the code',
  });

const send: ProviderOperation<z.output<typeof sendInput>, SentToken> = {
  name: 'tokens.send',
  input: sendInput,
  redact: ({ text }) => ({ text }),
  request: ({ to, from, route, pinPlaceholder, text, ...pin }) => ({
    method: 'POST',
    path: '/api/sms/otp/send',
    json: {
      ...pinFields(pin),
      to,
      from,
      channel: route,
      pin_placeholder: pinPlaceholder,
      message_text: text,
      // The request's schema shows this field with the same kind of value, but not whether it is required.
      message_type: pin.pinType,
    },
  }),
  expect: () => ({ answer: sentToken }),
};

/** Success requires a `status` of 200, as text or number, and the pin's id under either name (API §4.4, §7). */
const sentToken = record(
  {
    status: z.union([z.literal('200'), z.literal(200)]),
    pinId: optionalText,
    pin_id: optionalText,
    message_id_str: optionalText,
    to: optionalText,
    phone_number: optionalText,
    smsStatus: optionalText,
  },
  ({ pinId, pin_id, message_id_str, to, phone_number, smsStatus }) =>
    omitUndefined({
      pinId: pinId ?? pin_id ?? '',
      messageId: message_id_str,
      to,
      phoneNumber: phone_number,
      smsStatus,
    }),
).refine(({ pinId }) => pinId !== '', { path: ['pinId'] });

const generateInput = z.object({ ...pin, phoneNumber });

const generate: ProviderOperation<z.output<typeof generateInput>, GeneratedToken> = {
  name: 'tokens.generate',
  input: generateInput,
  redact: ({ pinLength }) => ({ code: codePattern(pinLength) }),
  request: ({ phoneNumber, ...pin }) => ({
    method: 'POST',
    path: '/api/sms/otp/generate',
    json: { ...pinFields(pin), phone_number: phoneNumber },
  }),
  expect: () => ({ answer: generatedToken }),
};

const callInput = z.object({ phoneNumber, code: codeInput(/^\d{4,8}$/, 'must be 4 to 8 digits') });

/** The API's client samples use a different path, which the dialect can name. */
function callOperation(
  { voiceOtpPath = '/api/sms/otp/call' }: Dialect,
  answer: z.ZodType<SendResult>,
): ProviderOperation<z.output<typeof callInput>, SendResult> {
  return {
    name: 'tokens.call',
    input: callInput,
    redact: ({ code }) => ({ code }),
    request: ({ phoneNumber, code }) => ({
      method: 'POST',
      path: voiceOtpPath,
      // As text: a number would lose leading zeros.
      json: { phone_number: phoneNumber, code },
    }),
    expect: () => ({ answer }),
  };
}

const emailInput = z.object({
  emailAddress: z.string('must be text').regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'),
  code: codeInput(/\S/, 'must not be empty'),
  emailConfigurationId: nonEmptyText,
});

function emailOperation(
  answer: z.ZodType<SendResult>,
): ProviderOperation<z.output<typeof emailInput>, SendResult> {
  return {
    name: 'tokens.email',
    input: emailInput,
    redact: ({ code }) => ({ code }),
    request: ({ emailAddress, code, emailConfigurationId }) => ({
      method: 'POST',
      path: '/api/email/otp/send',
      json: { email_address: emailAddress, code, email_configuration_id: emailConfigurationId },
    }),
    expect: () => ({ answer }),
  };
}
