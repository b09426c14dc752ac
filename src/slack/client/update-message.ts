import { forReaders, type SlackMessage } from '../block-kit/message.ts';
import { readersOf, sendWithFallback } from './posting.ts';
import type { SlackContext } from './slack-context.ts';
import { isPermanentError } from './slack-errors.ts';

/** Updates a message. Resolves with false if the message or its channel is gone. Throws if it is to be tried again. */
export async function updateMessage(
  { clients, log }: Pick<SlackContext, 'clients' | 'log'>,
  workspaceId: string,
  { channel, ts }: { channel: string; ts: string },
  content: SlackMessage,
): Promise<boolean> {
  const client = await clients.for(workspaceId);
  try {
    await sendWithFallback(
      forReaders(readersOf(channel), content),
      (attempt) => client.chat.update({ channel, ts, ...attempt }),
      log,
    );
    return true;
  } catch (error) {
    if (!isPermanentError(error)) {
      throw error;
    }
    log.info({ err: error }, 'a message in Slack could not be changed');
    return false;
  }
}
