import type { Notice } from '../../store/outbox/notices.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { deliverNotice, withRemarks } from './deliver-notice.ts';

/** Returns a function that delivers a notice in its channel, or without one to its user; it is called for the outbox. */
export function createUserNotices(
  context: SlackContext,
  contentOf: (notice: Notice) => SlackMessage | Promise<SlackMessage>,
  /** Called with where a notice was posted. */
  posted?: (notice: Notice, message: { channel: string; ts?: string | undefined }) => Promise<void>,
): (notice: Notice) => Promise<boolean> {
  const { posting, store } = context;
  return (key) =>
    store.outbox.deliver(key, async (notice) => {
      const content = await contentOf(notice);
      await deliverNotice(context, notice, async (channelId, remarks) => {
        const { workspaceId, userId } = notice;
        const place = channelId ?? (await posting.openConversation(workspaceId, userId));
        const message = await posting.postMessage(workspaceId, place, withRemarks(content, remarks));
        await posted?.(notice, message);
      });
    });
}
