import type { StopAnswer } from './answer-words.ts';

/** When a STOP or START was sent, by the provider's clock, and received, by ours. */
export interface AnswerTimes {
  /** Undefined if the provider gave no time, or one in an unknown zone. */
  sentAt: Date | undefined;
  receivedAt: Date;
}

/** What is stored about a number when it sends STOP or START. */
export interface AnswersBefore {
  isListed: boolean;
  /** When its latest STOP and START were sent, see `timeOfAnswer`. */
  lastStop: Date | undefined;
  lastStart: Date | undefined;
  /** When something else last put it on the list, by our clock. */
  listedAt: Date | undefined;
}

/**
 * What to do about a STOP or START:
 *
 * - `list`, `remove`: put the number on the list, or take it off;
 * - `ask`: a person has to decide, because it isn't known when the START was sent;
 * - `nothing`: the number already has that state, or something later overrides it.
 */
export type AnswerDecision = 'list' | 'remove' | 'ask' | 'nothing';

/**
 * Returns the time that a STOP or START counts from. Never later than its arrival, because the provider's
 * clock may be ahead. A STOP without a time counts from its arrival; a START without one has no time.
 */
export function timeOfAnswer(answer: StopAnswer, { sentAt, receivedAt }: AnswerTimes): Date | undefined {
  if (sentAt === undefined) {
    return answer === 'stop' ? receivedAt : undefined;
  }
  return sentAt < receivedAt ? sentAt : receivedAt;
}

/**
 * Decides what a STOP or START does. Reports may arrive late, so the result is the same in any order: the
 * latest wins. If two have the same time, the number stays opted out.
 */
export function decideAnswer(
  answer: StopAnswer,
  times: AnswerTimes,
  { isListed, lastStop, lastStart, listedAt }: AnswersBefore,
): AnswerDecision {
  const at = timeOfAnswer(answer, times);
  if (answer === 'stop') {
    // Without a time, it's never known to be older.
    const isLatest = times.sentAt === undefined || (isAfter(at, lastStop) && !isAfter(lastStart, at));
    return isLatest && !isListed ? 'list' : 'nothing';
  }
  if (!isListed) {
    return 'nothing';
  }
  if (at === undefined) {
    return 'ask';
  }
  return [lastStop, lastStart, listedAt].every((other) => isAfter(at, other)) ? 'remove' : 'nothing';
}

/** Whether a time is after another one, or there is no other. */
function isAfter(time: Date | undefined, other: Date | undefined): boolean {
  return time !== undefined && (other === undefined || time > other);
}
