import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import { channelOf, type Dialect, type Route } from '../dialect.ts';
import { codeInput, nonEmptyText, senderIdPattern } from '../request/input-fields.ts';
import { recipientList, recipients } from '../request/recipients.ts';
import type { Outcome } from '../outcome.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { media } from './media.ts';
import { type SendResult, sendResult } from '../response/send-result.ts';

/** A message to one or to up to 100 recipients (API §4.1). Either `text` or, on the chat route, `media`. */
export interface OutboundMessage {
  /** Recipients as digits in international format without `+`, each once. */
  readonly to: string | readonly string[];
  /** A sender ID; on the chat route a device name. */
  readonly from: string;
  readonly route: Route;
  readonly text?: string;
  readonly media?: { readonly url: string; readonly caption?: string };
  /** Default `plain` (`voice` on the voice route). `unicode` for text outside the GSM alphabet. */
  readonly type?: 'plain' | 'unicode' | 'voice';
}

/** A one-time code through the chat application (API §4.2); the provider's support activates it. */
export interface ChatOtp {
  /** As of a `Message`. */
  readonly to: string | readonly string[];
  readonly from: string;
  /** 4 to 6 digits. */
  readonly code: string | Secret;
}

/** One text to up to 100 recipients (API §4.3). */
export interface BulkMessage {
  /** As of a `Message`. */
  readonly to: readonly string[];
  /** A sender ID of 3 to 11 letters and digits. */
  readonly from: string;
  readonly route: 'generic' | 'dnd';
  readonly text: string;
  /** Default `plain`. */
  readonly type?: 'plain' | 'unicode';
}

export interface MessageOperations {
  send(message: OutboundMessage, options?: RequestOptions): Promise<Outcome<SendResult>>;
  sendChatOtp(chatOtp: ChatOtp, options?: RequestOptions): Promise<Outcome<SendResult>>;
  sendBulk(message: BulkMessage, options?: RequestOptions): Promise<Outcome<SendResult>>;
}

export function createMessageOperations(call: RequestSender, dialect: Dialect): MessageOperations {
  const send = sendOperation(dialect);
  const sendChatOtp = sendChatOtpOperation(dialect);
  const sendBulk = sendBulkOperation(dialect);
  return {
    send: (message, options) => call(send, message, options),
    sendChatOtp: (chatOtp, options) => call(sendChatOtp, chatOtp, options),
    sendBulk: (message, options) => call(sendBulk, message, options),
  };
}

const messageInput = z
  .object({
    to: recipients,
    from: z.string('must be a sender ID').trim().min(1, 'must not be empty'),
    route: z.enum(['generic', 'dnd', 'chatapp', 'voice'], 'must be generic, dnd, chatapp or voice'),
    text: nonEmptyText.optional(),
    media: media.optional(),
    // Described, but the names of the fields it needs are shown nowhere: guessed at, it would go out in the clear.
    type: z
      .enum(
        ['plain', 'unicode', 'voice'],
        'must be plain, unicode or voice; encrypted cannot be offered, its fields are not described',
      )
      .optional(),
  })
  .superRefine((message, context) => {
    const fault = (field: string, rule: string) =>
      context.addIssue({ code: 'custom', path: [field], message: rule });
    if (message.route !== 'chatapp' && !senderIdPattern.test(message.from)) {
      fault('from', 'must be 3 to 11 letters and digits, or a number');
    }
    if (message.media && message.route !== 'chatapp') {
      fault('media', 'goes on the chat route only');
    }
    if (message.type === 'voice' && message.route !== 'voice') {
      fault('type', 'voice goes on the voice route only');
    }
    if (message.media && message.text !== undefined) {
      fault('text', 'must be left out where media is sent');
    }
    if (!message.media && message.text === undefined) {
      fault('text', 'is needed');
    }
  });

function sendOperation(dialect: Dialect): ProviderOperation<z.output<typeof messageInput>, SendResult> {
  return {
    name: 'messages.send',
    input: messageInput,
    redact: ({ text, media }) => ({ text: text ?? media?.caption }),
    unavailable: (message) => unicodeUnavailable(message, dialect),
    request: (message) => ({
      method: 'POST',
      path: '/api/sms/send',
      json: {
        to: oneOrMany(message.to),
        from: message.from,
        ...(message.text !== undefined && { sms: message.text }),
        ...(message.media && { media: message.media }),
        channel: channelOf(message.route, dialect),
        type: typeOf(message, dialect),
      },
    }),
    expect: () => ({ answer: sendResult }),
  };
}

const chatOtpInput = z.object({
  to: recipients,
  // A device of the chat application, as on the chat route (API §4.1, to which §4.2 refers).
  from: nonEmptyText,
  code: codeInput(/^\d{4,6}$/, 'must be 4 to 6 digits'),
});

function sendChatOtpOperation({
  chatOtpChannel,
}: Dialect): ProviderOperation<z.output<typeof chatOtpInput>, SendResult> {
  return {
    name: 'messages.sendChatOtp',
    input: chatOtpInput,
    redact: ({ code }) => ({ code }),
    unavailable: () =>
      chatOtpChannel === undefined
        ? 'Codes by chat need PROVIDER_CHAT_OTP_CHANNEL, the provider’s name for their channel.'
        : undefined,
    request: ({ to, from, code }) => ({
      method: 'POST',
      path: '/api/sms/send',
      json: { to: oneOrMany(to), from, sms: code, channel: chatOtpChannel, type: 'plain' },
    }),
    expect: () => ({ answer: sendResult }),
  };
}

const bulkInput = z.object({
  to: recipientList,
  from: z
    .string('must be a sender ID')
    .trim()
    .regex(/^[A-Za-z0-9]{3,11}$/, 'must be 3 to 11 letters and digits'),
  route: z.enum(['generic', 'dnd'], 'must be generic or dnd'),
  text: nonEmptyText,
  type: z
    .enum(
      ['plain', 'unicode'],
      'must be plain or unicode; encrypted cannot be offered, its fields are not described',
    )
    .optional(),
});

function sendBulkOperation(dialect: Dialect): ProviderOperation<z.output<typeof bulkInput>, SendResult> {
  return {
    name: 'messages.sendBulk',
    input: bulkInput,
    redact: ({ text }) => ({ text }),
    unavailable: (message) => unicodeUnavailable(message, dialect),
    request: (message) => ({
      method: 'POST',
      path: '/api/sms/send/bulk',
      json: {
        to: message.to,
        from: message.from,
        sms: message.text,
        channel: message.route,
        type: typeOf(message, dialect),
      },
    }),
    expect: () => ({ answer: sendResult }),
  };
}

type TextType = z.output<typeof messageInput>['type'];

function unicodeUnavailable({ type }: { type?: TextType }, { unicodeType }: Dialect): string | undefined {
  if (type !== 'unicode' || unicodeType !== undefined) {
    return undefined;
  }
  return 'Text outside the plain alphabet needs PROVIDER_UNICODE_TYPE, the provider’s name for such a text.';
}

function typeOf({ type, route }: { type?: TextType; route: Route }, { unicodeType }: Dialect): string {
  if (type === 'unicode' && unicodeType !== undefined) {
    return unicodeType;
  }
  return type ?? (route === 'voice' ? 'voice' : 'plain');
}

function oneOrMany(to: readonly string[]): string | undefined | readonly string[] {
  return to.length === 1 ? to[0] : to;
}
