import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Log } from '../../lib/log.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import { deliverNotice, explainNotPosted, withRemarks } from './deliver-notice.ts';

/** How an operation of some kind is put into words. */
export interface OutcomeRenderer {
  forUser(operation: Operation): SlackMessage;
  /** `numbers`: in full, where the person wanted them shown there; masked ones stand in the operation. */
  forChannel(operation: Operation, numbers?: readonly PhoneNumber[]): SlackMessage;
  /** What it was, in part of a line: for the history. */
  line(operation: Operation): Markup;
}

/** The words for each kind of operation. */
export type OutcomeRenderers = Readonly<Record<string, OutcomeRenderer>>;

export interface OutcomeNotifier {
  /**
   * Tells of an ended operation, once: in the channel that was chosen, else by `show` where the person is, else by a
   * message from the app. Where the channel cannot be posted to, the person gets the outcome with what to do about it.
   * False: it was told before, or could not be told yet.
   */
  notify(operation: Operation, show?: (sendMessage: SlackMessage) => Promise<void>): Promise<boolean>;
  /** As `notify`, for the outbox. */
  deliver(notice: Notice): Promise<void>;
  /** A message from the app to one person. */
  sendMessage(userId: string, content: SlackMessage): Promise<void>;
  /** Posts a result in a channel. Gives what to tell the person where that was not possible. */
  post(channelId: string, content: SlackMessage): Promise<Markup | undefined>;
}

export function createOutcomeNotifier(context: {
  posting: Posting;
  ledger: Ledger;
  outbox: Outbox;
  log: Log;
  outcomeRenderers: OutcomeRenderers;
  /** The numbers that an operation's channel is to see in full; undefined where they stay masked. */
  shownNumbers: (operation: Operation) => Promise<readonly PhoneNumber[] | undefined>;
}): OutcomeNotifier {
  const { posting, ledger, outbox, log, outcomeRenderers, shownNumbers } = context;
  const { postMessage: postIn } = posting;

  async function sendMessage(userId: string, content: SlackMessage): Promise<void> {
    await postIn(await posting.openConversation(userId), content);
  }

  async function notify(
    operation: Operation,
    show?: (sendMessage: SlackMessage) => Promise<void>,
  ): Promise<boolean> {
    const { id: subjectId, workspaceId } = operation;
    try {
      return await outbox.deliver({ workspaceId, subject: 'operation', subjectId }, async (notice) => {
        const renderer = outcomeRenderers[operation.kind];
        if (renderer === undefined) {
          throw new Error(`no words for operations of the kind ${operation.kind}`);
        }
        const isShown = async (content: SlackMessage) =>
          show?.(content).then(
            () => true,
            (error: unknown) => {
              log.warn({ err: error, operation: subjectId }, 'an outcome is told by message instead');
              return false;
            },
          );
        await deliverNotice(notice, {
          record: (attempted) => outbox.record(notice, attempted),
          async post(channelId, remarks) {
            if (channelId !== undefined) {
              await postIn(channelId, renderer.forChannel(operation, await shownNumbers(operation)));
              return;
            }
            const content = renderer.forUser(operation);
            if (notice.channelId === undefined && (await isShown(content))) {
              return;
            }
            await sendMessage(operation.userId, withRemarks(content, remarks));
          },
          log,
        });
      });
    } catch (error) {
      log.error({ err: error, operation: subjectId }, 'an outcome could not be told yet');
      return false;
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
    sendMessage,
    post: (channel, content) =>
      postIn(channel, content).then(
        () => undefined,
        (error: unknown) => explainNotPosted(channel, error),
      ),
  };
}
