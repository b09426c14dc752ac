import { earliestOfReported } from '../deliveries/reported-time.ts';
import type { StopAnswer } from './stop-words.ts';

/** What is known of a number when a stop or a start of it comes in. */
export interface AnswersBefore {
  /** The latest times of its stops and starts, by the provider’s clock. */
  lastStop: Date | undefined;
  lastStart: Date | undefined;
  /** When something else put it on the list it is on, by our own clock, the last time. */
  listedAt: Date | undefined;
}

/**
 * Decides whether a stop or a start counts: the provider may report an old one late. So all orders in which the same ones
 * arrive end the same. Where two have the same time, or one has none, no message is sent rather than one too many.
 */
export function isNewest(
  answer: StopAnswer,
  sentAt: Date | undefined,
  { lastStop, lastStart, listedAt }: AnswersBefore,
): boolean {
  if (sentAt === undefined) {
    return answer === 'stop';
  }
  if (answer === 'stop') {
    return isAfter(sentAt, lastStop) && !(lastStart !== undefined && lastStart > sentAt);
  }
  // Two replies have times of one clock. Our own is another one, and the provider’s zone is not known.
  return (
    isAfter(sentAt, lastStop) && isAfter(sentAt, lastStart) && isAfter(earliestOfReported(sentAt), listedAt)
  );
}

function isAfter(time: Date, other: Date | undefined): boolean {
  return other === undefined || time > other;
}
