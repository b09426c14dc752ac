import type { Log } from '../../lib/log.ts';
import { type MessageBlock, type SlackMessage, withoutNewBlocks } from '../block-kit/message.ts';
import { isSlackError } from './slack-errors.ts';

/**
 * Posts or updates a message by `send`. Where Slack rejects its blocks, it is sent without those that Slack has not
 * everywhere yet, and then as plain text: `blocks` is empty.
 */
export async function sendWithFallback<T>(
  content: SlackMessage<MessageBlock>,
  send: (content: SlackMessage<MessageBlock>) => Promise<T>,
  log: Log,
): Promise<T> {
  const known = withoutNewBlocks(content);
  for (const attempt of known === undefined ? [content] : [content, known]) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!isSlackError(error, 'content')) {
        throw error;
      }
      if (attempt === content && known !== undefined) {
        log.debug(
          { err: error },
          'Slack rejects the blocks of a message: it is sent without the newest ones',
        );
      } else {
        log.error({ err: error }, 'Slack rejects the blocks of a message: it is sent as plain text');
      }
    }
  }
  return send({ text: content.text, blocks: [] });
}
