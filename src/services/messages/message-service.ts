import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { DeliveryWarning } from '../../domain/deliveries/delivery-check.ts';
import { countPages } from '../../domain/messages/pages.ts';
import { routeSchema, type Warning } from '../../domain/messages/routes.ts';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending, Operation } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { sendMessage } from '../operations/send-message.ts';
import { createDrafts, type Draft, type DraftContent } from './drafts.ts';
import { type CompleteContent, isComplete } from './message-form.ts';
import { createMessagePrefills, type MessagePrefills } from './message-prefill.ts';
import { createReviewer, findListed, pagesEachOf, type ReviewerOthers } from './review-message.ts';

/** What a user sees before a message is sent. */
export interface MessageReview {
  draft: Draft;
  /** Pages of the message to one recipient. */
  pagesEach: number;
  /** Pages of all recipients together: what is paid for. */
  pages: number;
  warnings: Warning[];
  /** What may lose it on its way. */
  delivery: DeliveryWarning[];
  /** Which of the recipients are on the suppression list, by their positions. */
  listed: number[];
}

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

export interface MessageService {
  /** Keeps a draft, to be reviewed and sent. */
  save(workspaceId: string, draftId: string, userId: string, content: DraftContent): Promise<Draft>;
  find(workspaceId: string, draftId: string, userId: string): Promise<FoundDraft>;
  /**
   * Counts pages and gathers warnings. On the generic route it checks the recipients for Do-Not-Disturb, for at most
   * `dndTimeoutMs`; numbers that could not be checked in that time get a warning of their own.
   */
  review(who: { workspaceId: string; userId: string }, draft: Draft): Promise<MessageReview>;
  /** Returns what a user's message begins with. */
  prefill: MessagePrefills['prefill'];
  /** Returns whom a message went to, for its sender alone; undefined once that is no longer kept. */
  recipients(operation: Operation): Promise<readonly PhoneNumber[] | undefined>;
  /** Returns what a message had in it; undefined once that is no longer kept. Of a file, its address and caption are the text. */
  sentContent(operation: Operation): Promise<DraftContent | undefined>;
  /** Returns the numbers that the outcome's channel may show in full, by the sender's choice; undefined: masked. */
  shownNumbers(operation: Operation): Promise<readonly PhoneNumber[] | undefined>;
  /** Whether a review has to ask the provider, and so may take several seconds. */
  reviewTakesTime(content: DraftContent): boolean;
  /** Ends a draft for good. If its send has begun, returns that instead. */
  cancel(workspaceId: string, draftId: string, userId: string): Promise<Operation | undefined>;
  /** Sends a draft (API §4.1, §4.3), once, however often this is called. Concurrent calls return the same outcome. */
  send(request: SendRequest): Promise<SendMessageResult>;
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

export function createMessageService(
  context: Context,
  others: ReviewerOthers & { operations: Operations },
): MessageService {
  const { operations } = others;
  const { texts } = context.store.ledger;
  const unicode = context.dialect.unicodeType !== undefined;
  const drafts = createDrafts(context);
  const { prefill, remember } = createMessagePrefills(others.workspaces);

  async function find(workspaceId: string, draftId: string, userId: string): Promise<FoundDraft> {
    const operation = await operations.find(workspaceId, draftId, userId);
    const cancelled = operation === undefined && (await operations.isCancelled(workspaceId, draftId, userId));
    const draft = cancelled ? undefined : await drafts.find(workspaceId, draftId, userId);
    return { draft, operation, cancelled };
  }

  async function recipientsOf({ workspaceId, id, summary }: Operation) {
    const sent = sendSummarySchema.safeParse(summary).data;
    if (sent === undefined) {
      return undefined;
    }
    const numbers = (await texts(workspaceId, [id])).get(id)?.to;
    // An erased person is in neither, and those who are left are not all that it went to.
    return numbers !== undefined && isSummaryOf(sent, numbers)
      ? { numbers, showNumbers: sent.showNumbers }
      : undefined;
  }

  return {
    ...createReviewer(context, others),
    prefill,
    find,

    async send({ workspaceId, userId, draftId, version, listed = [], starting }) {
      const { draft, operation, cancelled } = await find(workspaceId, draftId, userId);
      if (operation !== undefined) {
        return { kind: 'performed', operation, first: false };
      }
      if (draft === undefined) {
        return { kind: cancelled ? 'cancelled' : 'gone' };
      }
      if (draft.version !== version) {
        return { kind: 'changed', draft };
      }
      const { content } = draft;
      if (!isComplete(content, unicode)) {
        return { kind: 'incomplete' };
      }
      const { recipients: numbers, channelId } = content;
      const summary = summarize(content);
      const kind = 'sms.send';
      const text = sentText(content);
      const usage = { kind: 'messages' as const, to: numbers, pages: pagesOf(content) };
      const intent = { workspaceId, key: draftId, kind, userId, channelId, numbers, summary, text };
      const spent = await operations.spend(
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
        await remember(workspaceId, userId, content);
      }
      return spent;
    },

    async save(workspaceId, draftId, userId, content) {
      operations.refuseOutdated(draftId);
      return drafts.save(workspaceId, draftId, userId, content);
    },

    async cancel(workspaceId, draftId, userId) {
      const operation = await operations.cancel(workspaceId, draftId, userId);
      if (operation === undefined) {
        await drafts.delete(workspaceId, draftId, userId);
      }
      return operation;
    },

    recipients: async (operation) => (await recipientsOf(operation))?.numbers,

    async sentContent({ workspaceId, id, summary, channelId }) {
      const { senderId, route, showNumbers, replyTo } = sendSummarySchema.parse(summary);
      const sent = (await texts(workspaceId, [id])).get(id);
      return (
        sent && {
          recipients: [...sent.to],
          senderId,
          route,
          text: sent.text,
          channelId,
          showNumbers,
          replyTo,
        }
      );
    },

    async shownNumbers(operation) {
      const sent = await recipientsOf(operation);
      return sent?.showNumbers ? sent.numbers : undefined;
    },
  };
}

/** What the history keeps as the text: of a file its address, with the caption below it. */
function sentText({ text, media }: CompleteContent): string {
  return media === undefined ? text : [media.url, ...(media.caption ? [media.caption] : [])].join('\n');
}

/** Pages of all recipients together. */
function pagesOf(content: CompleteContent): number {
  return pagesEachOf(content) * content.recipients.length;
}

async function sendContent(account: ProviderAccount, content: CompleteContent): Promise<Ending> {
  const { recipients, senderId, route, text, media } = content;
  const pages = pagesOf(content);
  const outcome = await sendMessage(account, {
    to: recipients.map(toDigits),
    senderId,
    route,
    text,
    media,
    unicode: countPages(text).needsUnicode,
  });
  return toEnding(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
}

/** What the ledger keeps of a send, for the history and channels: no number in the clear, no text. */
export const sendSummarySchema = z.object({
  route: routeSchema,
  senderId: z.string(),
  recipients: z.number(),
  /** The first few, masked. */
  to: z.array(z.string()),
  pagesEach: z.number(),
  /** Whether the outcome's channel sees the numbers in full. They are kept with the text, for the retention time. */
  showNumbers: z.boolean().default(false),
  /** The thread of the number that it answers, where its outcome is posted. */
  replyTo: z.string().exactOptional(),
});
export type SendSummary = z.infer<typeof sendSummarySchema>;

/** How many masked recipients a summary names. */
const maxSummarized = 5;

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
