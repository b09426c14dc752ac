import {
  type DeliveryState,
  type Notice,
  type NoticeKey,
  noticeName,
  unconfirmedDelivery,
} from '../../store/outbox/notices.ts';
import type { NoticeSubject } from '../../store/schema/approvals.ts';
import { context } from '../block-kit/build.ts';
import { clampText, limits } from '../block-kit/limits.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import { channelMention, type Markup, mrkdwn } from '../block-kit/text.ts';
import { MaybePostedError, type PostPlace, placeOfNotice } from '../client/posting.ts';
import type { SlackContext } from '../client/slack-context.ts';
import {
  isPermanentError,
  isRejected,
  isSlackError,
  notAccepted,
  slackErrorCode,
} from '../client/slack-errors.ts';

/** Reasons that are no error code of Slack; stored in the outbox. */
const notTakenNow = 'not_taken';
const unreadable = 'content';

/**
 * Delivers a notice in its channel, or else to its user with the reason it is not there. A notice that may have been
 * posted in a channel is not posted there again, even after a crash: the user is told that it may be there. One that may
 * have reached the user is sent to them again, marked as a possible repetition. If Slack rejects the message to the user
 * for good, the notice ends with a log line.
 *
 * @returns the known outcome of the attempt; undefined if Slack rejected it for good
 * @throws if it is to be retried
 */
export async function deliverNotice(
  { store, log }: Pick<SlackContext, 'store' | 'log'>,
  notice: Notice,
  /** Posts in a channel or, without one, to the user, with these remarks above. */
  post: (channel: PostPlace | undefined, remarks: readonly Markup[]) => Promise<void>,
): Promise<DeliveryState | undefined> {
  const { channelId, channelProblem, repeated } = notice;
  /** Stores the state that holds if the program stops before the attempt ends. */
  const record = (attempted: DeliveryState) => store.outbox.record(notice, attempted);
  let known: DeliveryState = { channelProblem, repeated };
  if (channelId !== undefined && channelProblem === undefined) {
    await record({ ...known, channelProblem: unconfirmedDelivery });
    try {
      await post(placeOfNotice(channelId), []);
      return known;
    } catch (error) {
      if (!(error instanceof MaybePostedError) && !isPermanentError(error)) {
        await record(known);
        throw error;
      }
      known = { ...known, channelProblem: reasonOf(error) };
    }
  }
  await record({ ...known, repeated: true });
  try {
    await post(undefined, remarksOn({ channelId, ...known }));
    return known;
  } catch (error) {
    if (isPermanentError(error)) {
      const { subject, subjectId } = notice;
      log.warn(
        { err: error, subject, subjectId },
        'a user could not be notified: what it was about is stored',
      );
      return undefined;
    }
    if (!(error instanceof MaybePostedError)) {
      await record(known);
    }
    throw error;
  }
}

/** Returns the remarks above a notice that reaches its user in another way than was wanted. */
export function remarksOn({
  channelId,
  channelProblem,
  repeated,
}: DeliveryState & Pick<Notice, 'channelId'>): Markup[] {
  return [
    ...(channelId === undefined || channelProblem === undefined
      ? []
      : [describeNotPosted(channelId, channelProblem)]),
    ...(repeated ? [mrkdwn`You may have this message already: Slack didn’t confirm the first one.`] : []),
  ];
}

/** Adds remarks above a message's blocks, and after its plain text. */
export function withRemarks(content: SlackMessage, remarks: readonly Markup[]): SlackMessage {
  return clampMessage({
    ...content,
    text: clampText([content.text, ...remarks.map(({ source }) => source)].join('\n'), limits.messageText),
    blocks: [...remarks.map((remark) => context(remark)), ...content.blocks],
  });
}

function reasonOf(error: unknown): string {
  if (isSlackError(error, 'content')) {
    return unreadable;
  }
  const code = slackErrorCode(error);
  if (code !== undefined && isRejected(error)) {
    return code;
  }
  return notAccepted(error) ? notTakenNow : unconfirmedDelivery;
}

/** @param reason as the outbox has it */
export function describeNotPosted(channel: string, reason: string): Markup {
  const where = channelMention(channel);
  switch (reason) {
    case 'not_in_channel':
      return mrkdwn`Not posted: Switchboard isn’t in ${where}. Type \`/invite @Switchboard\` there for next time.`;
    case 'channel_not_found':
      return mrkdwn`Not posted: Switchboard can’t see the channel. If the channel is private, type \`/invite @Switchboard\` there for next time.`;
    case 'missing_scope':
      return mrkdwn`Not posted: Slack doesn’t let Switchboard post. An admin can allow it: Switchboard’s Home says how.`;
    case 'is_archived':
      return mrkdwn`Not posted: ${where} is archived. Choose another channel next time.`;
    case unreadable:
      return mrkdwn`Not posted in ${where}: Slack rejected the message.`;
    case notTakenNow:
      return mrkdwn`Not posted in ${where}: Slack wasn’t available.`;
    case unconfirmedDelivery:
      return mrkdwn`This may be in ${where} too: Slack didn’t confirm the post.`;
    default:
      return mrkdwn`Not posted: Slack doesn’t let Switchboard post in ${where}. Ask an admin whether apps may post there.`;
  }
}

/**
 * Returns a function that delivers a notice in its channel, or to its user if it names no channel. The outbox calls
 * it. Without content, no message is sent.
 */
export function createUserNotices(
  context: Pick<SlackContext, 'posting' | 'store' | 'log'>,
  contentOf: (notice: Notice) => SlackMessage | undefined | Promise<SlackMessage | undefined>,
  /** Called with where a notice was posted. */
  posted?: (notice: Notice, message: { channel: string; ts?: string | undefined }) => Promise<void>,
): (notice: NoticeKey) => Promise<unknown> {
  const { posting, store } = context;
  return (key) =>
    store.outbox.deliver(key, async (notice) => {
      const content = await contentOf(notice);
      if (content === undefined) {
        return;
      }
      await deliverNotice(context, notice, async (channelId, remarks) => {
        const { workspaceId, userId } = notice;
        const destination = channelId ?? (await posting.openConversation(workspaceId, userId));
        const message = await posting.postMessage(workspaceId, destination, withRemarks(content, remarks));
        await posted?.(notice, message);
      });
    });
}

/** Several at a time, so that a user or channel for which Slack is slow delays only some of the others. */
const concurrency = 4;

/**
 * Returns a function that delivers all notices that are due, after a crash or after Slack was out of reach. Each is
 * attempted once a call. Once `signal` is aborted, the rest is left to the next call.
 */
export function createNotifier(
  { store: { outbox }, log }: Pick<SlackContext, 'store' | 'log'>,
  /** Delivers a notice of each subject, through `Outbox.deliver`. */
  deliver: Readonly<Record<NoticeSubject, (notice: Notice) => Promise<unknown>>>,
): (signal?: AbortSignal) => Promise<void> {
  return async (signal) => {
    const attempted = new Set<string>();
    const inFlight = new Set<Promise<unknown>>();
    for (;;) {
      const notice = signal?.aborted ? undefined : await outbox.next(attempted);
      if (notice === undefined) {
        break;
      }
      attempted.add(noticeName(notice));
      const { subject, subjectId } = notice;
      const delivery = deliver[subject](notice)
        .catch((error: unknown) =>
          log.error({ err: error, subject, subjectId }, 'a notice could not be delivered yet'),
        )
        .finally(() => inFlight.delete(delivery));
      inFlight.add(delivery);
      if (inFlight.size >= concurrency) {
        await Promise.race(inFlight);
      }
    }
    await Promise.all(inFlight);
  };
}
