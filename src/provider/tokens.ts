import { z } from 'zod';
import { Secret } from '../lib/secret.ts';
import type { Dialect } from './dialect.ts';
import { codeInput, nonEmptyText, phoneNumber, sender } from './request/input-fields.ts';
import {
  defineOperation,
  offWithout,
  type RequestOptions,
  type RequestSender,
} from './request/request-sender.ts';
import { optionalText, record, sentAs } from './response/fields.ts';
import { redactFields } from './response/redaction.ts';
import { type SendResult, sendResult } from './response/send-result.ts';

export function createTokenOperations(request: RequestSender, dialect: Dialect) {
  const answer = sendResult(dialect);
  const call = callOperation(dialect, answer);
  const email = emailOperation(answer);
  const verify = verifyOperation(dialect);
  const send = sendOperation(dialect);
  return {
    send: (token: TokenMessage, options?: RequestOptions) => request(send, token, options),
    generate: (token: InAppToken, options?: RequestOptions) => request(generate, token, options),
    call: (token: VoiceToken, options?: RequestOptions) => request(call, token, options),
    email: (token: EmailToken, options?: RequestOptions) => request(email, token, options),
    /**
     * Checks a code that the provider made. Beyond the description; ends as `not_configured` unless the dialect names the
     * path.
     */
    verify: (check: TokenCheck, options?: RequestOptions) => request(verify, check, options),
  };
}

/** How a one-time code is generated (API §2.3). */
const pin = {
  /** Digits only, or letters and digits. */
  pinType: z.enum(['NUMERIC', 'ALPHANUMERIC'], 'must be NUMERIC or ALPHANUMERIC'),
  /** Attempts that the recipient has. */
  pinAttempts: z.int('must be a whole number').min(1, 'must be 1 or more'),
  /** Minutes until the code expires. */
  pinTimeToLive: z
    .int('must be a whole number')
    .min(0, 'must be 0 to 60 minutes')
    .max(60, 'must be 0 to 60 minutes'),
  /** Characters. */
  pinLength: z.int('must be a whole number').min(4, 'must be 4 to 8').max(8, 'must be 4 to 8'),
};

const pinInput = z.object(pin);

function pinFields({ pinType, pinAttempts, pinTimeToLive, pinLength }: z.output<typeof pinInput>) {
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
    /** An approved sender ID. */
    from: sender,
    route: z.enum(['generic', 'dnd'], 'must be generic or dnd'),
    /** The part of the text that the code replaces. */
    pinPlaceholder: nonEmptyText,
    text: nonEmptyText,
  })
  .refine(({ text, pinPlaceholder }) => text.includes(pinPlaceholder), {
    path: ['text'],
    error: 'must hold the placeholder of the code',
  });

/** A one-time code that the provider generates and sends by SMS (API §4.4). */
export type TokenMessage = z.input<typeof sendInput>;

function sendOperation(dialect: Dialect) {
  const answer = sentToken(dialect);
  return defineOperation({
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
    expect: () => ({ answer }),
  });
}

const ok = z.union([z.literal('200'), z.literal(200)]);

/**
 * The provider accepted the message with the code; its delivery isn't known yet. Success requires a `status`
 * of 200, as text or number, and the pin's id under either name (API §4.4, §7). The dialect may make the
 * `status` optional.
 */
function sentToken({ successMarker }: Dialect) {
  return (
    record({
      status: successMarker === 'optional' ? ok.nullish() : ok,
      pinId: optionalText,
      pin_id: optionalText,
      messageId: sentAs('message_id_str', optionalText),
      to: optionalText,
      phoneNumber: sentAs('phone_number', optionalText),
      /** As the provider writes it. */
      smsStatus: optionalText,
    })
      // Without the marker, success is unclear unless the words say that it was sent.
      .refine(({ status, smsStatus = '' }) => Boolean(status) || /\bsent\b|success/i.test(smsStatus), {
        path: ['status'],
      })
      .transform(({ status: _, pinId, pin_id, ...read }) => ({
        ...read,
        /** The id to verify the code with. */
        pinId: pinId ?? pin_id ?? '',
      }))
      .refine(({ pinId }) => pinId !== '', { path: ['pinId'] })
  );
}

const generateInput = z.object({ ...pin, phoneNumber });

/** A one-time code that the provider generates and returns, to be shown elsewhere (API §4.5). */
export type InAppToken = z.input<typeof generateInput>;

const generate = defineOperation({
  name: 'tokens.generate',
  input: generateInput,
  redact: ({ pinLength }) => ({ code: codePattern(pinLength) }),
  request: ({ phoneNumber, ...pin }) => ({
    method: 'POST',
    path: '/api/sms/otp/generate',
    json: { ...pinFields(pin), phone_number: phoneNumber },
  }),
  expect: () => ({ answer: generatedToken }),
});

