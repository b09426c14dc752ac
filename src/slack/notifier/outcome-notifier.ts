import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Log } from '../../lib/log.ts';
import type { Charges } from '../../services/costs/charges.ts';
import type { Replies } from '../../services/replies/replies.ts';
import type { DeliveryRepository, MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import { messageIdOf } from '../../store/operations/operation-row.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import { quotation } from '../block-kit/build.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import { deliverNotice, describeNotPosted, explainNotPosted, withRemarks } from './deliver-notice.ts';
import { withDeliveries } from './with-deliveries.ts';

/** What is known of an operation’s messages beyond that they were accepted. */
type Deliveries = readonly MessageDelivery[];

/** Renders the outcome of operations of one kind. */
export interface OutcomeRenderer {
  /** @param numbers the recipients in full, while they are known; the operation holds masked ones */
  forUser(operation: Operation, numbers?: readonly PhoneNumber[], deliveries?: Deliveries): SlackMessage;
  /** @param numbers in full, if the user wanted them shown there; the operation holds masked ones */
  forChannel(operation: Operation, numbers?: readonly PhoneNumber[], deliveries?: Deliveries): SlackMessage;
  /**
   * The operation as part of a line: for the history.
   *
   * @param numbers in full, for the user who sent it
   */
  line(operation: Operation, numbers?: readonly PhoneNumber[]): Markup;
}

/** The renderer for each kind of operation. */
export type OutcomeRenderers = Readonly<Record<string, OutcomeRenderer>>;

export interface Delivery {
  /** False if the outcome was delivered before, or could not be delivered yet. */
  delivered: boolean;
  /** Why it went to the user, and not to the channel it was for. */
  notPosted?: Markup | undefined;
}

export interface OutcomeNotifier {
  /**
   * Delivers the outcome of an operation once: in the chosen channel, or else by `show` where the user is, or else as a
   * direct message. If the channel cannot be posted to, the user gets the outcome with what to do about it.
   */
  notify(operation: Operation, show?: (content: SlackMessage) => Promise<void>): Promise<Delivery>;
  /** As `notify`, for the outbox. */
  deliver(notice: Notice): Promise<void>;
  /** Renders an outcome with what became of its messages. */
  contentOf(operation: Operation, isChannel: boolean): Promise<SlackMessage>;
  /** Sends a user a direct message from the app. */
  sendMessage(workspaceId: string, userId: string, content: SlackMessage): Promise<void>;
  /** Posts a result in a channel. Resolves with what to tell the user if that failed. */
  post(workspaceId: string, channelId: string, content: SlackMessage): Promise<Markup | undefined>;
}

interface OutcomeNotifierOptions {
  posting: Posting;
  ledger: Ledger;
  outbox: Outbox;
  log: Log;
  outcomeRenderers: OutcomeRenderers;
  /** Returns whom an operation's message went to, for its sender alone; undefined where that is not known. */
  recipients: (operation: Operation) => Promise<readonly PhoneNumber[] | undefined>;
  /** Returns the numbers that an operation's channel shows in full; undefined if they stay masked. */
  shownNumbers: (operation: Operation) => Promise<readonly PhoneNumber[] | undefined>;
  deliveries: Pick<DeliveryRepository, 'of'>;
  /** Returns what was charged for an operation, from what was reported of its messages. */
  charged: (operation: Operation, deliveries: readonly MessageDelivery[]) => Promise<Charges | undefined>;
  /** The threads of numbers, where the outcomes of what answers there are posted. */
  replies: Pick<Replies, 'answered' | 'answerText'>;
  /** Whether more may become known of messages, and their outcomes be changed in place. */
  areReported: boolean;
}

type Show = (content: SlackMessage) => Promise<void>;

export function createOutcomeNotifier(options: OutcomeNotifierOptions): OutcomeNotifier {
  const { posting, ledger, outbox, log } = options;

  async function notify(operation: Operation, show?: Show): Promise<Delivery> {
    const { id: subjectId, workspaceId } = operation;
    try {
      let notPosted: Markup | undefined;
      const delivered = await outbox.deliver(
        { workspaceId, subject: 'operation', subjectId },
        async (notice) => {
          notPosted = await deliverOutcome(operation, { notice, show }, options);
        },
      );
      return { delivered, notPosted };
    } catch (error) {
      log.error({ err: error, operation: subjectId }, 'an outcome is not delivered yet');
      return { delivered: false };
    }
  }

  return {
    notify,
    contentOf: (operation, isChannel) => contentOf(operation, isChannel, options),
    async deliver(notice) {
      const operation = await ledger.find(notice.workspaceId, { id: notice.subjectId });
      if (operation !== undefined) {
        await notify(operation);
      }
    },
    async sendMessage(workspaceId, userId, content) {
      await sendMessage(posting, { workspaceId, userId }, content);
    },
    post: (workspaceId, channelId, content) =>
      posting.postMessage(workspaceId, channelId, content).then(
        () => undefined,
        (error: unknown) => explainNotPosted(channelId, error),
      ),
  };
}

/** Resolves with why the outcome is not in the channel it was for. */
async function deliverOutcome(
  known: Operation,
  { notice, show }: { notice: Notice; show: Show | undefined },
  options: OutcomeNotifierOptions,
): Promise<Markup | undefined> {
  const { posting, outbox, ledger, log } = options;
  const operation = await latest(known, ledger);
  const state = await deliverNotice(notice, {
    record: (attempted) => outbox.record(notice, attempted),
    async post(channelId, remarks) {
      const content = await contentOf(operation, channelId !== undefined, options);
      if (channelId !== undefined) {
        const head = await options.replies.answered(operation);
        const thread = head?.channel === channelId ? { ts: head.ts } : undefined;
        await remember(
          operation,
          await posting.postMessage(operation.workspaceId, channelId, content, thread),
          options,
        );
        return;
      }
      const isShown =
        notice.channelId === undefined &&
        show !== undefined &&
        (await tryShow(show, content, operation, log));
      if (!isShown) {
        const posted = await sendMessage(posting, operation, withRemarks(content, remarks));
        await remember(operation, posted, options);
      }
    },
    log,
  });
  const { channelId } = notice;
  const channelError = state?.channelError;
  return channelId === undefined || channelError === undefined
    ? undefined
    : describeNotPosted(channelId, channelError);
}

/** An unconfirmed operation may have turned out to be accepted before its notice was taken for this delivery. */
async function latest(operation: Operation, ledger: Ledger): Promise<Operation> {
  const { state, workspaceId, id } = operation;
  return state === 'unconfirmed' ? ((await ledger.find(workspaceId, { id })) ?? operation) : operation;
}

async function contentOf(
  operation: Operation,
  isChannel: boolean,
  { outcomeRenderers, recipients, shownNumbers, deliveries, charged, replies }: OutcomeNotifierOptions,
): Promise<SlackMessage> {
  const renderer = outcomeRenderers[operation.kind];
  if (renderer === undefined) {
    throw new Error(`no renderer for operations of the kind ${operation.kind}`);
  }
  const messageId = messageIdOf(operation);
  const known = messageId === undefined ? [] : await deliveries.of(operation.workspaceId, [messageId]);
  const content = isChannel
    ? renderer.forChannel(operation, await shownNumbers(operation), known)
    : renderer.forUser(operation, await recipients(operation), known);
  // What was reported changes the message; what is not reported is no news. A channel sees no costs.
  const charges = isChannel || known.length === 0 ? undefined : await charged(operation, known);
  const said = isChannel ? await replies.answerText(operation) : undefined;
  return withDeliveries(said === undefined ? content : withText(content, said), operation, {
    deliveries: known,
    charges,
  });
}

/** Who reads a thread reads both sides of it. */
function withText({ text, blocks }: SlackMessage, said: string): SlackMessage {
  return clampMessage({ text, blocks: [quotation(said), ...blocks] });
}

/** What was posted stands, whether or not it can be changed later. */
async function remember(
  operation: Operation,
  { channel, ts }: { channel: string; ts?: string | undefined },
  { ledger, areReported, log }: OutcomeNotifierOptions,
): Promise<void> {
  if (areReported && ts !== undefined) {
    await ledger.posted(operation, { channel, ts }).catch((error: unknown) => {
      log.warn({ err: error, operation: operation.id }, 'an outcome will not be changed in its message');
    });
  }
}

async function tryShow(show: Show, content: SlackMessage, operation: Operation, log: Log): Promise<boolean> {
  try {
    await show(content);
    return true;
  } catch (error) {
    log.warn({ err: error, operation: operation.id }, 'an outcome is sent as a direct message instead');
    return false;
  }
}

async function sendMessage(
  posting: Posting,
  { workspaceId, userId }: Pick<Operation, 'workspaceId' | 'userId'>,
  content: SlackMessage,
): Promise<{ channel: string; ts?: string | undefined }> {
  return posting.postMessage(workspaceId, await posting.openConversation(workspaceId, userId), content);
}
