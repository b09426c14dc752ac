import type { WebClient } from '@slack/web-api';
import type { Log } from '../../lib/log.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import { isRejected, isSlackError, notAccepted } from './slack-errors.ts';

/** A message may stand in Slack, and where is not known. */
export class MaybePostedError extends Error {
  override readonly name = 'PerhapsPosted';

  constructor(cause: unknown) {
    super('Slack may have posted it', { cause });
  }
}

/** Posts as the app. */
export interface Posting {
  /**
   * Posts in a channel, as plain text where Slack does not take the blocks. Returns where the message stands.
   *
   * @throws PerhapsPosted
   */
  postMessage(
    channel: string,
    content: SlackMessage,
    threadTs?: string,
  ): Promise<{ channel: string; ts?: string }>;
  /** Returns the id of the app's conversation with a user. */
  openConversation(userId: string): Promise<string>;
}

export function createPosting({ client, log }: { client: WebClient; log: Log }): Posting {
  async function post(channel: string, content: Partial<SlackMessage> & { text: string }, threadTs?: string) {
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    try {
      const posted = await client.chat.postMessage({ channel, unfurl_links: false, ...thread, ...content });
      return { channel: posted.channel ?? channel, ...(posted.ts === undefined ? {} : { ts: posted.ts }) };
    } catch (error) {
      throw notAccepted(error) || isRejected(error) ? error : new MaybePostedError(error);
    }
  }

  return {
    async postMessage(channel, content, threadTs) {
      try {
        return await post(channel, content, threadTs);
      } catch (error) {
        if (!isSlackError(error, 'content')) {
          throw error;
        }
        log.error({ err: error }, 'Slack does not take the blocks of a message: it is posted as plain text');
        return post(channel, { text: content.text }, threadTs);
      }
    },
    async openConversation(userId) {
      const { channel } = await client.conversations.open({ users: userId });
      if (channel?.id === undefined) {
        throw new Error('Slack opened no conversation');
      }
      return channel.id;
    },
  };
}
