import type { Log } from '../../lib/log.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import type { Posting } from '../client/posting.ts';
import { deliverNotice, withRemarks } from './deliver-notice.ts';

/** Returns a function that delivers a notice in its channel, or without one to its user; it is called for the outbox. */
export function createUserNotices(options: {
  posting: Posting;
  outbox: Outbox;
  log: Log;
  contentOf: (notice: Notice) => SlackMessage | Promise<SlackMessage>;
  /** Called with where a notice was posted. */
  posted?: (notice: Notice, message: { channel: string; ts?: string | undefined }) => Promise<void>;
}): (notice: Notice) => Promise<boolean> {
  const { posting, outbox, log, contentOf, posted } = options;
  return (key) =>
    outbox.deliver(key, async (notice) => {
      const content = await contentOf(notice);
      await deliverNotice(notice, {
        record: (attempted) => outbox.record(notice, attempted),
        post: async (channelId, remarks) => {
          const { workspaceId, userId } = notice;
          const place = channelId ?? (await posting.openConversation(workspaceId, userId));
          const message = await posting.postMessage(workspaceId, place, withRemarks(content, remarks));
          await posted?.(notice, message);
        },
        log,
      });
    });
}
