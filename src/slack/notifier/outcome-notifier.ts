import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Log } from '../../lib/log.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import type { Message } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import { deliverNotice, whyNotIn, withRemarks } from './deliver-notice.ts';

/** How an operation of some kind is put into words. */
export interface Wording {
  forPerson(operation: Operation): Message;
  /** `numbers`: in full, where the person wanted them shown there; masked ones stand in the operation. */
  forChannel(operation: Operation, numbers?: readonly PhoneNumber[]): Message;
  /** What it was, in part of a line: for the history. */
  line(operation: Operation): Markup;
}

/** The words for each kind of operation. */
export type Wordings = Readonly<Record<string, Wording>>;

export interface Telling {
  /**
   * Tells of an ended operation, once: in the channel that was chosen, else by `show` where the person is, else by a
   * message from the app. Where the channel cannot be posted to, the person gets the outcome with what to do about it.
   * False: it was told before, or could not be told yet.
   */
  tell(operation: Operation, show?: (message: Message) => Promise<void>): Promise<boolean>;
  /** As `tell`, for the outbox. */
  deliver(notice: Notice): Promise<void>;
  /** A message from the app to one person. */
  message(personId: string, content: Message): Promise<void>;
  /** Posts a result in a channel. Gives what to tell the person where that was not possible. */
  post(channelId: string, content: Message): Promise<Markup | undefined>;
}

export function createTelling(tools: {
  posting: Posting;
  ledger: Ledger;
  outbox: Outbox;
  log: Log;
  wordings: Wordings;
  /** The numbers that an operation's channel is to see in full; undefined where they stay masked. */
  shownNumbers: (operation: Operation) => Promise<readonly PhoneNumber[] | undefined>;
}): Telling {
  const { posting, ledger, outbox, log, wordings, shownNumbers } = tools;
  const { postIn } = posting;

  async function message(personId: string, content: Message): Promise<void> {
    await postIn(await posting.conversationWith(personId), content);
  }

  async function tell(operation: Operation, show?: (message: Message) => Promise<void>): Promise<boolean> {
    const { id: subjectId, workspaceId } = operation;
    try {
      return await outbox.deliver({ workspaceId, subject: 'operation', subjectId }, async (notice) => {
        const wording = wordings[operation.kind];
        if (wording === undefined) {
          throw new Error(`no words for operations of the kind ${operation.kind}`);
        }
        const isShown = async (content: Message) =>
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
              await postIn(channelId, wording.forChannel(operation, await shownNumbers(operation)));
              return;
            }
            const content = wording.forPerson(operation);
            if (notice.channelId === undefined && (await isShown(content))) {
              return;
            }
            await message(operation.actor, withRemarks(content, remarks));
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
    tell,
    async deliver(notice) {
      const operation = await ledger.find(notice.workspaceId, { id: notice.subjectId });
      if (operation !== undefined) {
        await tell(operation);
      }
    },
    message,
    post: (channel, content) =>
      postIn(channel, content).then(
        () => undefined,
        (error: unknown) => whyNotIn(channel, error),
      ),
  };
}
