import { z } from 'zod';
import type { Caller, CallOptions, Operation } from './call.ts';
import { channelOf, type Dialect, type Route } from './dialect.ts';
import { optionalText, record } from './fields.ts';
import { recipients } from './numbers.ts';
import type { Outcome } from './outcome.ts';

/** A message to one or to up to 100 recipients (API §4.1). Either `text` or, on the chat route, `media`. */
export interface Message {
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

/** The provider took the message. Nothing is known yet of its delivery. */
export interface SendResult {
  /** Up to 25 digits, or letters: text, never a number. */
  readonly messageId: string;
  /** Account balance after the send, exactly as the provider wrote it. */
  readonly balance?: string;
  /** The provider's success text. */
  readonly message?: string;
  /** The whole answer. Numbers that JavaScript would round are text in it. */
  readonly raw: unknown;
}

export interface Messages {
  send(message: Message, options?: CallOptions): Promise<Outcome<SendResult>>;
}

export function createMessages(call: Caller, dialect: Dialect): Messages {
  const send = sendOperation(dialect);
  return { send: (message, options) => call(send, message, options) };
}

const senderId = /^(?:[A-Za-z0-9]{3,11}|\d{3,20})$/;

const media = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  caption: z.string('must be text').optional(),
});

const messageInput = z
  .object({
    to: recipients,
    from: z.string('must be a sender ID').trim().min(1, 'must not be empty'),
    route: z.enum(['generic', 'dnd', 'chatapp', 'voice'], 'must be generic, dnd, chatapp or voice'),
    text: z
      .string('must be text')
      .refine((value) => value.trim() !== '', 'must not be empty')
      .optional(),
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
    if (message.route !== 'chatapp' && !senderId.test(message.from)) {
      fault('from', 'must be 3 to 11 letters and digits, or a number');
    }
    if (message.media && message.route !== 'chatapp') fault('media', 'goes on the chat route only');
    if (message.media && message.text !== undefined) fault('text', 'must be left out where media is sent');
    if (!message.media && message.text === undefined) fault('text', 'is needed');
  });

function sendOperation(dialect: Dialect): Operation<z.output<typeof messageInput>, SendResult> {
  return {
    name: 'messages.send',
    input: messageInput,
    unavailable: ({ type }) =>
      type === 'unicode' && dialect.unicodeType === undefined
        ? 'Text outside the plain alphabet needs PROVIDER_UNICODE_TYPE, the provider’s name for such a text.'
        : undefined,
    request: (message) => ({
      method: 'POST',
      path: '/api/sms/send',
      json: {
        to: message.to.length === 1 ? message.to[0] : message.to,
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

function typeOf({ type, route }: z.output<typeof messageInput>, dialect: Dialect): string {
  if (type === 'unicode' && dialect.unicodeType !== undefined) return dialect.unicodeType;
  return type ?? (route === 'voice' ? 'voice' : 'plain');
}

/** Success takes all three: a 2xx, a `code` of `ok`, and an id (API §2.2, §7). */
const sendResult = record(
  {
    code: z.string().regex(/^ok$/i),
    message_id_str: optionalText,
    message_id: optionalText,
    balance: optionalText,
    message: optionalText,
  },
  ({ message_id_str, message_id, balance, message }) => ({
    messageId: message_id_str ?? message_id ?? '',
    ...(balance !== undefined && { balance }),
    ...(message !== undefined && { message }),
  }),
).refine(({ messageId }) => messageId !== '', { path: ['message_id'] });
