import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { textToSend } from '../../domain/messages/accents.ts';
import { maxRecipientsPerRequest } from '../../domain/messages/chunk-size.ts';
import {
  checkSenderFields,
  checkText,
  definedFaults,
  senderOf,
} from '../../domain/messages/message-checks.ts';
import { toPlainText } from '../../domain/messages/plain-text.ts';
import { type Route, readRoute, routeSchema } from '../../domain/messages/routes.ts';
import { spaceCode } from '../../domain/otp/one-time-code.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { describeInvalid, readNumbers } from '../../domain/phone/read-numbers.ts';
import { mediaFormats } from '../../provider/messages.ts';
import type { Context } from '../context.ts';

/** A message that is not sent yet, stored (encrypted, for a day) between the form, the review and the send. */
export interface Draft {
  /** Also the idempotency key of its one send. */
  id: string;
  /** Names its content, so that a button under another review cannot send what that review does not show. */
  version: number;
  content: DraftContent;
}

const contentSchema = z.strictObject({
  recipients: z.array(phoneNumberSchema),
  /** What was typed among the recipients and is no number, with the reason. */
  leftOut: z.array(z.strictObject({ text: z.string(), reason: z.string() })).optional(),
  senderId: z.string().optional(),
  route: routeSchema,
  /** As it is sent. */
  text: z.string(),
  /** The typed text, if accents were removed. */
  accented: z.string().optional(),
  /** A file for the chat route, sent instead of the text. */
  media: z.strictObject({ url: z.string(), caption: z.string().optional() }).optional(),
  /** A channel for the outcome; without one it goes to the sender alone. */
  channelId: z.string().optional(),
  /** Whether that channel sees the numbers in full. */
  showNumbers: z.boolean().optional(),
  /** The thread of the number that it answers. */
  replyTo: z.string().optional(),
  /** The key of the message that it sends again. */
  resends: z.string().optional(),
});
export type DraftContent = z.infer<typeof contentSchema>;

const storedSchema = z.object({ version: z.number().int(), content: contentSchema });

/** In milliseconds. */
const draftTtl = 24 * 60 * 60_000;

/** The drafts of each user, whose ids name nothing for any other user (see `ownId`). */
export function createDrafts({ store: { keyv } }: Context) {
  async function find(workspaceId: string, draftId: string, userId: string): Promise<Draft | undefined> {
    const id = ownId(userId, draftId);
    const value: unknown = await keyv(workspaceId, 'drafts').get(id);
    const stored = storedSchema.optional().parse(value);
    return stored && { id, ...stored };
  }

  return {
    find,

    /**
     * Stores a new draft, or another version of one; the same content has the same version. What the draft resends is kept,
     * because the form doesn't have it.
     */
    async save(workspaceId: string, draftId: string, userId: string, changed: DraftContent): Promise<Draft> {
      const id = ownId(userId, draftId);
      const { resends } = (await find(workspaceId, draftId, userId))?.content ?? {};
      const content = contentSchema.parse({ ...(resends !== undefined && { resends }), ...changed });
      // From the content alone: two changes at the same moment, on whichever instances, are two versions.
      const version = createHash('sha256').update(JSON.stringify(content)).digest().readUIntBE(0, 6);
      const draft = { version, content };
      await keyv(workspaceId, 'drafts').set(id, draft, draftTtl);
      return { id, ...draft };
    },

    async delete(workspaceId: string, draftId: string, userId: string): Promise<void> {
      await keyv(workspaceId, 'drafts').delete(ownId(userId, draftId));
    },
  };
}

/** A message as typed into a form. Fields that its route does not use are ignored. */
export interface MessageForm {
  recipients: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** The sender on the chat route. */
  device?: string | undefined;
  text: string;
  /** Whether it is sent without accents. Ignored where all text can be sent. */
  withoutAccents?: boolean | undefined;
  /** On the chat route a file can be sent instead of a text, never both (API §4.1). */
  asFile?: boolean | undefined;
  address?: string | undefined;
  caption?: string | undefined;
  /** A channel for the outcome. */
  channelId?: string | undefined;
  showNumbers?: boolean | undefined;
}

export type ReadMessageForm =
  | { ok: true; content: DraftContent; duplicates: number }
  /** `content`: all that was typed, to be corrected; undefined without a route. */
  | { ok: false; faults: MessageFaults; content?: DraftContent | undefined };

