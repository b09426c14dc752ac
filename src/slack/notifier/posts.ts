import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { type Permission, permissions } from '../../domain/access/roles.ts';
import type { Services } from '../../services/services.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import type { NewPost } from '../../store/outbox/posts.ts';
import { present, section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { channelMention, type Markup, mrkdwn } from '../block-kit/text.ts';
import type { SharedFile } from '../client/posting.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { deliverNotice, describeNotPosted, withRemarks } from './notices.ts';

const slackMessage = z.custom<SlackMessage>((value) => typeof value === 'object' && value !== null);

/** As a post is kept. A file of text is kept as text, so that the erasure of a person finds their number in it. */
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
    /** What its user is sent where it can't be posted in its channel. */
    instead: slackMessage.optional(),
    /** What its user may have to do to have it, when it is ready to be sent to them. */
    needed: z.enum(permissions).optional(),
  }),
]);

interface PostsContext extends Pick<SlackContext, 'posting' | 'store' | 'log'> {
  services: { access: Pick<Services['access'], 'permissionState'> };
}

export type Posts = ReturnType<typeof createPosts>;

/**
 * Posts what somebody asked for and nothing else stores, once for its id. A post is kept, with its notice, before Slack is
 * asked. After a crash it is posted, or its user is told that it may have been.
 */
export function createPosts(context: PostsContext) {
  const { posting, store, log } = context;
  const { access } = context.services;

  async function deliver({ workspaceId, subjectId: id }: Pick<Notice, 'workspaceId' | 'subjectId'>) {
    let ended: Parameters<typeof store.posts.end>[2] | undefined;
    await store.outbox.deliver({ workspaceId, subject: 'post', subjectId: id }, async (notice) => {
      const kept = keptSchema.safeParse((await store.posts.find(workspaceId, id))?.content).data;
      if (kept === undefined) {
        // A person that it named was erased.
        return;
      }
      if ('file' in kept && kept.needed !== undefined) {
        const known = await access.permissionState(workspaceId, notice.userId, kept.needed);
        if (known === 'unknown') {
          throw new Error('it is not known whether the user may have a file');
        }
        if (known === 'denied') {
          ended = { isRefused: true };
          return;
        }
      }
      const state = await deliverNotice(context, notice, async (channel, remarks) => {
        const place = channel ?? (await posting.openConversation(workspaceId, notice.userId));
        const shown = 'message' in kept ? kept.message : channel === undefined ? kept.instead : undefined;
        if (shown !== undefined) {
          await posting.postMessage(workspaceId, place, withRemarks(shown, remarks));
        } else if ('file' in kept) {
          const { content, encoding, comment, ...file } = kept.file;
          await posting.postFile(workspaceId, place, {
            ...file,
            content: Buffer.from(content, encoding),
            comment: [...present(comment), ...remarks.map(({ source }) => source)].join('\n') || undefined,
          });
        }
      });
      ended = state === undefined ? { isRefused: true } : { channelError: state.channelError };
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
      log.warn({ err: error, post: id }, 'a post is made later');
      return mrkdwn`Not in ${where} yet: Slack wasn’t available. Switchboard keeps trying.`;
    }
    const { channelError, isRefused } = (await store.posts.find(workspaceId, id)) ?? {};
    if (channelId !== undefined && channelError !== undefined) {
      return describeNotPosted(channelId, channelError);
    }
    return isRefused ? mrkdwn`Not in ${where}: Slack rejected it.` : undefined;
  }

  return {
    /** Posts a message in a channel, or else to the user. Resolves with what to tell them if it is not there. */
    message: (asked: NewPost, content: SlackMessage): Promise<Markup | undefined> =>
      post(asked, { message: content }),

    /**
     * As `message`, with a file for a channel.
     *
     * @param about what its user is told of, where it can’t be posted
     */
    file(
      asked: NewPost & { channelId: string },
      file: SharedFile,
      about: Markup,
    ): Promise<Markup | undefined> {
      return post(asked, { file: textOf(file), instead: message(about, [section(about)]) });
    },

    /** As `message`, with a file for its user, while they may have it. */
    privateFile: (
      asked: Omit<NewPost, 'channelId'> & { needed: Permission },
      file: SharedFile,
    ): Promise<Markup | undefined> => post(asked, { file: textOf(file), needed: asked.needed }),

    /** Called for the outbox. */
    deliver,
  };
}

/** A file as it is kept. */
function textOf({ content, ...file }: SharedFile) {
  const encoding = isUtf8(content) ? ('utf8' as const) : ('base64' as const);
  return { ...file, encoding, content: content.toString(encoding) };
}
