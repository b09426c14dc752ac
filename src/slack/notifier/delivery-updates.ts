import type { Operation, ShownMessage } from '../../store/operations/operation.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import type { MessageBlock, SlackMessage } from '../block-kit/message.ts';
import { channelMention, mrkdwn } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { updateMessage } from '../client/update-message.ts';
import { withRemarks } from './deliver-notice.ts';
import { asResolved } from './resolved-message.ts';

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
