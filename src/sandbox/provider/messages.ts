import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { pricesInKobo } from './accounts.ts';
import { recipients, senderIdForm } from './fields.ts';
import { deliveryStatus } from './networks.ts';
import { type Context, operation } from './operation.ts';
import { pagesOf } from './pages.ts';
import { balanceTooLow, noRoute, unknownSenderId } from './refusals.ts';
import { type Answer, ok } from './replies.ts';
import { type AcceptedMessage, channels } from './state.ts';

const mediaFormats = ['jpg', 'jpeg', 'png', 'mp3', 'ogg', 'amr', 'pdf', 'mp4'];

const sendFields = z
  .strictObject({
    to: recipients,
    from: z.string(),
    sms: z.string().min(1, 'must not be empty').exactOptional(),
    channel: z.enum(channels),
    type: z.enum(['plain', 'unicode', 'voice', 'encrypted']),
    media: z
      .strictObject({
        url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
        caption: z.string().exactOptional(),
      })
      .exactOptional(),
  })
  .superRefine((message, context) => {
    const complain = (field: string, text: string) =>
      context.addIssue({ code: 'custom', path: [field], message: text });
    checkContent(message, complain);
    checkRoute(message, complain);
  });

type Send = z.infer<typeof sendFields>;

function checkContent({ sms, media, channel }: Send, complain: (field: string, text: string) => void) {
  if (sms === undefined && media === undefined) complain('sms', 'is missing');
  if (sms !== undefined && media !== undefined) complain('sms', 'must not be used together with media');
  if (channel === 'chatapp_otp' && !/^\d{4,6}$/.test(sms ?? '')) complain('sms', 'must be 4 to 6 digits');
  if (media === undefined) return;
  if (channel !== 'chatapp') complain('media', 'is only for the channel chatapp');
  // An address without an extension says nothing of its format, so it passes.
  const extension = /\.(\w+)$/.exec(new URL(media.url).pathname)?.[1]?.toLowerCase();
  if (extension !== undefined && !mediaFormats.includes(extension)) {
    complain('media.url', `must be one of ${mediaFormats.join(', ')}`);
  }
}

function checkRoute({ channel, type, from }: Send, complain: (field: string, text: string) => void) {
  if (channel === 'chatapp' ? from.trim() === '' : !senderIdForm.test(from)) {
    complain('from', 'must be 3 to 11 letters and digits, or a number');
  }
  if (type === 'encrypted') complain('type', 'encrypted needs an algorithm and a secret key');
  if (type === 'voice' && channel !== 'voice') complain('type', 'voice is only for the channel voice');
}

/** API §4.1 and §4.2. */
export const sendMessage = operation({
  name: 'messages.send',
  method: 'POST',
  path: '/api/sms/send',
  fields: sendFields,
  answer: accept,
});

/** Charges for a message and records it, for every page and recipient. */
function accept(message: Send, { account, state, now }: Context): Answer {
  const { channel, type, from, to, sms = '', media } = message;
  if (!account.channels.includes(channel)) throw noRoute();
  // On the chat application `from` names a device, and no operation tells which there are.
  const registered = account.senderIds.some((known) => known.sender_id === from && known.status === 'active');
  if (channel !== 'chatapp' && !registered) throw unknownSenderId(account, from);

  const pages = pagesOf(sms);
  const costInKobo = pages * to.length * pricesInKobo[channel];
  if (costInKobo > account.balanceInKobo) throw balanceTooLow();
  account.balanceInKobo -= costInKobo;

  const accepted: AcceptedMessage = {
    id: newMessageId(now),
    at: now.toISOString(),
    account: account.key,
    channel,
    type,
    from,
    to,
    text: sms,
    pages,
    costInKobo,
    deliveries: to.map((number) => ({ to: number, delivery: deliveryStatus(channel, number, now) })),
  };
  if (media) accepted.media = media;
  state.record.push(accepted);
  return ok({
    code: 'ok',
    balance: account.balanceInKobo / 100,
    message_id: accepted.id,
    message: 'Successfully Sent',
    user: account.name,
    message_id_str: accepted.id,
  });
}

/** 25 digits, too many for a JSON number to keep. */
function newMessageId(now: Date): string {
  const digits = () => String(randomInt(100_000)).padStart(5, '0');
  return `30${String(now.getTime()).padStart(13, '0')}${digits()}${digits()}`;
}
