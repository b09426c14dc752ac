import { describeFailure } from '../../../services/operations/outcomes.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { operationIcons, stateIcons } from '../state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../text.ts';
import { describeArrival, type KnownDeliveries, type OutcomeSummary } from './deliveries.ts';

type FailedState = Exclude<Operation['state'], 'underway' | 'accepted'>;

const words: Readonly<Record<FailedState, string>> = {
  rejected: 'Rejected',
  not_sent: 'Not sent',
  unconfirmed: 'Unconfirmed',
};

const markWords = { received: 'Marked as received', not_received: 'Marked as not received' } as const;

/**
 * Describes what became of an operation and its messages.
 *
 * @param done what it is called once the provider has accepted it, where it is no message: *Requested*
 */
export function summarizeOutcome(
  operation: Operation,
  known: KnownDeliveries,
  done?: string,
): OutcomeSummary {
  const { state, mark, notDeliveredAt } = operation;
  if (state === 'unconfirmed' && mark !== undefined) {
    const icon = mark.kind === 'received' ? stateIcons.done : stateIcons.failed;
    const remarks = [mrkdwn`by ${userMention(mark.by)}`];
    return { icon, word: markWords[mark.kind], at: new Date(mark.at), remarks };
  }
  switch (state) {
    case 'underway':
      return { icon: operationIcons.underway, word: 'In progress', remarks: [] };
    case 'accepted':
      return describeArrival(known, { done, missedAt: notDeliveredAt });
    default:
      return { icon: operationIcons[state], word: words[state], remarks: [] };
  }
}

/** In a line of a list: `*Not delivered* today at 12:06 PM · the number is on Do-Not-Disturb`. */
export function outcomeLine({ word, at, whom, remarks }: OutcomeSummary): Markup {
  const to = whom === undefined ? '' : ` to ${whom}`;
  return joinInline([mrkdwn`*${word}*${to}${at === undefined ? '' : mrkdwn` ${timeFor(at)}`}`, ...remarks]);
}

/** As a sentence, after its icon: `*Not delivered* to +234 803 123 4567: the number is on Do-Not-Disturb.` */
export function outcomeSentence({ word, whom, remarks }: OutcomeSummary, to: string | Markup): Markup {
  const end = remarks.length === 0 ? '' : mrkdwn`${whom === undefined ? ': ' : ' · '}${joinInline(remarks)}`;
  return mrkdwn`*${word}* to ${whom ?? to}${end}.`;
}

/** The parts of a failure that differ between kinds of operations. */
interface FailedAction {
  /** What was asked for, at the beginning of a sentence: *The message to +234803•••4567*. */
  subject: Markup;
  /** What was to become of it: *sent*. */
  done: string;
  /** What to do before repeating it, in case it was done. A sentence. */
  check: string;
  /** What to do next, where that isn't what usually follows from the reason. A sentence. */
  next?: string | undefined;
}

/** How something failed, in three lines: whether anything was done, what happened, what to do next. */
export function failureLines(
  { error }: Pick<Operation, 'error'>,
  state: FailedState,
  { subject, done, check, next: ownNext }: FailedAction,
): Markup {
  const { happened, next } = describeFailure(error);
  const lines =
    state === 'unconfirmed'
      ? [mrkdwn`${subject} may or may not have been ${done}.`, mrkdwn`${happened}`, mrkdwn`${check}`]
      : [mrkdwn`${subject} was not ${done}.`, mrkdwn`${happened}`, mrkdwn`${ownNext ?? next}`];
  const [first, ...others] = lines.filter(({ source }) => source !== '');
  return mrkdwn`${[mrkdwn`${operationIcons[state]} *${words[state]}.* ${first}`, ...others]}`;
}

/** The title of a modal that shows how something ended: `Message rejected`; the noun alone while it goes on. */
export function outcomeTitle(noun: string, state: Operation['state'], done = 'sent'): string {
  return state === 'underway' ? noun : `${noun} ${state === 'accepted' ? done : words[state].toLowerCase()}`;
}
