import type { ReportedState } from '../deliveries/delivery-status.ts';
import { unmarkedWords } from '../replies/stop-words.ts';

/** Which of its recipients a campaign is used again for. */
export const audienceParts = [
  'all',
  'delivered',
  'not_delivered',
  'unconfirmed',
  'no_report',
  'not_sent',
  'answered',
  'answered_with',
  'did_not_answer',
] as const;
export type AudiencePart = (typeof audienceParts)[number];

/** In characters: of the word that is looked for in answers. */
export const maxWordLength = 40;
/** In characters: what is read of an answer, which is longer than any SMS. */
const maxAnswerLength = 5_000;

/** What is known of a recipient of a campaign. */
export interface KnownRecipient {
  state: 'waiting' | 'claimed' | 'accepted' | 'rejected' | 'unconfirmed';
  /** What was reported of their message. */
  delivery: ReportedState | undefined;
  /** Whether they have written since the campaign started; for `answered_with`, with the word. */
  hasAnswered: boolean;
}

export function isInPart(part: AudiencePart, { state, delivery, hasAnswered }: KnownRecipient): boolean {
  const isAccepted = state === 'accepted';
  const isSent = isAccepted || state === 'unconfirmed';
  switch (part) {
    case 'all':
      return true;
    case 'delivered':
      return isAccepted && delivery === 'delivered';
    case 'not_delivered':
      return state === 'rejected' || (isAccepted && delivery === 'failed');
    case 'unconfirmed':
      return state === 'unconfirmed';
    case 'no_report':
      return isAccepted && delivery !== 'delivered' && delivery !== 'failed';
    case 'not_sent':
      return state === 'waiting';
    case 'answered':
    case 'answered_with':
      return isSent && hasAnswered;
    case 'did_not_answer':
      return isSent && !hasAnswered;
  }
}

/** Whether it depends on what was reported of messages. */
export function needsDeliveries(part: AudiencePart): boolean {
  return part === 'delivered' || part === 'not_delivered' || part === 'no_report';
}

export function needsAnswers(part: AudiencePart): boolean {
  return part === 'answered' || part === 'answered_with' || part === 'did_not_answer';
}

/** Whether recipients of the part may have got the former message, though nobody knows. */
export function mayHaveGotIt(part: AudiencePart | undefined): boolean {
  return part === 'unconfirmed' || part === 'not_delivered' || part === 'no_report';
}

/**
 * Returns a function that says whether a text has the word, alone and anywhere: *yes* is in *Yes, please!*, not in
 * *yesterday*. Case and marks do not matter. Undefined where there is no word: no letters and no digits, or too many.
 */
export function createWordSearch(word: string): ((text: string) => boolean) | undefined {
  const wanted = word.length > maxWordLength ? [] : unmarkedWords(word);
  const isAt = (words: readonly string[], start: number) =>
    wanted.every((each, index) => words[start + index] === each);
  return wanted.length === 0
    ? undefined
    : (text) => {
        const words = unmarkedWords(text.slice(0, maxAnswerLength));
        return words.some((_, start) => isAt(words, start));
      };
}
