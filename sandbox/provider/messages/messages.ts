import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { phoneNumbers, recipientsField, senderIdFieldPattern } from '../http/fields.ts';
import { ok } from '../http/replies.ts';
import { type OperationHandler, operation } from '../operation.ts';
import type { AcceptedMessage, AccountState } from '../state/state.ts';
import { accept, checkRoute, checkSender } from './accept.ts';

const mediaFormats = ['jpg', 'jpeg', 'png', 'mp3', 'ogg', 'amr', 'pdf', 'mp4'];

const text = z.string().min(1, 'must not be empty');

/** Refuses `encrypted`: the names of the further fields that it needs are not documented. */
function unlessEncrypted<Type extends string>(types: z.ZodType<Type>): z.ZodType<Type> {
  return types.refine((type) => type !== 'encrypted', 'encrypted needs an algorithm and a secret key');
}

/** The types of a text message. `unicode` is an observed fact, absent from the description. */
const textType = unlessEncrypted(z.enum(['plain', 'unicode', 'encrypted']));

const sendFields = z
  .strictObject({
    to: recipientsField,
    from: z.string(),
    sms: text.exactOptional(),
    channel: z.enum(['generic', 'dnd', 'chatapp', 'voice']),
    type: unlessEncrypted(z.enum(['plain', 'unicode', 'voice', 'encrypted'])),
    media: z
      .strictObject({
        url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
        caption: z.string().exactOptional(),
      })
      .exactOptional(),
  })
  .superRefine((message, context) => {
    const report = (field: string, problem: string) =>
      context.addIssue({ code: 'custom', path: [field], message: problem });
    checkContent(message, report);
    checkRouteFits(message, report);
  });

type Send = z.infer<typeof sendFields>;

function checkContent({ sms, media, channel }: Send, report: (field: string, problem: string) => void) {
  if (sms === undefined && media === undefined) {
    report('sms', 'is missing');
  }
  if (sms !== undefined && media !== undefined) {
    report('sms', 'must not be used together with media');
  }
  if (media === undefined) {
    return;
  }
  if (channel !== 'chatapp') {
    report('media', 'is only for the channel chatapp');
  }
  // An address without an extension passes, since it does not show its format.
  const extension = /\.(\w+)$/.exec(new URL(media.url).pathname)?.[1]?.toLowerCase();
  if (extension !== undefined && !mediaFormats.includes(extension)) {
    report('media.url', `must be one of ${mediaFormats.join(', ')}`);
  }
}

function checkRouteFits({ channel, type, from }: Send, report: (field: string, problem: string) => void) {
  if (channel === 'chatapp' ? from.trim() === '' : !senderIdFieldPattern.test(from)) {
    report('from', 'must be 3 to 11 letters and digits, or a number');
  }
  if (type === 'voice' && channel !== 'voice') {
    report('type', 'voice is only for the channel voice');
  }
}

/** API §4.1. */
const sendMessage = operation({
  name: 'messages.send',
  method: 'POST',
  path: '/api/sms/send',
  fields: sendFields,
  answer({ sms = '', media, ...message }, context) {
    checkRoute(context.account, message.channel);
    // On the chat application `from` names a device, and no operation lists the devices.
    if (message.channel !== 'chatapp') {
      checkSender(context.account, message.from);
    }
    const accepted = accept({ ...message, text: sms, ...(media && { media }) }, context);
    return ok(sendResult(accepted, context.account));
  },
});

/** API §4.2. Shares its path with §4.1 and differs by the channel. */
const sendChatOtp = operation({
  name: 'messages.sendChatOtp',
  method: 'POST',
  path: '/api/sms/send',
  takes: ({ body }) => isJsonObject(body) && body.channel === 'chatapp_otp',
  fields: z.strictObject({
    to: recipientsField,
    // A device, as on the chat route (API §4.2 refers to §4.1).
    from: z.string().trim().min(1, 'must not be empty'),
    sms: z.string().regex(/^\d{4,6}$/, 'must be 4 to 6 digits'),
    channel: z.literal('chatapp_otp'),
    type: textType,
  }),
  answer({ sms, ...message }, context) {
    checkRoute(context.account, message.channel);
    const accepted = accept({ ...message, text: sms }, context);
    return ok(sendResult(accepted, context.account));
  },
});

/** API §4.3. */
const sendBulk = operation({
  name: 'messages.sendBulk',
  method: 'POST',
  path: '/api/sms/send/bulk',
  fields: z.strictObject({
    to: phoneNumbers,
    from: z.string().regex(/^[A-Za-z0-9]{3,11}$/, 'must be 3 to 11 letters and digits'),
    sms: text,
    channel: z.enum(['dnd', 'generic']),
    type: textType,
  }),
  answer({ sms, ...message }, context) {
    checkRoute(context.account, message.channel);
    checkSender(context.account, message.from);
    const accepted = accept({ ...message, text: sms }, context);
    return ok(sendResult(accepted, context.account));
  },
});

/** API §2.2. */
function sendResult({ id }: AcceptedMessage, { balanceInKobo, name }: AccountState): JsonObject {
  return {
    code: 'ok',
    balance: balanceInKobo / 100,
    message_id: id,
    message: 'Successfully Sent',
    user: name,
    message_id_str: id,
  };
}

export const messageOperations: readonly OperationHandler[] = [sendChatOtp, sendMessage, sendBulk];
