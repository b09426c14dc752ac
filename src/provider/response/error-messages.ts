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
  return { ...omitUndefined(facts), sent, retryable, message: messageOf(kind, sent, facts) };
}

function messageOf(kind: FailureKind, sent: 'no' | 'maybe', facts: FailureFacts): string {
  const { noun, effect } = operationInfo[facts.operation];
  const opening = kind === 'unconfirmed' ? openings.unconfirmed[effect] : openings[kind];
  const sentences = [
    opening.replace('{noun}', noun).replace('{Noun}', noun.charAt(0).toUpperCase() + noun.slice(1)),
    whatHappened(facts),
    kind === 'rejected' && nothingDone[effect],
    sent === 'maybe' ? nextWhenUnconfirmed[effect] : (retryHint(facts) ?? reasons[facts.reason].next),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Says what happened, in whole sentences for the user, without the effect and the next step. */
export function whatHappened({ reason, cause, faults, detail, providerMessage }: FailureFacts): string {
  const sentences = [
    reasons[reason].happened.replace('{cause}', cause ? ` (${cause})` : ''),
    faults?.map(({ field, rule }) => `${field}: ${rule}.`).join(' '),
    detail,
    providerMessage && `It says: “${providerMessage}”.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function retryHint({ reason, retryAfter }: FailureFacts): string | undefined {
  if (retryAfter === undefined || !transientReasons.has(reason)) {
    return undefined;
  }
  return `Try again in ${Math.max(1, Math.ceil(retryAfter / 1000))} s.`;
}

interface ReasonText {
  /** What happened, as a sentence. `{cause}` is replaced by the system's error code, if there is one. */
  readonly happened: string;
  /** What to do next, used where nothing was sent for certain. */
  readonly next: string;
}

const tryAgain = 'Try again in a moment.';

export const reasons: Readonly<Record<Reason, ReasonText>> = {
  input: { happened: 'The input breaks a rule of the provider.', next: 'Correct it and try again.' },
  not_configured: {
    happened: 'This needs a setting that is not made.',
    next: 'Ask whoever runs this app to make it.',
  },
  stopping: { happened: 'The app is shutting down.', next: tryAgain },
  unreachable: {
    happened: 'No connection to the provider could be made{cause}.',
    next: 'Try again in a moment; if it stays so, have the provider’s address and the network checked.',
  },
  untrusted: {
    happened: 'No trusted connection to the provider could be made{cause}.',
    next: 'Have the provider’s address and its certificate checked; trying again will not help.',
  },
  timed_out: { happened: 'The provider did not answer in time.', next: tryAgain },
  cancelled: { happened: 'The call was cancelled.', next: 'Try again if it is still wanted.' },
  cut_off: { happened: 'The connection broke before the whole answer came{cause}.', next: tryAgain },
  empty_answer: { happened: 'The provider’s answer was empty.', next: tryAgain },
  unreadable_answer: {
    happened: 'The provider’s answer could not be understood.',
    next: 'Try again; if it stays so, have the provider’s address checked.',
  },
  server_error: { happened: 'The provider reports a fault of its own.', next: tryAgain },
  redirected: {
    happened: 'The provider’s address points elsewhere, where the key is not sent.',
    next: 'Have the provider’s address checked.',
  },
  bad_key: {
    happened: 'The provider does not accept the API key.',
    next: 'Ask an admin to reconnect the provider.',
  },
  no_route: {
    happened: 'This route is not active on the account.',
    next: 'Choose another route, or have the provider activate this one.',
  },
  country_inactive: {
    happened: 'The recipient’s country is not active on the account.',
    next: 'Have the provider activate it.',
  },
  sender_id_unknown: {
    happened: 'The provider does not know the sender ID, or has not approved it.',
    next: 'Choose an active sender ID, or request this one.',
  },
  balance_too_low: { happened: 'The account’s balance is too low.', next: 'Top it up, then try again.' },
  rate_limited: { happened: 'The provider asks for fewer requests.', next: tryAgain },
  not_found: {
    happened: 'The provider does not know what was asked for.',
    next: 'Check the input; if it is right, have the provider’s address checked.',
  },
  invalid_request: {
    happened: 'The provider does not accept the request as it is.',
    next: 'Check the input against what the provider says.',
  },
  refused: {
    happened: 'The provider does not allow this.',
    next: 'Ask the provider whether it is activated on the account.',
  },
};

/** The first sentence, by outcome. `{noun}` is replaced by the operation's noun. */
const openings = {
  rejected: 'The provider refused {noun}.',
  not_sent: '{Noun} was not sent.',
  unconfirmed: {
    send: 'Unconfirmed: {noun} may have been sent, or not.',
    change: 'Unconfirmed: {noun} may have been carried out, or not.',
    read: '{Noun} got no usable answer.',
  },
} as const;

/** Added to `rejected` only: the other openings already say it. */
const nothingDone: Readonly<Partial<Record<OperationEffect, string>>> = {
  send: 'Nothing was sent.',
  change: 'Nothing was done.',
};

/** What to do next where the request may have taken effect. */
const nextWhenUnconfirmed: Readonly<Partial<Record<OperationEffect, string>>> = {
  send: 'It is not repeated by itself: find out from the recipient or at the provider before sending it again.',
  change: 'It is not repeated by itself: find out at the provider before asking for it again.',
};
