import { earliestOfReported } from '../../domain/deliveries/reported-time.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { readStopAnswer, type StopAnswer } from '../../domain/replies/stop-words.ts';
import { withOrigin } from '../../lib/request-origin.ts';
import type { SuppressedNumber, SuppressionService } from './suppression-list.ts';

/** A message that came in. */
export interface IncomingReply {
  /** E.164: `+2348031234567` */
  from: string;
  text: string;
  /** As the provider reports times, see `readReportedTime`. */
  sentAt: Date | undefined;
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
 * A stop puts the number on the suppression list. A start takes it off only where it is known to be the later of the two:
 * the provider may send an old reply again, or late.
 *
 * @param extraWords what means a stop or a start besides the usual words
 */
export function createReplyAnswers({
  suppressionList,
  extraWords,
}: {
  suppressionList: Pick<SuppressionService, 'add' | 'find' | 'remove'>;
  extraWords: Readonly<Record<StopAnswer, readonly string[]>> | undefined;
}): AnswerReply {
  async function stop(workspaceId: string, number: PhoneNumber, sentAt: Date | undefined): Promise<boolean> {
    const entry = (await suppressionList.find(workspaceId, [number])).get(number);
    if (entry !== undefined) {
      // The provider may report the same reply again.
      return entry.source?.kind === 'reply' && entry.source.sentAt === sentAt?.getTime();
    }
    const source = { kind: 'reply' as const, ...(sentAt && { sentAt: sentAt.getTime() }) };
    const { added } = await suppressionList.add({ workspaceId, numbers: [number], source });
    return added === 1;
  }

  async function start(workspaceId: string, number: PhoneNumber, sentAt: Date | undefined): Promise<false> {
    const entry = (await suppressionList.find(workspaceId, [number])).get(number);
    if (entry !== undefined && sentAt !== undefined && isLater(sentAt, entry)) {
      await suppressionList.remove(workspaceId, [number]);
    }
    return false;
  }

  return async (workspaceId, { from, text, sentAt }) => {
    const { data: number } = phoneNumberSchema.safeParse(from);
    const answer = readStopAnswer(text, extraWords);
    if (number === undefined || answer === undefined) {
      return undefined;
    }
    const answerWith = answer === 'stop' ? stop : start;
    const isListed = await withOrigin({ surface: 'reply' }, () => answerWith(workspaceId, number, sentAt));
    return { answer, isListed };
  };
}

/** Two replies have times of one clock. Any other entry has our own time, and the provider’s zone is not known. */
function isLater(sentAt: Date, { createdAt, source }: SuppressedNumber): boolean {
  return source?.kind === 'reply' && source.sentAt !== undefined
    ? sentAt.getTime() > source.sentAt
    : earliestOfReported(sentAt) > createdAt;
}
