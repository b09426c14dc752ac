import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { type ExtraWords, readStopAnswer, type StopAnswer } from '../../domain/replies/stop-words.ts';
import { withOrigin } from '../../lib/request-origin.ts';
import type { SuppressionService } from './suppression-list.ts';

/** A message that came in. */
export interface IncomingReply {
  /** E.164: `+2348031234567` */
  from: string;
  text: string;
  /** As the provider reports times, see `readReportedTime`. */
  sentAt: Date | undefined;
  /** See `replyIdentity`. */
  identity: string;
}

/** What a reply asked for; undefined where it is for a person. */
export type AnsweredReply =
  | { answer: StopAnswer /** Whether the number is on the list for this very reply. */; isListed: boolean }
  | undefined;

/**
 * Does what a reply asks for that stops messages, or takes them up again. Resolves once that is stored. Other replies change
 * nothing.
 */
export type AnswerReply = (workspaceId: string, reply: IncomingReply) => Promise<AnsweredReply>;

/**
 * A stop puts the number on the suppression list, and a start takes it off, in the order in which they were written: the
 * provider may send an old reply again, or late.
 *
 * @param extraWords returns what means a stop or a start in a workspace besides the usual words
 */
export function createReplyAnswers({
  suppressionList,
  extraWords,
}: {
  suppressionList: Pick<SuppressionService, 'answer'>;
  extraWords: (workspaceId: string) => Promise<ExtraWords>;
}): AnswerReply {
  return async (workspaceId, { from, text, sentAt, identity }) => {
    const { data: number } = phoneNumberSchema.safeParse(from);
    const answer = readStopAnswer(text, await extraWords(workspaceId));
    if (number === undefined || answer === undefined) {
      return undefined;
    }
    const isListed = await withOrigin({ surface: 'reply' }, () =>
      suppressionList.answer({ workspaceId, number, answer, sentAt, identity }),
    );
    return { answer, isListed };
  };
}
