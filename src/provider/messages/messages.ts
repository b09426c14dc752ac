import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import type { Dialect } from '../dialect.ts';
import type { Outcome } from '../errors.ts';
import { codeInput, nonEmptyText, senderIdPattern } from '../request/input-fields.ts';
import { recipientList, recipients } from '../request/recipients.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { type SendResult, sendResult } from '../response/send-result.ts';
import { media } from './media.ts';
import { historyOperation, type MessageRecord } from './message-history.ts';

/** A message to 1 to 100 recipients (API §4.1), with either `text` or, on the chat route, `media`. */
export interface OutboundMessage {
  /** Distinct numbers, as digits in international format without `+`. */
  readonly to: string | readonly string[];
  /** A sender ID, or a device name on the chat route. */
  readonly from: string;
  /** Promotional SMS, transactional SMS, the chat application, or a voice call (API §1). */
  readonly route: 'generic' | 'dnd' | 'chatapp' | 'voice';
  readonly text?: string | undefined;
  readonly media?: { readonly url: string; readonly caption?: string | undefined } | undefined;
  /** A one-time code in the text. It is no field of the request: an error message does not quote it. */
  readonly code?: string | Secret | undefined;
  /** Default `plain` (`voice` on the voice route). `unicode` for text outside the GSM alphabet. */
  readonly type?: 'plain' | 'unicode' | 'voice' | undefined;
}

/** A one-time code by the chat application (API §4.2). The provider's support must activate this operation. */
export interface ChatOtp {
  /** As in `OutboundMessage`. */
  readonly to: string | readonly string[];
  readonly from: string;
  /** 4 to 6 digits. */
  readonly code: string | Secret;
}

/** One text to 1 to 100 recipients (API §4.3). */
export interface BulkMessage {
  /** As in `OutboundMessage`. */
  readonly to: readonly string[];
  /** A sender ID of 3 to 11 letters and digits. */
  readonly from: string;
  readonly route: 'generic' | 'dnd';
  readonly text: string;
  /** Default `plain`. */
  readonly type?: 'plain' | 'unicode' | undefined;
}

export interface MessageOperations {
  send(message: OutboundMessage, options?: RequestOptions): Promise<Outcome<SendResult>>;
  sendChatOtp(chatOtp: ChatOtp, options?: RequestOptions): Promise<Outcome<SendResult>>;
  sendBulk(message: BulkMessage, options?: RequestOptions): Promise<Outcome<SendResult>>;
  /**
   * Says what became of a message, of each number that it went to. Beyond the description; ends as `not_configured` unless the
   * dialect names the path.
   */
  history(messageId: string, options?: RequestOptions): Promise<Outcome<readonly MessageRecord[]>>;
}

export function createMessageOperations(request: RequestSender, dialect: Dialect): MessageOperations {
  const answer = sendResult(dialect);
  const send = sendOperation(dialect, answer);
  const sendChatOtp = sendChatOtpOperation(dialect, answer);
  const sendBulk = sendBulkOperation(dialect, answer);
  const history = historyOperation(dialect);
  return {
    send: (message, options) => request(send, message, options),
    sendChatOtp: (chatOtp, options) => request(sendChatOtp, chatOtp, options),
    sendBulk: (message, options) => request(sendBulk, message, options),
    history: (messageId, options) => request(history, { messageId }, options),
  };
}

const messageInput = z
  .object({
    to: recipients,
    from: z.string('must be a sender ID').trim().min(1, 'must not be empty'),
    route: z.enum(['generic', 'dnd', 'chatapp', 'voice'], 'must be generic, dnd, chatapp or voice'),
    text: nonEmptyText.optional(),
    media: media.optional(),
    code: codeInput(/^\d{4,8}$/, 'must be 4 to 8 digits').optional(),
    // `encrypted` is documented without the names of its fields: with wrong ones, the text could go out in the clear.
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

function sendOperation(
  dialect: Dialect,
  answer: z.ZodType<SendResult>,
): ProviderOperation<z.output<typeof messageInput>, SendResult> {
  return {
    name: 'messages.send',
    input: messageInput,
    redact: ({ text, media, code }) => ({ text: text ?? media?.caption, code }),
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
    expect: () => ({ answer }),
  };
}

const chatOtpInput = z.object({
  to: recipients,
  // A device name, as on the chat route (API §4.1, to which §4.2 refers).
  from: nonEmptyText,
  code: codeInput(/^\d{4,6}$/, 'must be 4 to 6 digits'),
});

function sendChatOtpOperation(
  { chatOtpChannel }: Dialect,
  answer: z.ZodType<SendResult>,
): ProviderOperation<z.output<typeof chatOtpInput>, SendResult> {
  return {
    name: 'messages.sendChatOtp',
    input: chatOtpInput,
    redact: ({ code }) => ({ code }),
    unavailable: () =>
      chatOtpChannel === undefined
        ? 'Codes by chat app are off: the provider’s profile has no `chatOtpChannel`.'
        : undefined,
    request: ({ to, from, code }) => ({
      method: 'POST',
      path: '/api/sms/send',
      json: { to: oneOrMany(to), from, sms: code, channel: chatOtpChannel, type: 'plain' },
    }),
    expect: () => ({ answer }),
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

function sendBulkOperation(
  dialect: Dialect,
  answer: z.ZodType<SendResult>,
): ProviderOperation<z.output<typeof bulkInput>, SendResult> {
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
    expect: () => ({ answer }),
  };
}

type TextType = z.output<typeof messageInput>['type'];

function unicodeUnavailable({ type }: { type?: TextType }, { unicodeType }: Dialect): string | undefined {
  if (type !== 'unicode' || unicodeType !== undefined) {
    return undefined;
  }
  return 'Text outside the SMS alphabet is off: the provider’s profile has no `unicodeType`.';
}

/** The value of `channel` for a route. */
function channelOf(route: OutboundMessage['route'], { chatChannel }: Dialect): string {
  return route === 'chatapp' ? chatChannel : route;
}

function typeOf(
  { type, route }: { type?: TextType; route: OutboundMessage['route'] },
  { unicodeType }: Dialect,
): string {
  if (type === 'unicode' && unicodeType !== undefined) {
    return unicodeType;
  }
  return type ?? (route === 'voice' ? 'voice' : 'plain');
}

function oneOrMany(to: readonly string[]): string | undefined | readonly string[] {
  return to.length === 1 ? to[0] : to;
}
