import type { Log } from '../../lib/log.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import { section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import { createUserNotices } from './user-notices.ts';

/** Returns a function that tells who was told that an operation is unconfirmed how it ended; it is called for the outbox. */
export function createResolvedNotices({
  ledger,
  contentOf,
  ...options
}: {
  ledger: Pick<Ledger, 'find' | 'posted'>;
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>;
  posting: Posting;
  outbox: Outbox;
  log: Log;
}): (notice: Notice) => Promise<boolean> {
  const find = ({ workspaceId, subjectId }: Notice) => ledger.find(workspaceId, { id: subjectId });
  return createUserNotices({
    ...options,
    async contentOf(notice) {
      const operation = await find(notice);
      return operation === undefined
        ? message(mrkdwn`A message that was unconfirmed has an outcome.`, [
            section(mrkdwn`A message that was unconfirmed has an outcome.`),
          ])
        : asResolved(await contentOf(operation, false));
    },
    async posted(notice, { channel, ts }) {
      const operation = await find(notice);
      if (operation !== undefined && ts !== undefined) {
        await ledger.posted(operation, { channel, ts }, 'resolvedMessage').catch((error: unknown) => {
          options.log.warn(
            { err: error, operation: operation.id },
            'an outcome will not be changed in its message',
          );
        });
      }
    },
  });
}

export function asResolved({ text, blocks }: SlackMessage): SlackMessage {
  return { text, blocks: [section(mrkdwn`*This was unconfirmed, and now it is known:*`), ...blocks] };
}
