import { z } from 'zod';
import { countPages } from '../../domain/messages/pages.ts';
import { routeSchema, type Warning, warningsFor } from '../../domain/messages/routes.ts';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { DndChecker } from '../numbers/dnd-check.ts';
import type { Operations } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { sendMessage } from '../operations/send-message.ts';
import type { SuppressionService } from '../suppression-list/suppression-list.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { Draft, DraftContent, Drafts } from './drafts.ts';

/** Everything to look at before a message goes. */
export interface MessageReview {
  draft: Draft;
  /** Pages of one recipient's. */
  pagesEach: number;
  /** Pages of all recipients together: what is paid for. */
  pages: number;
  warnings: Warning[];
}

export type SendMessageResult =
  /** The one send of this draft, now or before: see its state. `underway` while another request waits for it. */
  | { kind: 'performed'; operation: Operation; first: boolean }
  /** The draft is no longer what the button under the preview showed. Nothing was sent. */
  | { kind: 'changed'; draft: Draft }
  /** The draft lies too far back, or is another person's. Nothing was sent. */
  | { kind: 'gone' }
  /** The person cancelled it before. Nothing was sent. */
  | { kind: 'cancelled' }
  | { kind: 'incomplete' }
  | { kind: 'not_connected' };

/** What is known under a draft's id, as far as it is the person's own. */
export interface FoundDraft {
  draft?: Draft;
  /** The send of it, once there is one: the draft is then spent. */
  operation?: Operation;
  /** The person cancelled it: nothing is sent under this id any more. */
  cancelled?: true;
}

export interface MessageService {
  /** Keeps a draft, to be reviewed and sent. */
  save(workspaceId: string, draftId: string, userId: string, content: DraftContent): Promise<Draft>;
  find(workspaceId: string, draftId: string, userId: string): Promise<FoundDraft>;
  /**
   * Counts pages and gathers warnings. On the generic route it asks the provider who is on Do-Not-Disturb, for at
   * most `patience` milliseconds; who could not be checked by then is named as such.
   */
  review(workspaceId: string, draft: Draft): Promise<MessageReview>;
  /** The numbers that its channel is to see in full, by the sender's choice; undefined where they stay masked. */
  shownNumbers(operation: Operation): Promise<readonly PhoneNumber[] | undefined>;
  /** Whether a review has to ask the provider, and so may take a while. */
  reviewTakesTime(content: DraftContent): boolean;
  /** Ends a draft, for good, unless its send has begun: then this returns that. */
  cancel(workspaceId: string, draftId: string, userId: string): Promise<Operation | undefined>;
  /** Sends a draft (API §4.1, §4.3), once, however often this is called; who asks meanwhile gets the same outcome. */
  send(request: SendRequest): Promise<SendMessageResult>;
}

export interface SendRequest {
  workspaceId: string;
  userId: string;
  draftId: string;
  /** The version that the person saw. */
  version: number;
  /** Called when the request to the provider is about to leave, by the one that makes it. */
  starting?: () => void;
}

/** What the ledger keeps of a send, and history and channels show: no number in the clear, no text. */
export const sendSummarySchema = z.object({
  route: routeSchema,
  senderId: z.string(),
  recipients: z.number(),
  /** The first few, masked. */
  to: z.array(z.string()),
  pagesEach: z.number(),
  /** Whether the outcome's channel sees the numbers in full; they are in the draft, as long as that is kept. */
  showNumbers: z.boolean().default(false),
});
export type SendSummary = z.infer<typeof sendSummarySchema>;

const patience = 8_000;
const shown = 5;

export function createMessageService(options: {
  workspaces: Workspaces;
  drafts: Drafts;
  numbers: DndChecker;
  doNotContact: SuppressionService;
  operations: Operations;
  clock: Clock;
}): MessageService {
  const { workspaces, drafts, numbers, doNotContact, operations, clock } = options;

  async function dndStates(workspaceId: string, content: DraftContent) {
    if (content.route !== 'generic') {
      return { active: [], unknown: [] };
    }
    const report = await numbers.checkDnd(workspaceId, content.recipients, {
      signal: AbortSignal.timeout(patience),
    });
    const checked = report.kind === 'checked' ? report.numbers : [];
    const inState = (state: string): PhoneNumber[] =>
      checked.filter(({ dnd }) => dnd === state).map(({ number }) => number);
    return { active: inState('active'), unknown: inState('unknown') };
  }

  async function find(workspaceId: string, draftId: string, userId: string): Promise<FoundDraft> {
    const operation = await operations.find(workspaceId, draftId, userId);
    const cancelled = await operations.isCancelled(workspaceId, draftId, userId);
    const draft = cancelled ? undefined : await drafts.find(workspaceId, draftId, userId);
    return {
      ...(draft === undefined ? {} : { draft }),
      ...(operation === undefined ? {} : { operation }),
      ...(cancelled ? { cancelled } : {}),
    };
  }

  async function send({
    workspaceId,
    userId,
    draftId,
    version,
    starting,
  }: SendRequest): Promise<SendMessageResult> {
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
    const { recipients, senderId, route, text, media, channelId, showNumbers } = draft.content;
    if (senderId === undefined || recipients.length === 0 || (text === '' && media === undefined)) {
      return { kind: 'incomplete' };
    }
    const account = await workspaces.account(workspaceId);
    if (account === undefined) {
      return { kind: 'not_connected' };
    }
    const pagesEach = pagesOf(draft.content);
    const summary: SendSummary = {
      route,
      senderId,
      recipients: recipients.length,
      to: recipients.slice(0, shown).map(maskNumber),
      pagesEach,
      showNumbers: showNumbers === true,
    };
    return operations.perform(
      {
        workspaceId,
        key: draftId,
        kind: 'sms.send',
        userId: userId,
        summary,
        numbers: recipients,
        ...(channelId === undefined ? {} : { channelId }),
      },
      async () => {
        starting?.();
        const outcome = await sendMessage(account, {
          to: recipients.map(toDigits),
          senderId,
          route,
          text,
          media,
          unicode: countPages(text).needsUnicode,
        });
        return toEnding(outcome, ({ messageId, balance }) => ({
          providerId: messageId,
          pages: pagesEach * recipients.length,
          ...(balance === undefined ? {} : { balance }),
        }));
      },
    );
  }

  return {
    find,
    send,

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

    async shownNumbers({ workspaceId, key, userId, summary }) {
      const sent = sendSummarySchema.safeParse(summary).data;
      const draft = sent?.showNumbers ? await drafts.find(workspaceId, key, userId) : undefined;
      return draft?.content.recipients;
    },

    reviewTakesTime: (content) => content.route === 'generic',

    async review(workspaceId, draft) {
      const { content } = draft;
      const pagesEach = pagesOf(content);
      const [dnd, unwanted] = await Promise.all([
        dndStates(workspaceId, content),
        doNotContact.filterListed(workspaceId, content.recipients),
      ]);
      const warnings = warningsFor({
        route: content.route,
        text: content.text,
        recipients: content.recipients,
        doNotContact: unwanted,
        dndActive: dnd.active,
        dndUnknown: dnd.unknown,
        now: clock(),
      });
      return { draft, pagesEach, pages: pagesEach * content.recipients.length, warnings };
    },
  };
}

/** What is paid for each recipient: the pages of the text; a file counts as one. */
function pagesOf({ text, media }: DraftContent): number {
  return media === undefined ? countPages(text).pages : 1;
}
