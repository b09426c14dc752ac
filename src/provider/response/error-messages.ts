import type { FailureFacts, FailureKind, ProviderError, Reason } from '../errors.ts';
import { type OperationEffect, operationInfo } from '../operations.ts';
import { knownReason } from './error-response.ts';
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
  const { noun, effect } = operationInfo[facts.operation];
  const sent = kind === 'unconfirmed' && effect !== 'read' ? 'maybe' : 'no';
  const retryable = sent === 'no' && transientReasons.has(facts.reason);
  const { happened, next } = describeReason(facts);
  const capitalized = noun.charAt(0).toUpperCase() + noun.slice(1);
  const texts =
    sent === 'maybe' ? [capitalized, maybeDone[effect], checkFirst[effect]] : [nothingDone[effect], next];
  const message = [happened, ...texts.filter(Boolean)].join(' ');
  return { ...omitUndefined(facts), sent, retryable, message };
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
  const { reason, providerMessage = '', retryAfter } = facts;
  // Quote the provider, unless the reason came from its words: `happened` already says the same.
  const isQuoted = providerMessage !== '' && knownReason(providerMessage) !== reason;
  const quote = isQuoted ? `The provider says: “${providerMessage.replace(/(?<!\.)\.$/, '')}”.` : undefined;
  const happened = [reasons[reason].happened, detailOf(facts), quote].filter(Boolean).join(' ');
  if (retryAfter === undefined || !transientReasons.has(reason)) {
    return { happened, next: reasons[reason].next };
  }
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000));
  const [count, unit] = seconds <= 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return { happened, next: `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.` };
}

/** What is particular to one failure, in sentences; undefined where nothing is. */
export function detailOf({
  faults = [],
  detail,
}: Pick<FailureFacts, 'faults' | 'detail'>): string | undefined {
  const sentences = [...faults.map(({ field, rule }) => `${field}: ${rule}.`), ...(detail ? [detail] : [])];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

const tryAgain = 'Try again in a moment.';
const tellOperator = 'If this happens again, tell your operator.';

export const reasons: Readonly<Record<Reason, ReasonText>> = {
  input: { happened: 'The provider does not accept this input.', next: 'Correct the input and try again.' },
  not_configured: {
    happened: 'This feature is not set up.',
    next: 'Ask your operator to set it up.',
  },
  stopping: { happened: 'Switchboard was shutting down.', next: tryAgain },
  unreachable: {
    happened: 'The provider could not be reached.',
    next: `${tryAgain} ${tellOperator}`,
  },
  untrusted: {
    happened: 'The connection to the provider is not trusted.',
    next: 'Tell your operator: trying again won’t help.',
  },
  timed_out: { happened: 'The provider did not answer in time.', next: tryAgain },
  cancelled: { happened: 'The request was cancelled.', next: 'Try again if you still need it.' },
  cut_off: { happened: 'The connection broke before the provider’s answer was complete.', next: tryAgain },
  empty_answer: { happened: 'The provider’s answer was empty.', next: tryAgain },
  unreadable_answer: {
    happened: 'The provider’s answer could not be read.',
    next: `${tryAgain} ${tellOperator}`,
  },
  server_error: { happened: 'The provider had an error.', next: tryAgain },
  redirected: {
    happened: 'The provider’s address redirects to another one.',
    next: 'Tell your operator to check the provider’s address.',
  },
  bad_key: {
    happened: 'The provider does not accept the API key.',
    next: 'Ask an admin to reconnect the provider, or your operator to check that its address begins with https.',
  },
  account_inactive: {
    happened: 'The provider has deactivated the account.',
    next: 'Ask the provider to activate it.',
  },
  balance_too_low: { happened: 'The balance is too low.', next: 'Top up the account, then try again.' },
  no_route: {
    happened: 'This route is not active on the account.',
    next: 'Send another way, or ask the provider to activate this route.',
  },
  sender_id_unknown: {
    happened: 'The provider does not know the sender ID, or has not approved it.',
    next: 'Choose an active sender ID, or request this one.',
  },
  device_unknown: {
    happened: 'The provider can’t find the device.',
    next: 'Check the device’s name, and that it is connected in the provider’s dashboard.',
  },
  device_limit: {
    happened: 'The device has reached its daily limit.',
    next: 'Choose another device, or wait until tomorrow.',
  },
  country_inactive: {
    happened: 'The recipient’s country is not active on the account.',
    next: 'Ask the provider to activate the country.',
  },
  number_on_dnd: {
    happened: 'The number is on Do-Not-Disturb.',
    next: `Choose the Transactional (DND) route, which reaches it.`,
  },
  invalid_number: { happened: 'The provider does not accept the phone number.', next: 'Check the number.' },
  rate_limited: { happened: 'The provider received too many requests.', next: tryAgain },
  not_found: { happened: 'The provider couldn’t find this.', next: 'Check the input.' },
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
  change: 'Check in the provider’s dashboard before you repeat this.',
};
