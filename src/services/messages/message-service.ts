import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { countPages } from '../../domain/messages/pages.ts';
import { type Route, routeSchema } from '../../domain/messages/routes.ts';
import { smsSender } from '../../domain/messages/sender-id.ts';
import { looksLikeOneTimeCode } from '../../domain/otp/one-time-code.ts';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending, Operation, ShownMessage } from '../../store/operations/operation.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { sendForLedger } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type CompleteContent, createDrafts, type Draft, type DraftContent, isComplete } from './drafts.ts';
import { createReviewer, findListed, pagesEachOf, type ReviewerOthers } from './review-message.ts';

export type SendMessageResult =
  /** The one send of this draft, now or before. Its state is `underway` while another request waits for it. */
  | SpendResult
  /** The draft, or what its review has to warn of, has changed since the preview whose button was pressed. Nothing was sent. */
  | { kind: 'changed'; draft: Draft }
  /** The draft has expired, or is another user's. Nothing was sent. */
  | { kind: 'gone' }
  /** The draft has a fault (see `findFaults`). Nothing was sent. */
  | { kind: 'incomplete' };

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
  /** The first few, masked. */
  to: z.array(z.string()),
  pagesEach: z.number(),
  /** Whether the outcome's channel sees the numbers in full. They are stored with the text, for the retention time. */
  showNumbers: z.boolean().default(false),
  /** The thread of the number that it answers, where its outcome is posted. */
  replyTo: z.string().exactOptional(),
});
export type SendSummary = z.infer<typeof sendSummarySchema>;

/** Operations that are looked through for one whose outcome is at a position in Slack. */
const searchDepth = 100;

/** How many masked recipients a summary names. */
const maxSummarized = 5;

type MessageOthers = ReviewerOthers & { operations: Operations };

export function createMessageService(context: Context, others: MessageOthers) {
  const { operations } = others;
  const { store } = context;
  const drafts = createDrafts(context);

  const find = (workspaceId: string, draftId: string, userId: string) =>
    findDraft(operations, drafts, { workspaceId, draftId, userId });

  return {
    ...createReviewer(context, others),
    find,

    /** Stores a draft, to be reviewed and sent. */
    async save(workspaceId: string, draftId: string, userId: string, content: DraftContent): Promise<Draft> {
      operations.refuseOutdated(draftId);
      return drafts.save(workspaceId, draftId, userId, content);
    },

    /** Sends a draft (API §4.1, §4.3), once, however often this is called. Concurrent calls return the same outcome. */
    async send(request: SendRequest): Promise<SendMessageResult> {
      const { workspaceId, userId, draftId, version } = request;
      const { draft, operation, cancelled } = await find(workspaceId, draftId, userId);
      if (operation !== undefined) {
        return { kind: 'performed', operation, first: false };
      }
      if (draft === undefined) {
        return { kind: cancelled ? 'cancelled' : 'gone' };
      }
      return draft.version === version
        ? sendDraft(context, others, request, draft)
        : { kind: 'changed', draft };
    },

    /** Ends a draft for good. If its send has begun, returns that instead. */
    async cancel(workspaceId: string, draftId: string, userId: string): Promise<Operation | undefined> {
      const operation = await operations.cancel(workspaceId, draftId, userId);
      if (operation === undefined) {
        await drafts.delete(workspaceId, draftId, userId);
      }
      return operation;
    },

    /** Returns what a user's message begins with. A known text with a one-time code is not put on the generic route. */
    prefill: (workspaceId: string, userId: string, text = '') =>
      prefillMessage(others, { workspaceId, userId }, text),

    /** Returns whom a message went to, for its sender alone; undefined once that is deleted. */
    recipients: async (operation: Operation) => (await recipientsOf(store, operation))?.numbers,

    /** Returns whom a user's own message went to whose outcome is at a position in Slack; undefined where none of the last is. */
    async recipientsAt(workspaceId: string, userId: string, { channel, ts }: ShownMessage) {
      const recent = await operations.recent(workspaceId, userId, searchDepth);
      const shown = recent.find(({ message }) => message?.channel === channel && message.ts === ts);
      return shown && (await recipientsOf(store, shown))?.numbers;
    },

    /** Returns the numbers that the outcome's channel may show in full, by the sender's choice; undefined: masked. */
    async shownNumbers(operation: Operation): Promise<readonly PhoneNumber[] | undefined> {
      const sent = await recipientsOf(store, operation);
      return sent?.showNumbers ? sent.numbers : undefined;
    },

    /** Returns what a message had in it; undefined once that is deleted. Of a file, its address and caption are the text. */
    sentContent: (operation: Operation) => readSentContent(store, operation),
  };
}

async function findDraft(
  operations: Operations,
  drafts: ReturnType<typeof createDrafts>,
  { workspaceId, draftId, userId }: Pick<SendRequest, 'workspaceId' | 'draftId' | 'userId'>,
): Promise<FoundDraft> {
  const operation = await operations.find(workspaceId, draftId, userId);
  const cancelled = operation === undefined && (await operations.isCancelled(workspaceId, draftId, userId));
  const draft = cancelled ? undefined : await drafts.find(workspaceId, draftId, userId);
  return { draft, operation, cancelled };
}

