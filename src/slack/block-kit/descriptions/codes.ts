import { isVerifiable } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { clockFor, type Markup, mrkdwn, timeFor, userMention } from '../text.ts';

type CodeOutcome = NonNullable<Operation['codeOutcome']>;

export const codeIcons: Readonly<Record<CodeOutcome['kind'], Markup>> = {
  verified: stateIcons.done,
  used_up: stateIcons.blocked,
  expired: mrkdwn`:hourglass:`,
  unknown: stateIcons.unknown,
};

/** In place of the state of the send. An unconfirmed send stays so when its code expires. */
const stateWords: Readonly<Record<CodeOutcome['kind'], string | undefined>> = {
  verified: 'verified',
  used_up: 'not verified',
  expired: 'expired',
  unknown: undefined,
};

/** Returns the state of a one-time code for a list; undefined for what else was done. */
export function codeStateOf({ kind, state, codeOutcome }: Operation): string | undefined {
  const ended = codeOutcome && stateWords[codeOutcome.kind];
  if (ended !== undefined && (state === 'accepted' || codeOutcome?.kind !== 'expired')) {
    return ended;
  }
  return kind.startsWith('otp.') && kind !== 'otp.in_app' && state === 'accepted' ? 'sent' : undefined;
}

/** Follows what became of a code: ` after 1 wrong guess`. Empty where there was none. */
export function afterGuesses({ wrongGuesses = 0 }: Operation): string {
  return wrongGuesses === 0 ? '' : ` after ${pluralize(wrongGuesses, 'wrong guess', 'wrong guesses')}`;
}

/**
 * Whether the recipient of a code was verified, when, by whom, and after how many wrong guesses. Undefined for what can't be
 * verified here.
 */
export function describeVerification(operation: Operation): Markup | undefined {
  const { codeOutcome, expiresAt, userId } = operation;
  const guesses = afterGuesses(operation);
  if (expiresAt === undefined || !isVerifiable(operation)) {
    return undefined;
  }
  if (codeOutcome === undefined) {
    return mrkdwn`Not verified yet${guesses}: expires at ${clockFor(expiresAt)}`;
  }
  const at = timeFor(new Date(codeOutcome.at));
  switch (codeOutcome.kind) {
    case 'verified':
      return mrkdwn`*Verified* ${at} by ${userMention(codeOutcome.by ?? userId)}${guesses}`;
    case 'used_up':
      return mrkdwn`*Not verified*: no attempts left ${at}${guesses}`;
    case 'expired':
      return mrkdwn`*Not verified*: expired ${timeFor(expiresAt)}${guesses}`;
    case 'unknown':
      return mrkdwn`*Unknown*: the data was restored from a backup after the code was sent`;
  }
}