/**
 * Reads the whole form. Each fault is a sentence to show beside its field. `country`: of numbers written without one.
 */
export function readMessageForm(
  form: MessageForm,
  options: { country: CountryCode } & MessageRules,
): ReadMessageForm {
  const { numbers, invalid, duplicates } = readNumbers(form.recipients, options.country);
  const route = readRoute(form.route);
  const byChat = route === 'chatapp';
  const asFile = byChat && form.asFile === true;
  const sender = senderOf(form, route);
  const address = (form.address ?? '').trim();
  const caption = (form.caption ?? '').trim();

  const written = {
    recipients: numbers,
    leftOut: invalid.length === 0 ? undefined : invalid.map(({ text, reason }) => ({ text, reason })),
    senderId: sender === '' ? undefined : sender,
    ...(asFile
      ? { text: '', media: { url: address, caption: caption || undefined } }
      : textToSend(
          route === 'voice' ? spaceCode(form.text) : form.text,
          form.withoutAccents === true && !options.unicode,
        )),
    channelId: form.channelId,
    showNumbers: form.channelId !== undefined && form.showNumbers ? true : undefined,
  };
  const faults = findFaults({ ...written, route }, options);
  const content: DraftContent | undefined = route && { ...written, route };
  return content === undefined || Object.keys(faults).length > 0
    ? { ok: false, faults, content }
    : { ok: true, content, duplicates };
}

export type MessageField = 'recipients' | 'senderId' | 'device' | 'route' | 'text' | 'address';

export type MessageFaults = Partial<Record<MessageField, string>>;

/** A draft without faults. */
export type CompleteContent = DraftContent & { senderId: string };

/** What a message is checked by. */
export interface MessageRules {
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  /** The account's active sender IDs, see `readSenderId`. */
  active: readonly string[];
}

/** Returns the faults of a message, a sentence for each field. An invalid number is only a fault if no valid one is left. */
function findFaults(
  content: Omit<DraftContent, 'route'> & { route?: Route | undefined },
  { unicode, active }: MessageRules,
): MessageFaults {
  const { recipients, leftOut = [], senderId = '', route, text, media } = content;
  const none = leftOut.length > 0 ? describeInvalid(leftOut) : 'Enter at least one phone number.';
  const { length: count } = recipients;
  const tooMany = `${count.toLocaleString('en')} numbers are too many: a message can go to up to ${maxRecipientsPerRequest}. For more, start a campaign.`;
  return definedFaults({
    recipients: count === 0 ? none : count > maxRecipientsPerRequest ? tooMany : undefined,
    ...checkSenderFields(senderId.trim(), route, active),
    text: media === undefined ? checkText(text, unicode) : undefined,
    address: media && faultOfAddress(media.url),
  });
}

/** Whether a draft can be sent. One with a fault is stored too, to be corrected. */
export function isComplete(content: DraftContent, rules: MessageRules): content is CompleteContent {
  return content.senderId !== undefined && Object.keys(findFaults(content, rules)).length === 0;
}

/** What a person can have done to a text that can't be sent. */
export interface TextFixes {
  plainText: boolean;
  accents: boolean;
}

/** Returns the changes that make a message sendable. All of them are needed. */
export function findFixes(content: DraftContent, rules: MessageRules): TextFixes {
  const bare = (text: string) => textToSend(text, !rules.unicode).text;
  const isFixed = (text: string) => isComplete({ ...content, text }, rules);
  const plain = toPlainText(content.text);
  const isFixable = !isFixed(content.text) && isFixed(bare(plain));
  return {
    plainText: isFixable && !isFixed(bare(content.text)),
    accents: isFixable && !isFixed(plain),
  };
}

/** An address without an extension is left to the provider. */
function faultOfAddress(address: string): string | undefined {
  const url = z.url({ protocol: /^https?$/ }).safeParse(address);
  if (!url.success) {
    return 'Enter the URL of the file. It begins with https://';
  }
  const ending = /\.(\w{2,5})$/.exec(new URL(url.data).pathname)?.[1]?.toLowerCase();
  return ending === undefined || mediaFormats.includes(ending)
    ? undefined
    : `The chat app doesn’t take .${ending} files. Use ${mediaFormats.join(', ')}.`;
}
