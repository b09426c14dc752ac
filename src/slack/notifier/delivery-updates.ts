import type { Log } from '../../lib/log.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import { sendWithFallback } from '../client/send-with-fallback.ts';
import { isPermanentError } from '../client/slack-errors.ts';
import type { WorkspaceClients } from '../client/workspace-clients.ts';

/**
 * Returns a function that changes the message of an operation where more is known of what became of it. It is called for
 * the outbox, and may be repeated. A message that is gone stays so.
 */
export function createDeliveryUpdates(options: {
  clients: WorkspaceClients;
  ledger: Pick<Ledger, 'find'>;
  outbox: Outbox;
  /** Renders the outcome as it was posted in a channel, or for its user. */
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>;
  log: Log;
}): (notice: Notice) => Promise<boolean> {
  const { clients, ledger, outbox, contentOf, log } = options;
  return (key) =>
    outbox.deliver(key, async ({ workspaceId, subjectId }) => {
      const operation = await ledger.find(workspaceId, { id: subjectId });
      if (operation?.message === undefined) {
        return;
      }
      const { channel, ts } = operation.message;
      const content = await contentOf(operation, channel === operation.channelId);
      const client = await clients.for(workspaceId);
      try {
        await sendWithFallback(content, (attempt) => client.chat.update({ channel, ts, ...attempt }), log);
      } catch (error) {
        if (!isPermanentError(error)) {
          throw error;
        }
        log.warn(
          { err: error, operation: subjectId },
          'a message could not be changed: the history has the rest',
        );
      }
    });
}
