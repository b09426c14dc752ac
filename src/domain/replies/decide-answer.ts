import type { StopAnswer } from './stop-words.ts';

/** When a stop or a start was written, by the provider’s time, and when it came, by ours. */
export interface AnswerTimes {
  /** Undefined where the provider names no time, or none whose zone is known. */
  sentAt: Date | undefined;
  receivedAt: Date;
}

/** What is stored about a number when it sends STOP or START. */
export interface AnswersBefore {
  isListed: boolean;
  /** When its latest stop and start were, see `timeOfAnswer`. */
  lastStop: Date | undefined;
  lastStart: Date | undefined;
  /** When something else put it on the list it is on, by our own clock, the last time. */
  listedAt: Date | undefined;
}

/**
 * What is to be done for a stop or a start:
 * - `list`, `remove`: the number goes on the list, or off it;
 * - `ask`: a person has to decide, as it isn’t known when the start was written;
 * - `nothing`: the number is where the answer wants it, or something later decided otherwise.
 */
export type AnswerDecision = 'list' | 'remove' | 'ask' | 'nothing';

/**
 * Returns when a stop or a start counts as written: a time later than the arrival counts as the arrival, by the clock of
 * somebody else. A stop without a time counts from its arrival; of a start without one nothing is known.
 */
export function timeOfAnswer(answer: StopAnswer, { sentAt, receivedAt }: AnswerTimes): Date | undefined {
  if (sentAt === undefined) {
    return answer === 'stop' ? receivedAt : undefined;
  }
  return sentAt < receivedAt ? sentAt : receivedAt;
}

/**
 * Decides what a stop or a start does. The provider may report an old one late, so all orders in which the same ones arrive end
 * the same: with the latest. Where two have one time, no message is sent rather than one too many.
 */
export function decideAnswer(
  answer: StopAnswer,
  times: AnswerTimes,
  { isListed, lastStop, lastStart, listedAt }: AnswersBefore,
): AnswerDecision {
  const at = timeOfAnswer(answer, times);
  if (answer === 'stop') {
    // One without a time is never known to be older.
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
