import type { Operation } from '../../store/operations/operation.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import { section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { createUserNotices } from './user-notices.ts';

/** Returns a function that tells who was told that an operation is unconfirmed how it ended; it is called for the outbox. */
export function createResolvedNotices(
  context: SlackContext,
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>,
): (notice: Notice) => Promise<boolean> {
  const { ledger } = context.store;
  const find = ({ workspaceId, subjectId }: Notice) => ledger.find(workspaceId, { id: subjectId });
  return createUserNotices(
    context,
    async (notice) => {
      const operation = await find(notice);
      return operation === undefined
        ? message(mrkdwn`A message that was unconfirmed has an outcome.`, [
            section(mrkdwn`A message that was unconfirmed has an outcome.`),
          ])
        : asResolved(await contentOf(operation, false));
    },
    async (notice, { channel, ts }) => {
      const operation = await find(notice);
      if (operation !== undefined && ts !== undefined) {
        await ledger.posted(operation, { channel, ts }, 'resolvedMessage').catch((error: unknown) => {
          context.log.warn(
            { err: error, operation: operation.id },
            'an outcome will not be changed in its message',
          );
        });
      }
    },
  );
}

export function asResolved({ text, blocks }: SlackMessage): SlackMessage {
  return { text, blocks: [section(mrkdwn`*This was unconfirmed, and now it is known:*`), ...blocks] };
}
