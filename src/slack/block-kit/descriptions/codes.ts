import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { isVerifiable } from '../../../services/otp/verification.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { clockFor, joinWords, type Markup, mrkdwn, timeFor, userMention } from '../text.ts';
import type { OutcomeSummary } from './deliveries.ts';
import { summarizeOutcome } from './outcome.ts';

type CodeOutcome = NonNullable<Operation['codeOutcome']>;

export const codeIcons: Readonly<Record<CodeOutcome['kind'], Markup>> = {
  verified: stateIcons.done,
  used_up: stateIcons.blocked,
  expired: mrkdwn`:hourglass:`,
  unknown: stateIcons.unknown,
};

/** Follows what became of a code: ` after 1 wrong guess`. Empty where there was none. */
export function afterGuesses({ wrongGuesses = 0 }: Operation): string {
  return wrongGuesses === 0 ? '' : ` after ${pluralize(wrongGuesses, 'wrong guess', 'wrong guesses')}`;
}

/** What became of the message that sent a code: *Code sent*, *Code not delivered*. */
export function outcomeOfSend(operation: Operation, deliveries?: readonly MessageDelivery[]): OutcomeSummary {
  const sent = summarizeOutcome(operation, { deliveries, recipients: 1 });
  const word = sent.word === 'On its way' ? 'sent' : sent.word.toLowerCase();
  return operation.state === 'accepted' ? { ...sent, word: `Code ${word}` } : sent;
}

/** Whether a code was verified, when, by whom and after how many wrong guesses. Before that, the outcome of its message. */
export function outcomeOfCode(operation: Operation, deliveries?: readonly MessageDelivery[]): OutcomeSummary {
  const { codeOutcome, expiresAt, userId } = operation;
  const sent = outcomeOfSend(operation, deliveries);
  if (!isVerifiable(operation)) {
    return sent;
  }
  const guesses = afterGuesses(operation);
  const ended = codeOutcome && { icon: codeIcons[codeOutcome.kind], at: new Date(codeOutcome.at) };
  switch (codeOutcome?.kind) {
    case undefined:
      return expiresAt === undefined
        ? sent
        : {
            ...sent,
            remarks: [
              ...sent.remarks,
              mrkdwn`not verified yet${guesses}`,
              mrkdwn`expires at ${clockFor(expiresAt)}`,
            ],
          };
    case 'verified': {
      const remarks = [mrkdwn`by ${userMention(codeOutcome.by ?? userId)}${guesses}`];
      return { ...sent, ...ended, word: 'Verified', remarks };
    }
    case 'used_up':
      return { ...sent, ...ended, word: 'Not verified', remarks: [mrkdwn`no attempts left${guesses}`] };
    case 'expired':
      // That it never arrived, or may not have, matters more.
      return isLost(operation, sent)
        ? { ...sent, remarks: [...sent.remarks, mrkdwn`expired`] }
        : { ...sent, ...ended, word: 'Expired', at: expiresAt, remarks: [mrkdwn`not verified${guesses}`] };
    case 'unknown': {
      const remark = mrkdwn`unknown whether it was verified: the data was restored from a backup`;
      return { ...sent, icon: codeIcons.unknown, remarks: [...sent.remarks, remark] };
    }
  }
}

/** The outcome of a code that was verified, used up or expired, as a sentence; undefined for any other. */
export function endedCodeSentence(
  outcome: OutcomeSummary,
  { to, by }: { to: PhoneNumber | string; by: string },
): Markup | undefined {
  const { icon, word, at, remarks } = outcome;
  switch (word) {
    case 'Verified':
      return mrkdwn`${icon} *Verified:* ${to}${at && mrkdwn`, ${timeFor(at)}`} ${joinWords(remarks)}.`;
    case 'Not verified':
    case 'Expired':
      return mrkdwn`${icon} *${word}:* the code for ${to} by ${by}, ${joinWords(remarks)}.`;
    default:
      return undefined;
  }
}

function isLost({ state }: Operation, { word }: OutcomeSummary): boolean {
  return state !== 'accepted' || word === 'Code not delivered';
}
