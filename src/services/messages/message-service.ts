import { z } from 'zod';
import { readReportedStatus } from '../../domain/deliveries/delivery-status.ts';
import { type Change, compareSeen, type Seen } from '../../domain/limits/seen.ts';
import { countPages } from '../../domain/messages/pages.ts';
import { type Route, routeSchema } from '../../domain/messages/routes.ts';
import { looksLikeOneTimeCode } from '../../domain/otp/one-time-code.ts';
import { type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import {
  messageIdOf,
  messageKinds,
  type Operation,
  type ShownMessage,
} from '../../store/operations/operation.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { sendForLedger } from '../operations/outcomes.ts';
import { Refusal } from '../refusal.ts';
import { createDrafts, type Draft, type DraftContent, isComplete } from './drafts.ts';
import {
  createReviewer,
  findListed,
  pagesEachOf,
  plannedSending,
  type ReviewDeps,
} from './review-message.ts';

export type SendMessageResult =
  /** The one send of this draft, now or before. Its state is `underway` while another request waits for it. */
  | SpendResult
  /**
   * The draft or something in its review has changed since the review. Nothing was sent.
   */
  | { kind: 'changed'; draft: Draft; changes: readonly (DraftChange | Change)[] };

/**
 * How a draft may change. `nobody_left`: all recipients have opted out. `some_reached`, `all_reached`: some or all recipients
 * have, or may have, got the message that it resends; they are left out.
 */
export type DraftChange = 'draft' | 'nobody_left' | 'some_reached' | 'all_reached';

/** What is known under the id of a draft, if it is the user's own. */
export interface FoundDraft {
  draft?: Draft | undefined;
  /** The send of the draft; once there is one, the draft cannot be sent again. */
  operation?: Operation | undefined;
  /** The user cancelled it: nothing is ever sent under this id. */
  cancelled: boolean;
}

export interface SendRequest {
  workspaceId: string;
  userId: string;
  draftId: string;
  /** The version that the user saw. */
  version: number;
  /** What the review showed, see `MessageReview`. */
  seen: Seen;
  /** The recipients that the user was warned of as on the suppression list, see `MessageReview`; none unless given. */
  listed?: readonly number[] | undefined;
  /** Called when the request to the provider is about to leave, by the one call that makes it. */
  starting?: (() => void) | undefined;
}

/** What the ledger stores of a send, for the history and channels: no number in the clear, no text. */
export const sendSummarySchema = z.object({
  route: routeSchema,
  senderId: z.string(),
  recipients: z.number(),
  /** How many of them were erased since. */
  erased: z.number().exactOptional(),
  /** The first few, masked. */
  to: z.array(z.string()),
  pagesEach: z.number(),
  /** Whether the outcome's channel sees the numbers in full. They are stored with the text, for the retention time. */
  showNumbers: z.boolean().default(false),
  /** Recipients skipped because they had opted out. */
  skipped: z.number().exactOptional(),
  /** The thread of the number that it answers, where its outcome is posted. */
  replyTo: z.string().exactOptional(),
  /** Whether it was a file: its text is the URL, with the caption below. */
  isFile: z.boolean().exactOptional(),
  /** The key of the message that it sent again. */
  resends: z.string().exactOptional(),
});
export type SendSummary = z.infer<typeof sendSummarySchema>;

/** Initial values for a message: the user's last choices, or the workspace's defaults. */
interface MessagePrefill {
  route: Route;
  senderId?: string | undefined;
  /** The sender on the Chat app route. */
  device?: string | undefined;
}

const sendKind = 'sms.send';

export const whyNoDraft = (cancelled: boolean) =>
  cancelled ? ({ kind: 'cancelled', of: sendKind } as const) : ({ kind: 'gone', what: 'draft' } as const);

/** What a message said, and to whom it went. */
export interface SentMessage {
  kind: 'kept';
  numbers: readonly PhoneNumber[];
  /** For a file, its URL with the caption below. */
  text: string;
  /** Whether the outcome's channel may see the numbers and the text, by the sender's choice. */
  isForChannel: boolean;
}

/** How many operations are searched for a message in Slack. */
const searchDepth = 100;

/** How many masked recipients a summary names. */
const maxSummarized = 5;

export function createMessageService(context: Context, deps: ReviewDeps & { operations: Operations }) {
  const { operations, workspaces, senderIds } = deps;
  const { dialect, store, time } = context;
  const drafts = createDrafts(context);

  async function find(workspaceId: string, draftId: string, userId: string): Promise<FoundDraft> {
    const operation = await operations.findEnded(workspaceId, draftId, userId);
    const cancelled = operation === undefined && (await operations.isCancelled(workspaceId, draftId, userId));
    const draft = cancelled ? undefined : await drafts.find(workspaceId, draftId, userId);
    return { draft, operation, cancelled };
  }

  return {
    ...createReviewer(context, deps),
    find,

    /** Stores a draft, to be reviewed and sent. */
    async save(workspaceId: string, draftId: string, userId: string, content: DraftContent): Promise<Draft> {
      operations.refuseOutdated(draftId);
      return drafts.save(workspaceId, draftId, userId, content);
    },

    /**
     * Sends a draft once, however often this is called (API §4.1, §4.3). Concurrent calls return the same
     * outcome. Throws a Refusal if nothing was sent and the draft is unchanged.
     */
    async send(request: SendRequest): Promise<SendMessageResult> {
      const { workspaceId, userId, draftId, version, seen, listed = [], starting } = request;
      // A second click waits here until the first one's send has ended.
      const { draft, operation, cancelled } = await find(workspaceId, draftId, userId);
      if (operation !== undefined) {
        return { kind: 'performed', operation, first: false };
      }
      // Restored data may no longer show the draft, or that it was sent.
      operations.refuseOutdated(draftId);
      if (draft === undefined) {
        throw new Refusal(whyNoDraft(cancelled));
      }
      if (draft.version !== version) {
        return { kind: 'changed', draft, changes: ['draft'] };
      }
      const { content: whole } = draft;
      const active = await senderIds.activeFor(workspaceId, whole);
      if (!isComplete(whole, { unicode: dialect.unicodeType !== undefined, active })) {
        throw new Refusal({ kind: 'incomplete' });
      }
      await workspaces.connected(workspaceId);
      const left = await withoutReached(store, workspaceId, whole);
      if (left.recipients.length === 0) {
        return { kind: 'changed', draft, changes: ['all_reached'] };
      }
      if (left !== whole) {
        const others = await drafts.save(workspaceId, draftId, userId, left);
        return { kind: 'changed', draft: others, changes: ['some_reached'] };
      }
      // Who has opted out since is skipped; who was shown as opted out was confirmed, and gets it.
      const optedOut = new Set(await findListed(context, workspaceId, whole.recipients));
      for (const position of listed) {
        optedOut.delete(position);
      }
      const numbers = whole.recipients.filter((_, position) => !optedOut.has(position));
      const content = { ...whole, recipients: numbers };
      if (numbers.length === 0) {
        return { kind: 'changed', draft, changes: ['nobody_left'] };
      }
      const now = await deps.sendingFacts(plannedSending(workspaceId, content, time.now()));
      const unchanged = compareSeen(seen, now);
      if (unchanged.kind === 'not_as_shown') {
        return { kind: 'changed', draft, changes: unchanged.changes };
      }
      const { senderId, route, text, media, channelId, showNumbers, replyTo, resends } = content;
      const pagesEach = pagesEachOf(content);
      const pages = pagesEach * numbers.length;
      const summary = {
        route,
        senderId,
        recipients: numbers.length,
        to: numbers.slice(0, maxSummarized),
        pagesEach,
        showNumbers: showNumbers === true,
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(resends === undefined ? {} : { resends }),
        ...(media === undefined ? {} : { isFile: true }),
        ...(optedOut.size > 0 && { skipped: optedOut.size }),
      };
      const intent = {
        workspaceId,
        key: draftId,
        kind: sendKind,
        userId,
        channelId,
        numbers,
        summary,
        // For a file, its URL with the caption below.
        text: media === undefined ? text : [media.url, ...(media.caption ? [media.caption] : [])].join('\n'),
      };
      const usage = { kind: 'messages' as const, to: numbers, pages };
      const spent = await operations.spend({ ...intent, usage, unchanged }, async (account) => {
        starting?.();
        const message = { to: numbers.map(toDigits), senderId, route, text, media };
        return sendForLedger(account, { ...message, unicode: countPages(text).needsUnicode }, pages);
      });
      const isAccepted = spent.first && spent.operation.state === 'accepted';
      // A reply uses the sender that received the message, so it isn't remembered as the user's choice.
      if (isAccepted && replyTo === undefined) {
        const chosen = route === 'chatapp' ? { device: senderId } : { senderId };
        // Never throws: the message is sent.
        await workspaces.rememberPreferences(workspaceId, userId, { ...chosen, route });
      }
      return spent;
    },

    /** Ends a draft for good, or returns its operation if sending has started. */
    async cancel(workspaceId: string, draftId: string, userId: string): Promise<Operation | undefined> {
      const operation = await operations.cancel(workspaceId, draftId, userId);
      if (operation === undefined) {
        await drafts.delete(workspaceId, draftId, userId);
      }
      return operation;
    },

    /** Returns what a user's message begins with. A known text with a one-time code is not put on the generic route. */
    prefill: (workspaceId: string, userId: string, text = '') =>
      readPrefill(deps, { workspaceId, userId, text }),

    /** Returns a message's text and recipients, without erased people; for a code no text. `none` if it had no numbers. */
    sent: (operation: Operation) => readSent(store, operation),

    /** Returns whom a user's own message went to whose outcome is at a position in Slack; undefined where none of the last is. */
    async recipientsAt(workspaceId: string, userId: string, { channel, ts }: ShownMessage) {
      const recent = await operations.recent(workspaceId, userId, searchDepth);
      const shown = recent.find(({ message }) => message?.channel === channel && message.ts === ts);
      const sent = shown && (await readSent(store, shown));
      return sent?.kind === 'kept' ? sent.numbers : undefined;
    },

    /**
     * Returns the content to send again, or undefined once it was deleted. An accepted message goes to the numbers that it didn't
     * reach, on the transactional route after Do-Not-Disturb. Numbers that an earlier repetition reached are left out.
     */
    contentAgain: async (operation: Operation) => (await readAgain(store, operation))?.content,
  };
}

async function readPrefill(
  { workspaces, senderIds }: ReviewDeps,
  { workspaceId, userId, text }: { workspaceId: string; userId: string; text: string },
): Promise<MessagePrefill> {
  const [defaults, last] = await Promise.all([
    workspaces.defaults(workspaceId),
    senderIds.lastUsed(workspaceId, userId),
  ]);
  const route = last.route ?? defaults.route;
  const byChat = defaults.route === 'chatapp';
  return {
    route: route === 'generic' && looksLikeOneTimeCode(text) ? 'dnd' : route,
    senderId: last.senderId ?? last.campaignSenderId ?? (byChat ? undefined : defaults.senderId),
    device: last.device ?? (byChat ? defaults.senderId : undefined),
  };
}

async function readSent(
  { ledger }: Store,
  { workspaceId, id, kind, summary }: Operation,
): Promise<SentMessage | { kind: 'deleted' | 'none' }> {
  const sent = sendSummarySchema.safeParse(summary).data;
  const kept = (await ledger.texts(workspaceId, [id])).get(id);
  if (sent === undefined && kept !== undefined) {
    return { kind: 'kept', numbers: kept.to, text: kept.text, isForChannel: false };
  }
  if (sent === undefined) {
    return { kind: messageKinds.includes(kind) ? 'deleted' : 'none' };
  }
  return kept === undefined
    ? { kind: 'deleted' }
    : { kind: 'kept', numbers: kept.to, text: kept.text, isForChannel: sent.showNumbers };
}

async function readAgain(
  { ledger, deliveries }: Pick<Store, 'ledger' | 'deliveries'>,
  operation: Operation,
): Promise<{ content: DraftContent; reached: Set<PhoneNumber> } | undefined> {
  const { workspaceId, id, key, summary, channelId, state, mark } = operation;
  const { senderId, route: sentOn, showNumbers, replyTo, isFile, resends } = sendSummarySchema.parse(summary);
  const sent = (await ledger.texts(workspaceId, [id])).get(id);
  if (sent === undefined) {
    return undefined;
  }
  const before = await findReached({ ledger, deliveries }, workspaceId, resends);
  let recipients = sent.to.filter((number) => !before.has(number));
  let route = sentOn;
  const messageId = messageIdOf(operation);
  if (state === 'unconfirmed' && mark?.kind !== 'not_received') {
    recipients = [];
  } else if (state === 'accepted') {
    const find = messageId && (await deliveries.ofRecipients(workspaceId, [messageId]));
    const failures = new Map(
      recipients.flatMap((number) => {
        const status = messageId && find ? find(messageId, number)?.status : undefined;
        const read = status === undefined ? undefined : readReportedStatus(status);
        return read?.state === 'failed' ? [[number, read] as const] : [];
      }),
    );
    recipients = recipients.filter((number) => failures.has(number));
    route = route === 'generic' && [...failures.values()].some(({ mayBeDnd }) => mayBeDnd) ? 'dnd' : route;
  }
  const reached = new Set(sent.to).difference(new Set(recipients));
  const from = { recipients, senderId, route, channelId, showNumbers, replyTo, resends: key };
  const [url = '', ...caption] = sent.text.split('\n');
  const content = isFile
    ? { ...from, text: '', media: { url, caption: caption.join('\n') || undefined } }
    : { ...from, text: sent.text };
  return { content, reached };
}

/** Removes the recipients whom the resent message has reached since. Returns the same object if it reached nobody. */
async function withoutReached<Content extends DraftContent>(
  store: Store,
  workspaceId: string,
  content: Content,
): Promise<Content> {
  const reached = await findReached(store, workspaceId, content.resends);
  const recipients = content.recipients.filter((number) => !reached.has(number));
  return recipients.length === content.recipients.length ? content : { ...content, recipients };
}

/** Returns the recipients who have, or may have, got a message or one that it resent. */
async function findReached(
  store: Pick<Store, 'ledger' | 'deliveries'>,
  workspaceId: string,
  key: string | undefined,
): Promise<Set<PhoneNumber>> {
  const operation = key === undefined ? undefined : await store.ledger.find(workspaceId, { key });
  return (operation && (await readAgain(store, operation))?.reached) ?? new Set();
}
