import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Log } from '../../lib/log.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import { deliverNotice, describeNotPosted, explainNotPosted, withRemarks } from './deliver-notice.ts';

/** Renders the outcome of operations of one kind. */
export interface OutcomeRenderer {
  /** @param numbers the recipients in full, while they are known; the operation holds masked ones */
  forUser(operation: Operation, numbers?: readonly PhoneNumber[]): SlackMessage;
  /** @param numbers in full, if the user wanted them shown there; the operation holds masked ones */
  forChannel(operation: Operation, numbers?: readonly PhoneNumber[]): SlackMessage;
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
    async deliver(notice) {
      const operation = await ledger.find(notice.workspaceId, { id: notice.subjectId });
      if (operation !== undefined) {
        await notify(operation);
      }
    },
    sendMessage: (workspaceId, userId, content) => sendMessage(posting, { workspaceId, userId }, content),
    post: (workspaceId, channelId, content) =>
      posting.postMessage(workspaceId, channelId, content).then(
        () => undefined,
        (error: unknown) => explainNotPosted(channelId, error),
      ),
  };
}

/** Resolves with why the outcome is not in the channel it was for. */
async function deliverOutcome(
  operation: Operation,
  { notice, show }: { notice: Notice; show: Show | undefined },
  { posting, outbox, log, outcomeRenderers, recipients, shownNumbers }: OutcomeNotifierOptions,
): Promise<Markup | undefined> {
  const renderer = outcomeRenderers[operation.kind];
  if (renderer === undefined) {
    throw new Error(`no renderer for operations of the kind ${operation.kind}`);
  }
  const state = await deliverNotice(notice, {
    record: (attempted) => outbox.record(notice, attempted),
    async post(channelId, remarks) {
      if (channelId !== undefined) {
        const numbers = await shownNumbers(operation);
        await posting.postMessage(operation.workspaceId, channelId, renderer.forChannel(operation, numbers));
        return;
      }
      const content = renderer.forUser(operation, await recipients(operation));
      const isShown =
        notice.channelId === undefined &&
        show !== undefined &&
        (await tryShow(show, content, operation, log));
      if (!isShown) {
        await sendMessage(posting, operation, withRemarks(content, remarks));
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
): Promise<void> {
  await posting.postMessage(workspaceId, await posting.openConversation(workspaceId, userId), content);
}
