import type { WebClient } from '@slack/web-api';
import type { Log } from '../log.ts';
import type { PhoneNumber } from '../rules/phone-number.ts';
import type { Ledger, Operation } from '../store/ledger.ts';
import { context } from './blocks/build.ts';
import type { Message } from './blocks/message.ts';
import { channelMention, type Markup, mrkdwn } from './blocks/text.ts';
import { isSlackError } from './errors.ts';
import { notTaken } from './web-client.ts';

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
  /** A message from the app to one person. */
  message(personId: string, content: Message): Promise<void>;
  /** Posts a result in a channel. Gives what to tell the person where that was not possible. */
  post(channelId: string, content: Message): Promise<Markup | undefined>;
  /**
   * Tells of all that ended and that nobody was told of: after a crash, or after Slack was out of reach. What ended
   * less than `age` milliseconds ago is left to the request that performed it. Once `ending` fires, the rest is left to
   * the next time.
   */
  catchUp(age: number, ending?: AbortSignal): Promise<void>;
}

export function createTelling(tools: {
  client: WebClient;
  ledger: Ledger;
  log: Log;
  clock: () => Date;
  wordings: Wordings;
  /** The numbers that an operation's channel is to see in full; undefined where they stay masked. */
  shownNumbers: (operation: Operation) => Promise<readonly PhoneNumber[] | undefined>;
}): Telling {
  const { client, ledger, log } = tools;

  async function message(personId: string, content: Message): Promise<void> {
    const { channel } = await client.conversations.open({ users: personId });
    if (channel?.id === undefined) {
      throw new Error('Slack opened no conversation');
    }
    await postIn(channel.id, content);
  }

  async function say(operation: Operation, wording: Wording, show?: (message: Message) => Promise<void>) {
    const { place } = operation;
    if (place === undefined) {
      const content = wording.forPerson(operation);
      const shown = await show?.(content).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error, operation: operation.id }, 'an outcome is told by message instead');
          return false;
        },
      );
      if (!shown) {
        await message(operation.actor, content);
      }
      return;
    }
    const content = wording.forChannel(operation, await tools.shownNumbers(operation));
    try {
      await postIn(place, content);
    } catch (error) {
      if (notTaken(error)) {
        throw error;
      }
      const told = wording.forPerson(operation);
      const blocks = [context(whyNotIn(place, error)), ...told.blocks];
      await message(operation.actor, { ...told, blocks }).catch((unsaid: unknown) => {
        throw error instanceof PerhapsPosted ? error : unsaid;
      });
    }
  }

  async function postIn(channel: string, content: Message): Promise<void> {
    try {
      await client.chat.postMessage({ channel, unfurl_links: false, ...content });
    } catch (error) {
      throw notTaken(error) || isSlackError(error) ? error : new PerhapsPosted(error);
    }
  }

  async function tell(operation: Operation, show?: (message: Message) => Promise<void>): Promise<boolean> {
    const wording = tools.wordings[operation.kind];
    if (wording === undefined) {
      log.error({ operation: operation.id, kind: operation.kind }, 'no words for this kind of operation');
      return false;
    }
    try {
      return await ledger.tell(operation.id, async () => {
        try {
          await say(operation, wording, show);
        } catch (error) {
          if (error instanceof PerhapsPosted) {
            log.error({ err: error, operation: operation.id }, 'whether an outcome was told is not known');
          } else if (isSlackError(error, 'user_disabled', 'user_not_found')) {
            // Tried again and again, it would only keep others from being told.
            log.warn({ operation: operation.id }, 'the person of an outcome has left: the history has it');
          } else {
            throw error;
          }
        }
      });
    } catch (error) {
      log.error({ err: error, operation: operation.id }, 'an outcome could not be told yet');
      return false;
    }
  }

  return {
    tell,
    message,
    post: (channel, content) =>
      postIn(channel, content).then(
        () => undefined,
        (error: unknown) => whyNotIn(channel, error),
      ),
    async catchUp(age, ending) {
      const before = tools.clock().getTime() - age;
      for (const operation of await ledger.untold()) {
        if (ending?.aborted) {
          return;
        }
        if (operation.endedAt !== undefined && operation.endedAt.getTime() <= before) {
          await tell(operation);
        }
      }
    },
  };
}

/** Slack may have posted a message. Said again it might stand there twice: then it is left, and the history has it. */
class PerhapsPosted extends Error {
  override readonly name = 'PerhapsPosted';

  constructor(cause: unknown) {
    super('Slack may have posted it', { cause });
  }
}

/** What to tell a person whose result could not be shown in a channel. */
export function whyNotIn(channel: string, error: unknown): Markup {
  const where = channelMention(channel);
  if (isSlackError(error, 'not_in_channel')) {
    return mrkdwn`This was to be shown in ${where}, but Switchboard is not in that channel. Type \`/invite @Switchboard\` there for the next time.`;
  }
  if (isSlackError(error, 'channel_not_found')) {
    return mrkdwn`This was to be shown in a channel that Switchboard cannot see. If it is private, type \`/invite @Switchboard\` there for the next time.`;
  }
  if (isSlackError(error, 'is_archived')) {
    return mrkdwn`This was to be shown in ${where}, but that channel is archived. Choose another one the next time.`;
  }
  if (isSlackError(error)) {
    return mrkdwn`This was to be shown in ${where}, but Slack did not allow it. Ask an admin whether apps may post there.`;
  }
  if (notTaken(error)) {
    return mrkdwn`This was to be shown in ${where}, but Slack could not take it just now. Try again in a moment.`;
  }
  return mrkdwn`This was to be shown in ${where}, but Slack did not answer, so it may or may not stand there.`;
}
