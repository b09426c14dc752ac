import type { WebClient } from '@slack/web-api';
import type { Log } from '../../lib/log.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import { isSlackError } from '../middleware/errors.ts';
import { notAccepted } from './web-client.ts';

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
        if (!isContentError(error)) {
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

/** Slack broke down in the midst of it, and may have done it all the same. */
const brokeDown = ['internal_error', 'fatal_error', 'service_unavailable'];

/** What holds for whatever the app asks just then, or for all of a workspace: it is over in time, or once an admin acts. */
const aboutApp = [
  'access_denied',
  'accesslimited',
  // Of the app's own token. A deactivated user is `user_disabled`.
  'account_inactive',
  'deprecated_endpoint',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'message_limit_exceeded',
  'messages_tab_disabled',
  'method_deprecated',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'rate_limited',
  'ratelimited',
  'request_timeout',
  'team_access_not_granted',
  'team_added_to_org',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
];

const aboutContent = [
  'attachment_payload_limit_exceeded',
  'invalid_arguments',
  'invalid_attachments',
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'too_many_attachments',
];

export const isContentError = (error: unknown): boolean => isSlackError(error, ...aboutContent);

/** Whether Slack answered that it did not do it. */
export const isRejected = (error: unknown): boolean =>
  isSlackError(error) && !isSlackError(error, ...brokeDown);

/** Whether Slack refuses for what is asked or for whom: asked again it would say the same. */
export const isPermanentError = (error: unknown): boolean =>
  isRejected(error) && !isSlackError(error, ...aboutApp);
