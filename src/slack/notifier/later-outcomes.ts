import type { Operation, ShownMessage } from '../../store/operations/operation.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import { section } from '../block-kit/build.ts';
import { type MessageBlock, message, type SlackMessage } from '../block-kit/message.ts';
import { channelMention, mrkdwn } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { updateMessage } from '../client/update-message.ts';
import { createUserNotices, withRemarks } from './notices.ts';

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

function asResolved({ text, blocks }: SlackMessage): SlackMessage {
  return { text, blocks: [section(mrkdwn`*This was unconfirmed, and now it is known:*`), ...blocks] };
}

/**
 * Returns a function that changes the messages of an operation where more is known of what became of it. It is called for
 * the outbox, and may be repeated. A message that is gone stays so.
 */
export function createDeliveryUpdates(
  context: SlackContext,
  /** Renders the outcome as it was posted in a channel, or for its user. */
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>,
): (notice: Notice) => Promise<boolean> {
  const { ledger, outbox } = context.store;

  async function change(
    { id, workspaceId }: Operation,
    message: ShownMessage,
    content: SlackMessage<MessageBlock>,
  ): Promise<void> {
    if (!(await updateMessage(context, workspaceId, message, content))) {
      context.log.warn({ operation: id }, 'a message could not be changed: the history has the rest');
    }
  }

  return (key) =>
    outbox.deliver(key, async ({ workspaceId, subjectId }) => {
      const operation = await ledger.find(workspaceId, { id: subjectId });
      if (operation?.message !== undefined) {
        const { channelId, message } = operation;
        const isChannel = message.channel === channelId;
        const remarks =
          isChannel || channelId === undefined
            ? []
            : [mrkdwn`This is for ${channelMention(channelId)}, and may be missing there.`];
        await change(operation, message, withRemarks(await contentOf(operation, isChannel), remarks));
      }
      if (operation?.resolvedMessage !== undefined) {
        await change(operation, operation.resolvedMessage, asResolved(await contentOf(operation, false)));
      }
    });
}
