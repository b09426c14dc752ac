import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { codeInput, nonEmptyText, recipientList, recipients, sender } from './request/input-fields.ts';
import {
  defineOperation,
  offWithout,
  type RequestOptions,
  type RequestSender,
} from './request/request-sender.ts';
import { omitUndefined, optionalInstant, optionalText, record, sentAs, text } from './response/fields.ts';
import { readableRecords } from './response/paging.ts';
import { type SendResult, sendResult } from './response/send-result.ts';

export function createMessageOperations(request: RequestSender, dialect: Dialect) {
  const answer = sendResult(dialect);
  const send = sendOperation(dialect, answer);
  const sendChatOtp = sendChatOtpOperation(dialect, answer);
  const sendBulk = sendBulkOperation(dialect, answer);
  const history = historyOperation(dialect);
  return {
    send: (message: OutboundMessage, options?: RequestOptions) => request(send, message, options),
    sendChatOtp: (chatOtp: ChatOtp, options?: RequestOptions) => request(sendChatOtp, chatOtp, options),
    sendBulk: (message: BulkMessage, options?: RequestOptions) => request(sendBulk, message, options),
    /**
     * Says what became of a message, for each number that it went to. Beyond the description; ends as `not_configured`
     * unless the dialect names the path.
     */
    history: (messageId: string, options?: RequestOptions) => request(history, { messageId }, options),
  };
}

/** File formats that the chat application accepts (API §4.1). */
export const mediaFormats: readonly string[] = ['jpg', 'jpeg', 'png', 'mp3', 'ogg', 'amr', 'pdf', 'mp4'];

/** A file for the chat application (API §4.1). A URL without an extension is accepted: its format is not known. */
const media = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true }).refine(
    (url) => {
      const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1];
      return extension === undefined || mediaFormats.includes(extension.toLowerCase());
    },
    `must lead to a file of one of the formats ${mediaFormats.join(', ')}`,
  ),
  caption: z.string('must be text').optional(),
});

const messageInput = z
  .object({
    /** Distinct numbers, as digits in international format without `+`. */
    to: recipients,
    /** A device name on the chat route. */
    from: sender,
    /** Promotional SMS, transactional SMS, the chat application, or a voice call (API §1). */
    route: z.enum(['generic', 'dnd', 'chatapp', 'voice'], 'must be generic, dnd, chatapp or voice'),
    text: nonEmptyText.optional(),
    media: media.optional(),
    /** A one-time code in the text. It is no field of the request: an error message does not quote it. */
    code: codeInput(/^\d{4,8}$/, 'must be 4 to 8 digits').optional(),
    /** Default `plain` (`voice` on the voice route). `unicode` for text outside the GSM alphabet. */
    // `encrypted` is documented without the names of its fields: with wrong ones, the text could go out in the clear.
    type: z
      .enum(
        ['plain', 'unicode', 'voice'],
        'must be plain, unicode or voice; encrypted is not supported: the API description lacks its fields',
      )
      .optional(),
  })
  .superRefine((message, context) => {
    const fault = (field: string, rule: string) =>
      context.addIssue({ code: 'custom', path: [field], message: rule });
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

/** A message to 1 to 100 recipients (API §4.1), with either `text` or, on the chat route, `media`. */
export type OutboundMessage = z.input<typeof messageInput>;

function sendOperation(dialect: Dialect, answer: z.ZodType<SendResult>) {
  return defineOperation({
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
        channel: message.route === 'chatapp' ? dialect.chatChannel : message.route,
        type: typeOf(message, dialect),
      },
    }),
    expect: () => ({ answer }),
  });
}

const chatOtpInput = z.object({
  to: recipients,
  // A device name, as on the chat route (API §4.1, to which §4.2 refers).
  from: nonEmptyText,
  code: codeInput(/^\d{4,6}$/, 'must be 4 to 6 digits'),
});

/** A one-time code by the chat application (API §4.2). The provider's support must activate this operation. */
export type ChatOtp = z.input<typeof chatOtpInput>;