async function sendDraft(
  { dialect }: Context,
  others: MessageOthers,
  { workspaceId, userId, draftId, listed = [], starting }: SendRequest,
  draft: Draft,
): Promise<SendMessageResult> {
  const { content } = draft;
  if (!isComplete(content, dialect.unicodeType !== undefined)) {
    return { kind: 'incomplete' };
  }
  const { recipients: numbers, channelId } = content;
  const summary = summarize(content);
  const kind = 'sms.send';
  const text = sentText(content);
  const usage = { kind: 'messages' as const, to: numbers, pages: pagesOf(content) };
  const intent = { workspaceId, key: draftId, kind, userId, channelId, numbers, summary, text };
  const spent = await others.operations.spend(
    { ...intent, usage },
    async (account) => {
      starting?.();
      return sendContent(account, content);
    },
    async (): Promise<Extract<SendMessageResult, { kind: 'changed' }> | undefined> => {
      const now = await findListed(others, workspaceId, numbers);
      return now.some((position) => !listed.includes(position)) ? { kind: 'changed', draft } : undefined;
    },
  );
  const isAccepted = spent.kind === 'performed' && spent.first && spent.operation.state === 'accepted';
  // A reply goes out from where the message came to, which says nothing of the next message.
  if (isAccepted && content.replyTo === undefined) {
    await rememberMessage(others.workspaces, { workspaceId, userId }, content);
  }
  return spent;
}

async function recipientsOf({ ledger }: Store, { workspaceId, id, summary }: Operation) {
  const sent = sendSummarySchema.safeParse(summary).data;
  if (sent === undefined) {
    return undefined;
  }
  const numbers = (await ledger.texts(workspaceId, [id])).get(id)?.to;
  // An erased person is in neither, and those who are left are not all that it went to.
  return numbers !== undefined && isSummaryOf(sent, numbers)
    ? { numbers, showNumbers: sent.showNumbers }
    : undefined;
}

async function readSentContent(
  { ledger }: Store,
  { workspaceId, id, summary, channelId }: Operation,
): Promise<DraftContent | undefined> {
  const { senderId, route, showNumbers, replyTo } = sendSummarySchema.parse(summary);
  const sent = (await ledger.texts(workspaceId, [id])).get(id);
  const from = { senderId, route, channelId, showNumbers, replyTo };
  return sent && { recipients: [...sent.to], text: sent.text, ...from };
}

/** What a message begins with: what its user sent with last, and otherwise the workspace's defaults. */
interface MessagePrefill {
  route: Route;
  senderId?: string | undefined;
  /** The sender on the chat route. */
  device?: string | undefined;
}

async function prefillMessage(
  { workspaces, senderIds }: Pick<MessageOthers, 'workspaces' | 'senderIds'>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  text: string,
): Promise<MessagePrefill> {
  const [defaults, last] = await Promise.all([
    workspaces.defaults(workspaceId),
    senderIds.lastUsed(workspaceId, userId),
  ]);
  const route = last.route ?? defaults.route;
  return {
    route: route === 'generic' && looksLikeOneTimeCode(text) ? 'dnd' : route,
    senderId: last.senderId ?? last.campaignSenderId ?? smsSender(defaults.senderId),
    device: last.device ?? (defaults.route === 'chatapp' ? defaults.senderId : undefined),
  };
}

/** Remembers what a message was sent with: the next one begins with that. */
async function rememberMessage(
  workspaces: Workspaces,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  { route, senderId }: DraftContent,
): Promise<void> {
  await workspaces.rememberPreferences(workspaceId, userId, {
    ...(route === 'chatapp' ? { device: senderId } : { senderId }),
    route,
  });
}

/** What the history stores as the text: of a file its address, with the caption below it. */
function sentText({ text, media }: CompleteContent): string {
  return media === undefined ? text : [media.url, ...(media.caption ? [media.caption] : [])].join('\n');
}

/** Pages of all recipients together. */
function pagesOf(content: CompleteContent): number {
  return pagesEachOf(content) * content.recipients.length;
}

function sendContent(account: ProviderAccount, content: CompleteContent): Promise<Ending> {
  const { recipients, senderId, route, text, media } = content;
  const unicode = countPages(text).needsUnicode;
  const message = { to: recipients.map(toDigits), senderId, route, text, media, unicode };
  return sendForLedger(account, message, pagesOf(content));
}

function summarize(content: CompleteContent): SendSummary {
  const { route, senderId, recipients, showNumbers, replyTo } = content;
  return {
    route,
    senderId,
    recipients: recipients.length,
    to: maskedFirst(recipients),
    pagesEach: pagesEachOf(content),
    showNumbers: showNumbers === true,
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/** Whether a summary names these recipients. */
function isSummaryOf(sent: SendSummary, recipients: readonly PhoneNumber[]): boolean {
  return sent.recipients === recipients.length && isDeepStrictEqual(sent.to, maskedFirst(recipients));
}

function maskedFirst(recipients: readonly PhoneNumber[]): string[] {
  return recipients.slice(0, maxSummarized).map(maskNumber);
}
