import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { type Permission, permissions } from '../../domain/access/roles.ts';
import type { Services } from '../../services/services.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import type { NewPost } from '../../store/outbox/posts.ts';
import { present } from '../block-kit/build.ts';
import { forReaders, message, type SlackMessage } from '../block-kit/message.ts';
import { channelMention, type Markup, mrkdwn, renderFor } from '../block-kit/text.ts';
import type { SharedFile } from '../client/posting.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { deliverNotice, describeNotPosted, withRemarks } from './notices.ts';

const slackMessage = z.custom<SlackMessage>((value) => typeof value === 'object' && value !== null);

/** The stored form of a post. Text files are stored as text, so that erasing a person finds their number. */
const keptSchema = z.union([
  z.object({ message: slackMessage }),
  z.object({
    file: z.object({
      name: z.string(),
      content: z.string(),
      encoding: z.enum(['utf8', 'base64']),
      altText: z.string().optional(),
      comment: z.string().optional(),
    }),
    /** Sent to its user if it can't be posted in the channel. */
    instead: slackMessage.optional(),
    /** The permission that its user must still have at delivery. */
    needed: z.enum(permissions).optional(),
  }),
]);

interface PostsContext extends Pick<SlackContext, 'posting' | 'store' | 'log'> {
  services: { access: Pick<Services['access'], 'permissionState'> };
}

export type Posts = ReturnType<typeof createPosts>;

/**
 * Posts what a person requested and nothing else stores, once per id. The post and its notice are stored
 * before Slack is called. After a crash, it is posted, or its user is told that it may have been.
 */
export function createPosts(context: PostsContext) {
  const { posting, store, log } = context;
  const { access } = context.services;

  async function deliver({ workspaceId, subjectId: id }: Pick<Notice, 'workspaceId' | 'subjectId'>) {
    let ended: Parameters<typeof store.posts.end>[2] | undefined;
    await store.outbox.deliver({ workspaceId, subject: 'post', subjectId: id }, async (notice) => {
      const kept = keptSchema.safeParse((await store.posts.find(workspaceId, id))?.content).data;
      if (kept === undefined) {
        // A person named in it was erased.
        return;
      }
      if ('file' in kept && kept.needed !== undefined) {
        const known = await access.permissionState(workspaceId, notice.userId, kept.needed);
        if (known === 'unknown') {
          throw new Error('Slack did not say whether the user may have a file');
        }
        if (known === 'denied') {
          ended = { isRefused: true };
          return;
        }
      }
      const state = await deliverNotice(context, notice, async (channel, remarks) => {
        const destination = channel ?? (await posting.openConversation(workspaceId, notice.userId));
        const shown = 'message' in kept ? kept.message : channel === undefined ? kept.instead : undefined;
        if (shown !== undefined) {
          await posting.postMessage(workspaceId, destination, withRemarks(shown, remarks));
        } else if ('file' in kept) {
          const { content, encoding, comment, ...file } = kept.file;
          await posting.postFile(workspaceId, destination, {
            ...file,
            content: Buffer.from(content, encoding),
            comment: [...present(comment), ...remarks.map(({ source }) => source)].join('\n') || undefined,
          });
        }
      });
      ended = state === undefined ? { isRefused: true } : { channelProblem: state.channelProblem };
    });
    if (ended !== undefined) {
      await store.posts.end(workspaceId, id, ended);
    }
  }

  async function post(asked: NewPost, kept: z.input<typeof keptSchema>): Promise<Markup | undefined> {
    const { workspaceId, id, channelId } = asked;
    const where = channelId === undefined ? 'your messages with Switchboard' : channelMention(channelId);
    await store.posts.add(asked, kept);
    try {
      await deliver({ workspaceId, subjectId: id });
    } catch (error) {
      log.warn({ err: error, post: id }, 'a post could not be made yet');
      return mrkdwn`Not in ${where} yet: Slack wasn’t available. Switchboard keeps trying.`;
    }
    const { channelProblem, isRefused } = (await store.posts.find(workspaceId, id)) ?? {};
    if (channelId !== undefined && channelProblem !== undefined) {
      return describeNotPosted(channelId, channelProblem);
    }
    return isRefused ? mrkdwn`Not in ${where}: Slack rejected it.` : undefined;
  }

  return {
    /**
     * Posts a message in a channel, or to the user. Resolves with a note for them if it couldn't be posted.
     */
    message: (asked: NewPost, content: SlackMessage): Promise<Markup | undefined> =>
      post(asked, { message: forReaders(asked.channelId === undefined ? 'person' : 'channel', content) }),

    /**
     * Like `message`, with a file for a channel.
     *
     * @param about names it in the message to its user if it can't be posted
     */
    file(
      asked: NewPost & { channelId: string },
      file: SharedFile,
      about: Markup,
    ): Promise<Markup | undefined> {
      return post(asked, { file: textOf(file, 'channel'), instead: message(about) });
    },

    /** Like `message`, with a file for its user, as long as they have the permission. */
    privateFile: (
      asked: Omit<NewPost, 'channelId'> & { needed: Permission },
      file: SharedFile,
    ): Promise<Markup | undefined> => post(asked, { file: textOf(file, 'person'), needed: asked.needed }),

    /** Called by the outbox. */
    deliver,
  };
}

/** The stored form of a file. */
function textOf({ content, ...file }: SharedFile, readers: 'person' | 'channel') {
  const encoding = isUtf8(content) ? ('utf8' as const) : ('base64' as const);
  return { ...renderFor(readers, file), encoding, content: content.toString(encoding) };
}
