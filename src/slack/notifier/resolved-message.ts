import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { Notice } from '../../store/outbox/outbox.ts';
import { section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';

/** Returns a function that tells who was told that an operation is unconfirmed how it ended. */
export function createResolvedMessage(options: {
  ledger: Pick<Ledger, 'find'>;
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>;
}): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const operation = await options.ledger.find(workspaceId, { id: subjectId });
    const remark = section(mrkdwn`*This was unconfirmed, and now it is known:*`);
    if (operation === undefined) {
      return message(mrkdwn`A message that was unconfirmed has an outcome.`, [
        section(mrkdwn`A message that was unconfirmed has an outcome.`),
      ]);
    }
    const { text, blocks } = await options.contentOf(operation, false);
    return { text, blocks: [remark, ...blocks] };
  };
}
