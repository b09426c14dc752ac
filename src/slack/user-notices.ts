import type { Log } from '../log.ts';
import type { Notice, Outbox } from '../store/outbox.ts';
import type { Message } from './blocks/message.ts';
import { deliverNotice, withRemarks } from './delivery.ts';
import type { Posting } from './posting.ts';

/** Returns what delivers notices that are for their user alone, for the outbox. */
export function createUserNotices({
  posting,
  outbox,
  log,
  contentOf,
}: {
  posting: Posting;
  outbox: Outbox;
  log: Log;
  contentOf: (notice: Notice) => Message | Promise<Message>;
}): (notice: Notice) => Promise<boolean> {
  return (key) =>
    outbox.deliver(key, async (notice) => {
      const content = await contentOf(notice);
      await deliverNotice(notice, {
        record: (attempted) => outbox.record(notice, attempted),
        post: async (_, remarks) => {
          const conversation = await posting.conversationWith(notice.userId);
          await posting.postIn(conversation, withRemarks(content, remarks));
        },
        log,
      });
    });
}
