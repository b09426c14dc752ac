import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { addMinutes } from '../../lib/lagos-time.ts';
import { ok } from '../http/replies.ts';
import { NestedErrorReply, ProviderErrorReply, phoneNumberField } from '../http/request-checks.ts';
import { accept, checkRoute, senderFault } from '../messages/messages.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';
import type { Pin } from '../state/state.ts';

const pinType = z.enum(['NUMERIC', 'ALPHANUMERIC']);

/** The properties of a requested pin (API §2.3). */
const pinFields = {
  pin_type: pinType,
  pin_attempts: z.int().min(1, 'must be at least 1'),
  pin_time_to_live: z.int().min(0, 'must be 0 to 60').max(60, 'must be 0 to 60'),
  pin_length: z.int().min(4, 'must be 4 to 8').max(8, 'must be 4 to 8'),
};

/** The request of API §4.4 has this beside `pin_type`, with the same values. */
const messageType = pinType.exactOptional();

type PinRequest = z.infer<z.ZodObject<typeof pinFields>>;

/** Creates a pin for a number. It is valid once it is in the state. */
function newPin(request: PinRequest, number: string, { account, now }: OperationContext): Pin {
  return {
    id: randomUUID(),
    account: account.key,
    number,
    code: newCode(request),
    attemptsLeft: request.pin_attempts,
    expiresAt: addMinutes(now, request.pin_time_to_live).toISOString(),
  };
}

const alphabets = { NUMERIC: '0123456789', ALPHANUMERIC: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ' };

function newCode({ pin_type: type, pin_length: length }: PinRequest): string {
  const alphabet = alphabets[type];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** API §4.4. The pin replaces every occurrence of its placeholder in the text. */
const sendToken = operation({
  name: 'tokens.send',
  method: 'POST',
  path: '/api/sms/otp/send',
  fields: z
    .strictObject({
      ...pinFields,
      to: phoneNumberField,
      from: z.string(),
      channel: z.enum(['dnd', 'generic']),
      pin_placeholder: z.string().min(1, 'must not be empty'),
      message_text: z.string(),
      message_type: messageType,
    })
    .refine(({ message_text: text, pin_placeholder: placeholder }) => text.includes(placeholder), {
      path: ['message_text'],
      error: 'must contain the placeholder',
    }),
  answer({ to, from, channel, pin_placeholder: placeholder, message_text: text, ...request }, context) {
    checkRoute(context.account, channel);
    const fault = senderFault(context.account, from);
    if (fault !== undefined) {
      throw fault.status === 400 ? fault : new NestedErrorReply(fault.status, fault.message);
    }
    const pin = newPin(request, to, context);
    const sent = text.replaceAll(placeholder, pin.code);
    const { id } = accept({ channel, type: 'plain', from, to: [to], text: sent }, context);
    context.state.pins.push(pin);
    return ok({
      smsStatus: 'Message Sent',
      phone_number: to,
      to,
      pinId: pin.id,
      pin_id: pin.id,
      message_id_str: id,
      status: '200',
    });
  },
});

/** API §4.5. Sends and charges nothing. */
const generateToken = operation({
  name: 'tokens.generate',
  method: 'POST',
  path: '/api/sms/otp/generate',
  fields: z.strictObject({ ...pinFields, phone_number: phoneNumberField }),
  answer({ phone_number: number, ...request }, context) {
    const pin = newPin(request, number, context);
    context.state.pins.push(pin);
    return ok({ phone_number_other: number, phone_number: number, otp: pin.code, pin_id: pin.id });
  },
});

/** API §4.6. Accepts a code as a string or a number, since the description only calls it numeric. */
const callToken = operation({
  name: 'tokens.call',
  method: 'POST',
  path: '/api/sms/otp/call',
  alias: '/api/sms/otp/send/voice',
  fields: z.strictObject({
    phone_number: phoneNumberField,
    code: z.preprocess(
      (code) => (typeof code === 'number' ? String(code) : code),
      z.string().regex(/^\d{4,8}$/, 'must be 4 to 8 digits'),
    ),
  }),
  answer({ phone_number: number, code }, context) {
    checkRoute(context.account, 'voice');
    const { id } = accept({ channel: 'voice', type: 'voice', from: '', to: [number], text: code }, context);
    return ok({
      code: 'ok',
      balance: context.account.balanceInKobo / 100,
      message_id: id,
      pinId: randomUUID(),
      message: 'Successfully Sent',
    });
  },
});

/** API §4.7. Only here the balance is a string (§2.2). */
const emailToken = operation({
  name: 'tokens.email',
  method: 'POST',
  path: '/api/email/otp/send',
  fields: z.strictObject({
    email_address: z.email('must be an e-mail address'),
    code: z.string().regex(/^[A-Za-z0-9]+$/, 'must be a one-time code, of letters and digits'),
    email_configuration_id: z.string(),
  }),
  answer({ email_address: address, code, email_configuration_id: configuration }, context) {
    const { account } = context;
    if (!account.emailConfigurations.includes(configuration)) {
      throw new ProviderErrorReply(404, `Email configuration not found: ${configuration}`);
    }
    const { id } = accept(
      { channel: 'email', type: 'plain', from: configuration, to: [address], text: code },
      context,
    );
    return ok({
      code: 'ok',
      balance: String(account.balanceInKobo / 100),
      message_id: id,
      message: 'Successfully Sent',
      user: account.name,
    });
  },
});

export const tokenOperations: readonly OperationHandler[] = [sendToken, generateToken, callToken, emailToken];
