import { describeFailure } from '../../../services/operations/outcomes.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { operationIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

type FailedState = Exclude<Operation['state'], 'underway' | 'accepted'>;

/** The parts of a failure that differ between kinds of operations. */
interface FailedAction {
  /** What was asked for, at the beginning of a sentence: *The message to +234803•••4567*. */
  subject: Markup;
  /** What was to become of it: *sent*. */
  done: string;
  /** What to do before it is repeated, where it may have been done. A sentence. */
  check: string;
}

const words: Readonly<Record<FailedState, string>> = {
  rejected: 'Rejected.',
  not_sent: 'Not sent.',
  unconfirmed: 'Unconfirmed.',
};

/** How something failed, in three lines: whether anything was done, what happened, what to do next. */
export function failureLines(
  { error }: Pick<Operation, 'error'>,
  state: FailedState,
  { subject, done, check }: FailedAction,
): Markup {
  const { happened, next } = describeFailure(error);
  const lines =
    state === 'unconfirmed'
      ? [mrkdwn`${subject} may or may not have been ${done}.`, mrkdwn`${happened}`, mrkdwn`${check}`]
      : [mrkdwn`${subject} was not ${done}.`, mrkdwn`${happened}`, mrkdwn`${next}`];
  const [first, ...others] = lines.filter(({ source }) => source !== '');
  return mrkdwn`${[mrkdwn`${operationIcons[state]} *${words[state]}* ${first}`, ...others]}`;
}

const titleWords: Readonly<Record<Exclude<Operation['state'], 'underway'>, string>> = {
  accepted: 'sent',
  rejected: 'rejected',
  not_sent: 'not sent',
  unconfirmed: 'unconfirmed',
};

/** The title of a modal that shows how something ended: `Message rejected`; the noun alone while it goes on. */
export function outcomeTitle(noun: string, state: Operation['state'], done = titleWords.accepted): string {
  return state === 'underway' ? noun : `${noun} ${state === 'accepted' ? done : titleWords[state]}`;
}
