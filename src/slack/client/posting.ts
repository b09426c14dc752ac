import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Log } from '../../lib/log.ts';
import { forReaders, type SlackMessage, withoutTables } from '../block-kit/message.ts';
import { renderFor } from '../block-kit/text.ts';
import { isRejected, isSlackError, notAccepted } from './slack-errors.ts';
import type { WorkspaceClients } from './workspace-clients.ts';

/** Slack may have posted a message, and where is not known. */
export class MaybePostedError extends Error {
  override readonly name = 'MaybePostedError';

  constructor(cause: unknown) {
    super('Slack may have posted it', { cause });
  }
}

/**
 * Where the app may post: its conversation with a person, or the channel of a notice that is being delivered.
 * Posts to channels therefore always go through the outbox, which knows what may already be there.
 */
export type PostPlace = z.infer<typeof postPlace>;
const postPlace = z.string().brand<'PostPlace'>();

/** For `deliverNotice` only. */
export const placeOfNotice = (channelId: string): PostPlace => postPlace.parse(channelId);

/** Returns who reads a conversation. The id of a direct one begins with D. */
export function readersOf(channelId: string): 'person' | 'channel' {
  return channelId.startsWith('D') ? 'person' : 'channel';
}

export interface SharedFile {
  name: string;
  content: Buffer;
  /** The image description for screen readers. */
  altText?: string | undefined;
  /** Text shown above the file. */
  comment?: string | undefined;
}

/** The thread that a message belongs to, by the position of its first message. */
interface ThreadPlace {
  ts: string;
  /** Whether the channel sees it too. */
  isBroadcast?: boolean | undefined;
}

/** Posts as the app, in the workspace that is named. */
export interface Posting {
  /**
   * Posts a message, or its fallback text if Slack rejects the blocks. Returns the message's position, and
   * whether Slack posted it to the channel itself because the thread's first message was deleted.
   *
   * @throws MaybePostedError
   */
  postMessage(
    workspaceId: string,
    place: PostPlace,
    content: SlackMessage,
    thread?: ThreadPlace,
  ): Promise<{ channel: string; ts?: string | undefined; isUnthreaded: boolean }>;
  /** @throws MaybePostedError */
  postFile(workspaceId: string, place: PostPlace, file: SharedFile): Promise<void>;
  /** Returns the id of the app's direct conversation with a user. */
  openConversation(workspaceId: string, userId: string): Promise<PostPlace>;
}

export function createPosting({ clients, log }: { clients: WorkspaceClients; log: Log }): Posting {
  async function post(
    workspaceId: string,
    channel: PostPlace,
    { text, blocks }: SlackMessage,
    place?: ThreadPlace,
  ) {
    const client = await clients.for(workspaceId);
    const thread =
      place === undefined
        ? {}
        : { thread_ts: place.ts, ...(place.isBroadcast ? { reply_broadcast: true as const } : {}) };
    const content = blocks.length === 0 ? { text } : { text, blocks };
    try {
      const posted = await client.chat.postMessage({ channel, unfurl_links: false, ...content, ...thread });
      const isUnthreaded =
        place !== undefined && posted.message !== undefined && posted.message.thread_ts === undefined;
      return { channel: posted.channel ?? channel, ts: posted.ts, isUnthreaded };
    } catch (error) {
      throw orMaybePosted(error);
    }
  }

  return {
    postMessage: (workspaceId, channel, content, thread) =>
      sendWithFallback(
        forReaders(readersOf(channel), content),
        (attempt) => post(workspaceId, channel, attempt, thread),
        log,
      ),
    async postFile(workspaceId, place, file) {
      await uploadFile(await clients.for(workspaceId), place, file).catch((error: unknown) => {
        throw orMaybePosted(error);
      });
    },
    openConversation: async (workspaceId, userId) => openConversation(await clients.for(workspaceId), userId),
  };
}

function orMaybePosted(error: unknown): unknown {
  return notAccepted(error) || isRejected(error) ? error : new MaybePostedError(error);
}

/** Slack: files.getUploadURLExternal, files.completeUploadExternal. */
export async function uploadFile(
  client: WebClient,
  place: PostPlace,
  { name, content, ...texts }: SharedFile,
): Promise<void> {
  const { altText, comment } = renderFor(readersOf(place), texts);
  await client.files.uploadV2({
    channel_id: place,
    filename: name,
    file: content,
    ...(altText === undefined ? {} : { alt_text: altText }),
    ...(comment === undefined ? {} : { initial_comment: comment }),
  });
}

/**
 * Posts or updates a message by `send`. Where Slack rejects its blocks, it is sent without those that Slack has not
 * everywhere yet, and then as plain text: `blocks` is empty.
 */
export async function sendWithFallback<T>(
  content: SlackMessage,
  send: (content: SlackMessage) => Promise<T>,
  log: Log,
): Promise<T> {
  const known = withoutTables(content);
  for (const attempt of known === undefined ? [content] : [content, known]) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!isSlackError(error, 'content')) {
        throw error;
      }
      if (attempt === content && known !== undefined) {
        log.debug(
          { err: error },
          'Slack rejects the blocks of a message: it is sent without the newest ones',
        );
      } else {
        log.error({ err: error }, 'Slack rejects the blocks of a message: it is sent as plain text');
      }
    }
  }
  return send({ text: content.text, blocks: [] });
}

/** Returns the id of the app's direct conversation with a user. Slack: conversations.open. */
export async function openConversation(client: WebClient, userId: string): Promise<PostPlace> {
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) {
    throw new Error('Slack opened no conversation');
  }
  return postPlace.parse(channel.id);
}
