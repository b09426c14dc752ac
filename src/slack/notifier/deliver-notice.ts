import type { Log } from '../../lib/log.ts';
import { type Attempted, type Notice, unconfirmed } from '../../store/outbox/outbox.ts';
import { context } from '../block-kit/build.ts';
import { clampText, limits } from '../block-kit/limits.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import { channelMention, type Markup, mrkdwn } from '../block-kit/text.ts';
import { MaybePostedError } from '../client/posting.ts';
import {
  isPermanentError,
  isRejected,
  isSlackError,
  notAccepted,
  slackErrorCode,
} from '../client/slack-errors.ts';

const notTakenNow = 'not_taken';
const unreadable = 'content';

/**
 * Delivers a notice: in its channel, else to its user, who is then told why it is not there. What may have been posted
 * in a channel is not posted there again, after a crash either: the user is told that it may stand there. What may have
 * reached the user is said to them again, with words that it may be a repetition. A plain no of Slack to the message to
 * the user ends it, with a line in the log.
 *
 * @returns what is known of it now; undefined where Slack refused it
 * @throws where it is to be tried again
 */
export async function deliverNotice(
  notice: Notice,
  {
    record,
    post,
    log,
  }: {
    /** Writes down what is true if nothing more is heard of an attempt. */
    record: (attempted: Attempted) => Promise<void>;
    /** Posts in a channel or, without one, to the user, with these remarks above. */
    post: (channelId: string | undefined, remarks: readonly Markup[]) => Promise<void>;
    log: Log;
  },
): Promise<Attempted | undefined> {
  const { channelId, channelError, repeated } = notice;
  let known: Attempted = { channelError, repeated };
  if (channelId !== undefined && channelError === undefined) {
    await record({ ...known, channelError: unconfirmed });
    try {
      await post(channelId, []);
      return known;
    } catch (error) {
      if (!(error instanceof MaybePostedError) && !isPermanentError(error)) {
        await record(known);
        throw error;
      }
      known = { ...known, channelError: reasonOf(error) };
    }
  }
  await record({ ...known, repeated: true });
  try {
    await post(undefined, remarksOn({ channelId, ...known }));
    return known;
  } catch (error) {
    if (isPermanentError(error)) {
      const { subject, subjectId } = notice;
      log.warn({ err: error, subject, subjectId }, 'a user cannot be told: the history has it');
      return undefined;
    }
    if (!(error instanceof MaybePostedError)) {
      await record(known);
    }
    throw error;
  }
}

/** What to say above a notice that reaches its user another way than was wanted. */
export function remarksOn({
  channelId,
  channelError,
  repeated,
}: Attempted & Pick<Notice, 'channelId'>): Markup[] {
  return [
    ...(channelId === undefined || channelError === undefined ? [] : [whyMissing(channelId, channelError)]),
    ...(repeated
      ? [mrkdwn`You may have been told this before: Slack did not confirm that it reached you.`]
      : []),
  ];
}

/** Puts remarks above a message, and after its plain text. */
export function withRemarks({ text, blocks }: SlackMessage, remarks: readonly Markup[]): SlackMessage {
  return clampMessage({
    text: clampText([text, ...remarks.map(({ source }) => source)].join('\n'), limits.messageText),
    blocks: [...remarks.map((remark) => context(remark)), ...blocks],
  });
}

/** What to tell a person whose result could not be shown in a channel. */
export function explainNotPosted(channel: string, error: unknown): Markup {
  return whyMissing(channel, reasonOf(error));
}

function reasonOf(error: unknown): string {
  if (isSlackError(error, 'content')) {
    return unreadable;
  }
  const code = slackErrorCode(error);
  if (code !== undefined && isRejected(error)) {
    return code;
  }
  return notAccepted(error) ? notTakenNow : unconfirmed;
}

function whyMissing(channel: string, reason: string): Markup {
  const where = channelMention(channel);
  switch (reason) {
    case 'not_in_channel':
      return mrkdwn`This was to be shown in ${where}, but Switchboard is not in that channel. Type \`/invite @Switchboard\` there for the next time.`;
    case 'channel_not_found':
      return mrkdwn`This was to be shown in a channel that Switchboard cannot see. If it is private, type \`/invite @Switchboard\` there for the next time.`;
    case 'is_archived':
      return mrkdwn`This was to be shown in ${where}, but that channel is archived. Choose another one the next time.`;
    case unreadable:
      return mrkdwn`This was to be shown in ${where}, but Slack did not take the message as it is.`;
    case notTakenNow:
      return mrkdwn`This was to be shown in ${where}, but Slack could not take it just now.`;
    case unconfirmed:
      return mrkdwn`This was to be shown in ${where}, but Slack did not confirm it, so it may or may not stand there.`;
    default:
      return mrkdwn`This was to be shown in ${where}, but Slack did not allow it. Ask an admin whether apps may post there.`;
  }
}
