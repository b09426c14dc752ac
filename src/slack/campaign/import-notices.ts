import type { Log } from '../../log.ts';
import type { Notice, Outbox } from '../../store/outbox.ts';
import { actions, button, section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { mrkdwn } from '../blocks/text.ts';
import { deliverNotice, withRemarks } from '../delivery.ts';
import type { Posting } from '../posting.ts';
import { openBulkAction } from './action-ids.ts';

/** Returns what tells a user that their recipients were not read to their end, for the outbox. */
export function createImportNotices({
  posting,
  outbox,
  log,
}: {
  posting: Posting;
  outbox: Outbox;
  log: Log;
}): (notice: Notice) => Promise<boolean> {
  return (key) =>
    outbox.deliver(key, async (notice) => {
      await deliverNotice(notice, {
        record: (attempted) => outbox.record(notice, attempted),
        post: async (_, remarks) => {
          const conversation = await posting.conversationWith(notice.userId);
          await posting.postIn(conversation, withRemarks(brokenOff(notice), remarks));
        },
        log,
      });
    });
}

function brokenOff({ title = '' }: Notice): Message {
  const text = mrkdwn`:warning: *The recipients of ${title} were not read to the end*, because Switchboard stopped meanwhile. Nothing was sent. Start again.`;
  return message(text, [section(text), actions('import', button(openBulkAction, 'Send to many'))]);
}
