import type { Log } from '../../lib/log.ts';
import type { Services } from '../../services/services.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import { quotation } from '../block-kit/build.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { rememberPosition } from './later-outcomes.ts';
import { deliverNotice, describeNotPosted, withRemarks } from './notices.ts';
import { messageFor, type OutcomeContext, type OutcomeRenderers, readOutcome } from './outcome.ts';

export interface OutcomePost {
  /** False if it was posted before, another instance delivers it, it has to wait, or Slack takes it nowhere. */
  postedHere: boolean;
  /** Why it went to the user, and not to the channel it was for. */
  notPosted?: Markup | undefined;
}

export type OutcomeNotifier = ReturnType<typeof createOutcomeNotifier>;

/** Replaced in tests. */
interface NotifierContext extends OutcomeContext, Pick<SlackContext, 'posting' | 'log'> {
  services: OutcomeContext['services'] & {
    /** The threads of numbers, where the outcomes of what answers there are posted. */
    replies: Pick<Services['replies'], 'answered' | 'answerText'>;
  };
}

/** `isFixed`: see `ShownOutcome`. */
type ContentOf = (operation: Operation, isChannel: boolean, isFixed?: boolean) => Promise<SlackMessage>;
type Show = (content: SlackMessage) => Promise<void>;

export function createOutcomeNotifier(context: NotifierContext, outcomeRenderers: OutcomeRenderers) {
  const {
    posting,
    store: { ledger, outbox },
    log,
  } = context;
  /** Renders an outcome with what became of its messages. */
  const render: ContentOf = (operation, isChannel, isFixed = false) =>
    contentOf(context, outcomeRenderers, operation, { isChannel, isFixed });

  /**
   * Delivers the outcome of an operation once: in the chosen channel, or else by `show` where the user is, or else as a
   * direct message. If the channel cannot be posted to, the user gets the outcome with what to do about it.
   */
  async function notify(operation: Operation, show?: Show): Promise<OutcomePost> {
    const { id: subjectId, workspaceId } = operation;
    try {
      let delivery: OutcomePost = { postedHere: false };
      await outbox.deliver({ workspaceId, subject: 'operation', subjectId }, async (notice) => {
        delivery = await deliverOutcome(context, operation, { notice, show, render });
      });
      return delivery;
    } catch (error) {
      log.error({ err: error, operation: subjectId }, 'an outcome could not be delivered yet');
      return { postedHere: false };
    }
  }

  return {
    notify,
    contentOf: render,
    /** As `notify`, for the outbox. */
    async deliver(notice: Notice): Promise<void> {
      const operation = await ledger.find(notice.workspaceId, { id: notice.subjectId });
      if (operation !== undefined) {
        await notify(operation);
      }
    },
    /** Sends a user a direct message from the app. */
    async sendMessage(workspaceId: string, userId: string, content: SlackMessage): Promise<void> {
      await sendMessage(posting, { workspaceId, userId }, content);
    },
  };
}

/** Delivers an outcome in its channel, to the user where they are, or as a direct message. */
async function deliverOutcome(
  context: NotifierContext,
  known: Operation,
  options: { notice: Notice; show: Show | undefined; render: ContentOf },
): Promise<OutcomePost> {
  const { posting, services, store, log } = context;
  const { notice, show, render } = options;
  const { state: knownState, workspaceId, id } = known;
  // It may have ended, or turned out to be accepted, before its notice was taken for this delivery.
  const mayHaveChanged = knownState === 'unconfirmed' || knownState === 'underway';
  const found = mayHaveChanged ? await store.ledger.find(workspaceId, { id }) : undefined;
  const operation = found ?? known;
  const state = await deliverNotice(context, notice, async (channelId, remarks) => {
    if (channelId !== undefined) {
      const content = await render(operation, true);
      const head = await services.replies.answered(operation);
      const thread = head?.channel === channelId ? { ts: head.ts } : undefined;
      await rememberPosition(
        context,
        { notice, operation },
        await posting.postMessage(workspaceId, channelId, content, thread),
      );
      return;
    }
    const isShown =
      notice.channelId === undefined &&
      show !== undefined &&
      (await tryShow(show, await render(operation, false, true), operation, log));
    if (!isShown) {
      const content = withRemarks(await render(operation, false), remarks);
      const posted = await sendMessage(posting, operation, content);
      await rememberPosition(context, { notice, operation }, posted);
    }
  });
  const { channelId } = notice;
  if (state === undefined || channelId === undefined || state.channelProblem === undefined) {
    return { postedHere: state !== undefined };
  }
  return { postedHere: true, notPosted: describeNotPosted(channelId, state.channelProblem) };
}

async function contentOf(
  context: NotifierContext,
  outcomeRenderers: OutcomeRenderers,
  operation: Operation,
  { isChannel, isFixed }: { isChannel: boolean; isFixed: boolean },
): Promise<SlackMessage> {
  const describe = outcomeRenderers[operation.kind];
  if (describe === undefined) {
    throw new Error(`no renderer for operations of the kind ${operation.kind}`);
  }
  const outcome = await readOutcome(context, operation, isChannel ? 'channel' : 'user');
  const shown = messageFor(outcome, describe({ ...outcome, isFixed }));
  // Readers of a thread see both sides of the conversation.
  const answer = isChannel ? await context.services.replies.answerText(operation) : undefined;
  return answer === undefined
    ? shown
    : clampMessage({ ...shown, blocks: [quotation(answer), ...shown.blocks] });
}

async function tryShow(show: Show, content: SlackMessage, operation: Operation, log: Log): Promise<boolean> {
  try {
    await show(content);
    return true;
  } catch (error) {
    log.warn({ err: error, operation: operation.id }, 'an outcome is sent as a direct message instead');
    return false;
  }
}

async function sendMessage(
  posting: Posting,
  { workspaceId, userId }: Pick<Operation, 'workspaceId' | 'userId'>,
  content: SlackMessage,
): Promise<{ channel: string; ts?: string | undefined }> {
  return posting.postMessage(workspaceId, await posting.openConversation(workspaceId, userId), content);
}
