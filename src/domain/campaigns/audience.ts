import type { ReportedState } from '../deliveries/delivery-status.ts';
import { unmarkedWords } from '../replies/stop-words.ts';

/** Which of its recipients a campaign is used again for. */
export const audienceParts = [
  'all',
  'delivered',
  'not_delivered',
  'rejected',
  'unconfirmed',
  'no_report',
  'not_sent',
  'answered',
  'answered_with',
  'did_not_answer',
] as const;
export type AudiencePart = (typeof audienceParts)[number];

/** What is known of a recipient of a campaign. */
interface KnownRecipient {
  state: 'waiting' | 'claimed' | 'accepted' | 'rejected' | 'unconfirmed';
  /** What was reported of their message. */
  delivery: ReportedState | undefined;
  /** Whether they have written since the campaign started; for `answered_with`, with the word. */
  hasAnswered: boolean;
}

interface PartRule {
  has(recipient: KnownRecipient): boolean;
  /** What is to be known of a recipient besides the state. */
  needs?: 'delivery' | 'hasAnswered';
  /** Whether some may have got the campaign's message, though it is not certain. */
  isDoubtful?: true;
}

const isSent = ({ state }: KnownRecipient) => state === 'accepted' || state === 'unconfirmed';
const isReported = ({ state, delivery }: KnownRecipient, ...as: (ReportedState | undefined)[]) =>
  state === 'accepted' && as.includes(delivery);
const hasAnswered = (one: KnownRecipient) => isSent(one) && one.hasAnswered;

export const partRules: Readonly<Record<AudiencePart, PartRule>> = {
  all: { has: () => true },
  delivered: { has: (one) => isReported(one, 'delivered'), needs: 'delivery' },
  not_delivered: {
    has: (one) => isReported(one, 'failed'),
    needs: 'delivery',
    isDoubtful: true,
  },
  rejected: { has: ({ state }) => state === 'rejected' },
  unconfirmed: { has: ({ state }) => state === 'unconfirmed', isDoubtful: true },
  no_report: {
    has: (one) => isReported(one, undefined, 'sent', 'unknown'),
    needs: 'delivery',
    isDoubtful: true,
  },
  not_sent: { has: ({ state }) => state === 'waiting' },
  answered: { has: hasAnswered, needs: 'hasAnswered' },
  answered_with: { has: hasAnswered, needs: 'hasAnswered' },
  did_not_answer: { has: (one) => isSent(one) && !one.hasAnswered, needs: 'hasAnswered' },
};

/** In characters: of the word that is looked for in answers. */
export const maxWordLength = 40;
/** In characters: the part of an answer that is searched. It is longer than any SMS. */
const maxAnswerLength = 5_000;

/**
 * Returns a function that says whether a text has the word, alone and anywhere: *yes* is in *Yes, please!*, not in
 * *yesterday*. Case and marks do not matter. Undefined where there is no word: no letters and no digits, or too many.
 */
export function createWordSearch(word = ''): ((text: string) => boolean) | undefined {
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
