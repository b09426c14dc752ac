import type { FailureFacts, FailureKind, ProviderError, Reason } from '../errors.ts';
import { type OperationEffect, operationInfo } from '../operations.ts';
import { omitUndefined } from './fields.ts';

/** Reasons that pass with time, so that the same request may succeed later. */
const transientReasons: ReadonlySet<Reason> = new Set([
  'stopping',
  'unreachable',
  'timed_out',
  'cancelled',
  'cut_off',
  'empty_answer',
  'unreadable_answer',
  'server_error',
  'rate_limited',
]);

/** Completes the facts of a failure: whether anything was sent, whether it is retryable, and the message. */
export function providerError(kind: FailureKind, facts: FailureFacts): ProviderError {
  const sent = kind === 'unconfirmed' && operationInfo[facts.operation].effect !== 'read' ? 'maybe' : 'no';
  const retryable = sent === 'no' && transientReasons.has(facts.reason);
  return { ...omitUndefined(facts), sent, retryable, message: messageOf(sent, facts) };
}

function messageOf(sent: 'no' | 'maybe', facts: FailureFacts): string {
  const { noun, effect } = operationInfo[facts.operation];
  const { happened, next } = describeReason(facts);
  const texts =
    sent === 'maybe'
      ? [capitalize(noun), maybeDone[effect], checkFirst[effect]].filter(Boolean).join(' ')
      : [nothingDone[effect], next].filter(Boolean).join(' ');
  return `${happened} ${texts}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A failure in sentences, without what became of the request. */
export interface ReasonText {
  readonly happened: string;
  /** What to do where nothing was sent for certain. */
  readonly next: string;
}

type DescribedFacts = Pick<FailureFacts, 'reason' | 'faults' | 'detail' | 'providerMessage' | 'retryAfter'>;

/** Describes a failure for the user, without the system's codes. */
export function describeReason(facts: DescribedFacts): ReasonText {
  const { reason, providerMessage } = facts;
  const quote = providerMessage && `The provider says: “${providerMessage.replace(/\.$/, '')}”.`;
  const happened = [reasons[reason].happened, detailOf(facts), quote].filter(Boolean).join(' ');
  return { happened, next: retryHint(facts) ?? reasons[reason].next };
}

/** What is particular to one failure, in sentences; undefined where nothing is. */
export function detailOf({
  faults = [],
  detail,
}: Pick<FailureFacts, 'faults' | 'detail'>): string | undefined {
  const sentences = [...faults.map(({ field, rule }) => `${field}: ${rule}.`), ...(detail ? [detail] : [])];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function retryHint({ reason, retryAfter }: DescribedFacts): string | undefined {
  if (retryAfter === undefined || !transientReasons.has(reason)) {
    return undefined;
  }
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000));
  const [count, unit] = seconds <= 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
}

const tryAgain = 'Try again in a moment.';
const tellOperator = 'If this happens again, tell the person who runs Switchboard.';

export const reasons: Readonly<Record<Reason, ReasonText>> = {
  input: { happened: 'The provider does not take this input.', next: 'Correct the input and try again.' },
  not_configured: {
    happened: 'This feature is not set up.',
    next: 'Ask the person who runs Switchboard to set it up.',
  },
  stopping: { happened: 'Switchboard was shutting down.', next: tryAgain },
  unreachable: {
    happened: 'The provider could not be reached.',
    next: `${tryAgain} ${tellOperator}`,
  },
  untrusted: {
    happened: 'The connection to the provider is not trusted.',
    next: 'Tell the person who runs Switchboard: trying again will not help.',
  },
  timed_out: { happened: 'The provider did not answer in time.', next: tryAgain },
  cancelled: { happened: 'The request was cancelled.', next: 'Try again if you still need it.' },
  cut_off: { happened: 'The connection broke before the provider’s whole answer came.', next: tryAgain },
  empty_answer: { happened: 'The provider’s answer was empty.', next: tryAgain },
  unreadable_answer: {
    happened: 'The provider’s answer could not be read.',
    next: `${tryAgain} ${tellOperator}`,
  },
  server_error: { happened: 'The provider had an error.', next: tryAgain },
  redirected: {
    happened: 'The provider’s address points to another one.',
    next: 'Tell the person who runs Switchboard: the address has to be checked.',
  },
  bad_key: {
    happened: 'The provider does not accept the API key.',
    next: 'Ask an admin to reconnect the provider.',
  },
  no_route: {
    happened: 'This route is not active on the account.',
    next: 'Choose another route, or ask the provider to activate this one.',
  },
  country_inactive: {
    happened: 'The recipient’s country is not active on the account.',
    next: 'Ask the provider to activate the country.',
  },
  sender_id_unknown: {
    happened: 'The provider has not approved the sender ID.',
    next: 'Choose an active sender ID, or request this one.',
  },
  balance_too_low: { happened: 'The balance is too low.', next: 'Top up the account, then try again.' },
  rate_limited: { happened: 'The provider got too many requests.', next: tryAgain },
  not_found: { happened: 'The provider did not find this.', next: 'Check the input.' },
  invalid_request: { happened: 'The provider does not accept this request.', next: 'Check the input.' },
  refused: {
    happened: 'The provider does not allow this.',
    next: 'Ask the provider whether the account may do this.',
  },
};

const nothingDone: Readonly<Partial<Record<OperationEffect, string>>> = {
  send: 'Nothing was sent.',
  change: 'Nothing was changed.',
};

/** Follows the operation's noun. */
const maybeDone: Readonly<Partial<Record<OperationEffect, string>>> = {
  send: 'may or may not have been sent.',
  change: 'may or may not have taken effect.',
};

/** What to do next where the request may have taken effect. */
const checkFirst: Readonly<Partial<Record<OperationEffect, string>>> = {
  send: 'Check with the recipient before you send again.',
  change: 'Check at the provider before you repeat this.',
};
