import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { ok } from '../http/replies.ts';
import {
  balanceTooLow,
  noRoute,
  ProviderErrorReply,
  phoneNumbers,
  recipientsField,
  senderIdFieldPattern,
  unknownSenderId,
} from '../http/request-checks.ts';
import { deliveryStatus } from '../insight/insight.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';
import type { AcceptedMessage, AccountState, SendChannel } from '../state/state.ts';
import { magicDelivery } from '../webhook/plan-reports.ts';

/** The price of one page to one recipient, in kobo. */
const pricesInKobo = {
  generic: 340,
  dnd: 425,
  chatapp: 680,
  voice: 790,
  chatapp_otp: 910,
  email: 125,
} as const;

/** Characters that shorten a page to 70 characters: the listed ones and those outside GSM 03.38. */
const listed = /[;'"`^{}\\[\]~|€]|\/\//;
const gsm = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€\f]*$/;

/** Returns the pages that the provider bills for a text (API §1). A character is a UTF-16 code unit. */
function pagesOf(text: string): number {
  const perPage = listed.test(text) || !gsm.test(text) ? 70 : 160;
  return Math.max(1, Math.ceil(text.length / perPage));
}

type Outgoing = Pick<AcceptedMessage, 'channel' | 'type' | 'from' | 'to' | 'text' | 'media'>;

/** Throws for a route that is not activated on the account. */
export function checkRoute(account: AccountState, channel: SendChannel): void {
  if (!account.channels.includes(channel)) {
    throw noRoute();
  }
}

/**
 * Returns the error for a sender ID that the account may not use. A name that is active passes as it is: the rule of its
 * form is for requests (facts: `N-Alert`, `Palm Pay`).
 *
 * @param form of the sender IDs that the operation takes
 */
export function senderFault(
  account: AccountState,
  from: string,
  form = senderIdFieldPattern,
): ProviderErrorReply | undefined {
  const isActive = account.senderIds.some((known) => known.sender_id === from && known.status === 'active');
  if (!form.test(from) && !(isActive && /\D/.test(from))) {
    return new ProviderErrorReply(400, 'from: must be 3 to 11 letters and digits, or a number');
  }
  return isActive ? undefined : unknownSenderId(account, from);
}

/** Throws for a sender ID that the account may not use. */
function checkSender(...[account, from, form]: Parameters<typeof senderFault>): void {
  const fault = senderFault(account, from, form);
  if (fault !== undefined) {
    throw fault;
  }
}

/** Deducts the price from the balance. Throws when the balance is too low. */
export function charge(account: AccountState, costInKobo: number): void {
  if (costInKobo > account.balanceInKobo) {
    throw balanceTooLow();
  }
  account.balanceInKobo -= costInKobo;
}

/** Charges a message per page and recipient and records it. */
export function accept(
  message: Outgoing,
  { operation, account, state, now }: OperationContext,
): AcceptedMessage {
  const { channel, to } = message;
  const pages = pagesOf(message.text);
  const costInKobo = pages * to.length * pricesInKobo[channel];
  charge(account, costInKobo);
  const accepted: AcceptedMessage = {
    ...message,
    id: newMessageId(now),
    at: now.toISOString(),
    operation,
    account: account.key,
    pages,
    costInKobo,
    deliveries: to.map((recipient) => ({
      to: recipient,
      delivery: magicDelivery(recipient) ?? deliveryStatus(channel, recipient, now),
    })),
  };
  state.record.push(accepted);
  return accepted;
}

/** Returns an id of 25 digits, more than a JSON number holds exactly. */
export function newMessageId(now: Date): string {
  const digits = () => String(randomInt(100_000)).padStart(5, '0');
  return `30${String(now.getTime()).padStart(13, '0')}${digits()}${digits()}`;
}

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
  if (channel === 'chatapp' && from.trim() === '') {
    report('from', 'must not be empty');
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
    from: z.string(),
    sms: text,
    channel: z.enum(['dnd', 'generic']),
    type: textType,
  }),
  answer({ sms, ...message }, context) {
    checkRoute(context.account, message.channel);
    checkSender(context.account, message.from, /^[A-Za-z0-9]{3,11}$/);
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