function sendChatOtpOperation({ chatOtpChannel }: Dialect, answer: z.ZodType<SendResult>) {
  return defineOperation({
    name: 'messages.sendChatOtp',
    input: chatOtpInput,
    redact: ({ code }) => ({ code }),
    unavailable: () => offWithout(chatOtpChannel, 'chatOtpChannel', 'Codes by chat app are'),
    request: ({ to, from, code }) => ({
      method: 'POST',
      path: '/api/sms/send',
      json: { to: oneOrMany(to), from, sms: code, channel: chatOtpChannel, type: 'plain' },
    }),
    expect: () => ({ answer }),
  });
}

const bulkInput = z.object({
  to: recipientList,
  from: sender,
  route: z.enum(['generic', 'dnd'], 'must be generic or dnd'),
  text: nonEmptyText,
  type: z
    .enum(
      ['plain', 'unicode'],
      'must be plain or unicode; encrypted is not supported: the API description lacks its fields',
    )
    .optional(),
});

/** One text to 1 to 100 recipients (API §4.3). */
export type BulkMessage = z.input<typeof bulkInput>;

function sendBulkOperation(dialect: Dialect, answer: z.ZodType<SendResult>) {
  return defineOperation({
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
  });
}

type TextType = z.output<typeof messageInput>['type'];

function unicodeUnavailable({ type }: { type?: TextType }, { unicodeType }: Dialect): string | undefined {
  return type === 'unicode'
    ? offWithout(unicodeType, 'unicodeType', 'Text outside the SMS alphabet is')
    : undefined;
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

const maxIdLength = 200;
const historyInput = z.object({ messageId: nonEmptyText.pipe(z.string().max(maxIdLength, 'is too long')) });

/** Beyond the description: public pages of such a provider show it. */
function historyOperation({ historyPath, historyAmount }: Dialect) {
  return defineOperation({
    name: 'messages.history',
    input: historyInput,
    unavailable: () => offWithout(historyPath, 'historyPath', 'Checking the delivery status of a message is'),
    request: ({ messageId }) => ({
      method: 'GET',
      path: historyPath ?? '',
      query: { message_id: messageId },
    }),
    expect: ({ messageId }) => ({ answer: recordsOf(messageId, historyAmount === 'cost') }),
  });
}

/** More would be no answer about one message: a request has at most a hundred numbers. */
const maxRecords = 1_000;

/** What the provider says of a message to one number. */
const messageRecord = record({
  messageId: sentAs('message_id', text),
  /** In the provider's words, such as `Delivered`. */
  status: text.transform(printable),
  /** Digits in international format. */
  receiver: optionalText,
  sender: optionalText,
  text: sentAs('message', optionalText),
  /** As the provider wrote it: what its unit is, a page or money, is written nowhere. */
  amount: optionalText,
  /** As the provider wrote it, without a zone. */
  writtenAt: sentAs('created_at', optionalText),
  createdAt: sentAs('created_at', optionalInstant),
});
export type MessageRecord = Omit<z.output<typeof messageRecord>, 'raw'> & {
  /** The amount, where the dialect says that it is money. */
  readonly cost?: string | undefined;
};

/** What the provider returned about a message: one record per number, and how many entries are unreadable. */
export interface MessageHistory {
  readonly records: readonly MessageRecord[];
  readonly unreadable: number;
}

/** Without characters that a database or Slack does not take. */
function printable(words: string): string {
  return words
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
}

/** A bare array, or in the paging envelope. A provider that ignores the parameter sends records of other messages. */
function recordsOf(messageId: string, isCost: boolean): z.ZodType<MessageHistory> {
  const history = z
    .array(z.unknown())
    .max(maxRecords)
    .pipe(readableRecords(messageRecord))
    .refine(({ records, unreadable }) => records.length > 0 || unreadable.length === 0)
    .transform(({ records, unreadable }) => ({
      unreadable: unreadable.length,
      records: records
        .filter((each) => each.messageId === messageId)
        .map(
          ({ raw: _, ...each }): MessageRecord =>
            isCost ? omitUndefined({ ...each, cost: each.amount }) : each,
        ),
    }));
  return z.union([history, z.object({ content: history }).transform(({ content }) => content)]);
}
