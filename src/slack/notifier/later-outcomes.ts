import { mayHaveForgotten } from '../../store/operations/code-trail.ts';
import type { Operation, ShownMessage } from '../../store/operations/operation.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import { section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { channelMention, mrkdwn } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { updateMessage } from '../client/update-message.ts';
import { createUserNotices, deliverNotice, withRemarks } from './notices.ts';

/** Returns a function that tells who was told that an operation is unconfirmed how it ended; it is called for the outbox. */
export function createResolvedNotices(
  context: SlackContext,
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>,
): (notice: Notice) => Promise<unknown> {
  const { ledger } = context.store;
  const find = ({ workspaceId, subjectId }: Notice) => ledger.find(workspaceId, { id: subjectId });
  return createUserNotices(
    context,
    async (notice) => {
      const operation = await find(notice);
      return operation === undefined
        ? message(mrkdwn`An unconfirmed message now has an outcome.`)
        : asResolved(await contentOf(operation, false));
    },
    async (notice, position) => {
      const operation = await find(notice);
      if (operation !== undefined) {
        await rememberPosition(context, { notice, operation }, position, 'resolvedMessage');
      }
    },
  );
}

function asResolved(content: SlackMessage): SlackMessage {
  return { ...content, blocks: [section(mrkdwn`*Update on an unconfirmed message:*`), ...content.blocks] };
}

/**
 * Returns a function that changes the messages of an operation where more is known of what became of it. It is called for
 * the outbox, and may be repeated. A message that is gone stays so. Where the outcome was shown in a place that can't be
 * changed later, as below a typed command, the user gets one message, which later reports change.
 */
export function createDeliveryUpdates(
  context: SlackContext,
  /** Renders the outcome as its user or its channel reads it. */
  contentOf: (operation: Operation, isChannel: boolean) => Promise<SlackMessage>,
): (notice: Notice) => Promise<unknown> {
  const { posting, store } = context;
  const { installation, ledger, outbox } = store;

  async function change(
    { id, workspaceId }: Operation,
    message: ShownMessage,
    content: SlackMessage,
  ): Promise<void> {
    if (!(await updateMessage(context, workspaceId, message, content))) {
      context.log.warn({ operation: id }, 'a message could not be updated: its outcome is in the history');
    }
  }

  async function tellUser(notice: Notice, operation: Operation): Promise<void> {
    const { workspaceId, userId } = operation;
    const content = await contentOf(operation, false);
    await deliverNotice(context, { ...notice, channelId: undefined }, async (_, remarks) => {
      const channel = await posting.openConversation(workspaceId, userId);
      const posted = await posting.postMessage(workspaceId, channel, withRemarks(content, remarks));
      await rememberPosition(context, { notice, operation }, posted);
    });
  }

  return (key) =>
    outbox.deliver(key, async (notice) => {
      const { workspaceId, subjectId } = notice;
      const operation = await ledger.find(workspaceId, { id: subjectId });
      if (operation === undefined) {
        return;
      }
      const { message, resolvedMessage, resolvedFrom, channelId } = operation;
      const isShown = message !== undefined || resolvedMessage !== undefined;
      if (isShown && mayHaveForgotten(operation, installation.restoredAt)) {
        return;
      }
      // A user who was told that it is unconfirmed gets another message with the outcome.
      if (!isShown && resolvedFrom === undefined) {
        await tellUser(notice, operation);
      }
      if (message !== undefined) {
        const isChannel = message.channel === channelId;
        const remarks =
          isChannel || channelId === undefined
            ? []
            : [mrkdwn`This was meant for ${channelMention(channelId)}, and may be missing there.`];
        await change(operation, message, withRemarks(await contentOf(operation, isChannel), remarks));
      }
      if (resolvedMessage !== undefined) {
        await change(operation, resolvedMessage, asResolved(await contentOf(operation, false)));
      }
    });
}

/** Has a message that shows an operation changed when more is known. */
export async function rememberPosition(
  { store: { ledger, outbox } }: Pick<SlackContext, 'store'>,
  { notice, operation }: { notice: Notice; operation: Operation },
  { channel, ts }: { channel: string; ts?: string | undefined },
  as?: 'resolvedMessage',
): Promise<void> {
  if (ts !== undefined) {
    await outbox.posted(notice, () => ledger.posted(operation, { channel, ts }, as));
  }
}
