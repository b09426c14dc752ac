import type { OperationName, Reason } from '../operations.ts';

/**
 * What an operation does at the provider: nothing that would matter if it happened twice; a message or a call that
 * must not go out twice; a change that must not be made twice.
 */
type Effect = 'read' | 'send' | 'change';

interface OperationWords {
  /** As it stands in a sentence. */
  readonly noun: string;
  readonly effect: Effect;
}

export const operationInfo: Readonly<Record<OperationName, OperationWords>> = {
  'messages.send': { noun: 'the message', effect: 'send' },
  'messages.sendChatOtp': { noun: 'the code by chat', effect: 'send' },
  'messages.sendBulk': { noun: 'the bulk message', effect: 'send' },
  'tokens.send': { noun: 'the one-time code', effect: 'send' },
  'tokens.generate': { noun: 'the request for a one-time code', effect: 'change' },
  'tokens.call': { noun: 'the code by voice call', effect: 'send' },
  'tokens.email': { noun: 'the code by e-mail', effect: 'send' },
  'insight.query': { noun: 'the request for the number’s status', effect: 'read' },
  'insight.checkDnd': { noun: 'the DND check', effect: 'read' },
  'senderIds.list': { noun: 'the request for sender IDs', effect: 'read' },
  'senderIds.request': { noun: 'the request for a new sender ID', effect: 'change' },
  'phonebooks.contacts': { noun: 'the request for contacts', effect: 'read' },
  'phonebooks.addContact': { noun: 'the request to add a contact', effect: 'change' },
  'phonebooks.upload': { noun: 'the upload of contacts', effect: 'change' },
  'phonebooks.deleteContact': { noun: 'the request to delete the contact', effect: 'change' },
  'esims.authenticate': { noun: 'the request for an eSIM token', effect: 'read' },
  'esims.plans': { noun: 'the request for data plans', effect: 'read' },
  'esims.plansDeprecated': { noun: 'the request for data plans', effect: 'read' },
  'esims.create': { noun: 'the request to create an eSIM', effect: 'change' },
  'esims.purchase': { noun: 'the purchase of the data plan', effect: 'change' },
  'esims.qrCode': { noun: 'the request for the QR code', effect: 'read' },
  'esims.profile': { noun: 'the request for the eSIM’s profile', effect: 'read' },
  'esims.usage': { noun: 'the request for the eSIM’s data usage', effect: 'read' },
  'esims.planStatus': { noun: 'the request for the data plan’s status', effect: 'read' },
  'esims.list': { noun: 'the request for eSIMs', effect: 'read' },
  'esims.countries': { noun: 'the request for countries', effect: 'read' },
};

interface ReasonWords {
  /** What happened, as a sentence. `{cause}` is replaced by the system's code, where there is one. */
  readonly happened: string;
  /** What to do next, where it is known that nothing was sent. */
  readonly next: string;
}

const tryAgain = 'Try again in a moment.';

export const reasons: Readonly<Record<Reason, ReasonWords>> = {
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
    next: 'Connect a key that is valid for this provider.',
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

/** How the message begins, by outcome; `{noun}` is the operation's. */
export const openings = {
  rejected: 'The provider refused {noun}.',
  not_sent: '{Noun} was not sent.',
  unconfirmed: {
    send: 'Unconfirmed: {noun} may have been sent, or not.',
    change: 'Unconfirmed: {noun} may have been carried out, or not.',
    read: '{Noun} got no usable answer.',
  },
} as const;

/** Said of a refusal; the other openings say it themselves. */
export const nothingDone: Readonly<Partial<Record<Effect, string>>> = {
  send: 'Nothing was sent.',
  change: 'Nothing was done.',
};

/** What to do next where something may have been sent or done. */
export const nextAfterDoubt: Readonly<Partial<Record<Effect, string>>> = {
  send: 'It is not repeated by itself: find out from the recipient or at the provider before sending it again.',
  change: 'It is not repeated by itself: find out at the provider before asking for it again.',
};