const generatedFields = {
  otp: z.instanceof(Secret).optional().catch(undefined),
  pinId: sentAs('pin_id', optionalText),
  phoneNumber: sentAs('phone_number', optionalText),
  phoneNumberOther: sentAs('phone_number_other', optionalText),
};

/**
 * A one-time code that the provider generated (API §4.5). Nothing was sent. Success requires the code, at the top level
 * or, in an older format, under `data`. In `raw`, it is a `Secret` too.
 */
const generatedToken = z
  .unknown()
  .transform((body) => redactFields(body, new Set(['otp'])))
  .pipe(record({ ...generatedFields, data: record(generatedFields).optional().catch(undefined) }))
  .transform(({ data, ...bare }) => {
    const { otp = new Secret(''), ...rest } = data?.otp ? data : bare;
    return { ...rest, otp, raw: bare.raw };
  })
  .refine(({ otp }) => otp.reveal().trim() !== '', { path: ['otp'] });

/**
 * Matches everything that may be a code of this length. The code comes in the response, so where that cannot be read, an
 * error message must not quote anything that may be the code.
 */
export function codePattern(length: number): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?=[A-Za-z]*\\d)[A-Za-z0-9]{${length}}(?![A-Za-z0-9])`, 'g');
}

const callInput = z.object({ phoneNumber, code: codeInput(/^\d{4,8}$/, 'must be 4 to 8 digits') });

/** A code of the caller's, read out in a voice call (API §4.6). The provider cannot verify it. */
export type VoiceToken = z.input<typeof callInput>;

/** The API's client samples use a different path, which the dialect can name. */
function callOperation({ voiceOtpPath = '/api/sms/otp/call' }: Dialect, answer: z.ZodType<SendResult>) {
  return defineOperation({
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
  });
}

const emailInput = z.object({
  emailAddress: z.string('must be text').regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'),
  code: codeInput(/\S/, 'must not be empty'),
  /** Id of a configuration created on the account's dashboard. */
  emailConfigurationId: nonEmptyText,
});

/** A code of the caller's, sent by email (API §4.7). The provider cannot verify it. */
export type EmailToken = z.input<typeof emailInput>;

function emailOperation(answer: z.ZodType<SendResult>) {
  return defineOperation({
    name: 'tokens.email',
    input: emailInput,
    redact: ({ code }) => ({ code }),
    request: ({ emailAddress, code, emailConfigurationId }) => ({
      method: 'POST',
      path: '/api/email/otp/send',
      json: { email_address: emailAddress, code, email_configuration_id: emailConfigurationId },
    }),
    expect: () => ({ answer }),
  });
}

const checkInput = z.object({
  pinId: nonEmptyText,
  code: codeInput(/^[A-Za-z0-9]{4,8}$/, 'must be 4 to 8 letters or digits'),
});

/** A code that a recipient read back, of one that the provider made and sent. */
export type TokenCheck = z.input<typeof checkInput>;

/** `verified` is a boolean or a text: `True`, `Expired`. Anything else is no answer. */
const verdict = z
  .union([z.boolean(), z.string()])
  .transform((verified) => verdicts.get(String(verified).trim().toLowerCase()))
  .pipe(z.enum(['match', 'expired', 'wrong']));

const verdicts: ReadonlyMap<string, string> = new Map([
  ['true', 'match'],
  ['expired', 'expired'],
  ['false', 'wrong'],
]);

/** What the provider says of a code. Without the whole response: it may repeat the code. */
const verification = z.object({ verified: verdict }).transform(({ verified }) => ({ verdict: verified }));
export type TokenVerification = z.output<typeof verification>;

/** Beyond the description: public pages of such a provider show it. */
function verifyOperation({ tokenVerifyPath }: Dialect) {
  return defineOperation({
    name: 'tokens.verify',
    input: checkInput,
    unavailable: () =>
      offWithout(tokenVerifyPath, 'tokenVerifyPath', 'Verifying codes made by the provider is'),
    redact: ({ code }) => ({ code }),
    request: ({ pinId, code }) => ({
      method: 'POST',
      path: tokenVerifyPath ?? '',
      json: { pin_id: pinId, pin: code },
    }),
    expect: () => ({
      answer: verification,
      // A wrong code may come with a status of refusal. A match in a refusal contradicts it, and is unconfirmed.
      fromRefusal: (body) => {
        const { data } = verification.safeParse(body);
        return data?.verdict === 'match' ? undefined : data;
      },
    }),
  });
}
