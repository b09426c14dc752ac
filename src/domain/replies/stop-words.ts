/**
 * Words by which people stop messages, and take them up again, as whole answers. Put down on 2026-11-23; a source is where a
 * word is in use as such an answer. Words of Hausa, Yoruba, Igbo and Pidgin are also taken without their marks, as most
 * phones type them.
 */
const sources = {
  required: 'docs.aws.amazon.com, “Required opt-out keywords”, read 2026-11-23',
  usual: 'braze.com, “Opt-in and opt-out keywords”, read 2026-11-23',
  canada: 'docs.aws.amazon.com, “French compliance keywords”, read 2026-11-23',
  hausaReplies: 'a Nigerian program’s public list of replies that turn messages off and on, read 2026-11-23',
  cancelReplies: 'a Nigerian bank assistant’s public list of replies that cancel, read 2026-11-23',
} as const;

export type StopAnswer = 'stop' | 'start';

interface AnswerWords {
  answer: StopAnswer;
  language: 'English' | 'French' | 'Hausa' | 'Yoruba' | 'Igbo' | 'Pidgin';
  words: readonly string[];
  source: string;
}

/** *Yes* is none of them: it answers other questions too. */
export const answerWords: readonly AnswerWords[] = [
  {
    answer: 'stop',
    language: 'English',
    words: ['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit'],
    source: sources.usual,
  },
  { answer: 'stop', language: 'English', words: ['opt-out', 'optout', 'remove'], source: sources.required },
  { answer: 'start', language: 'English', words: ['start', 'unstop'], source: sources.usual },
  { answer: 'stop', language: 'French', words: ['arrêt'], source: sources.canada },
  { answer: 'stop', language: 'Hausa', words: ['tsaya', 'daina', 'dakata'], source: sources.hausaReplies },
  { answer: 'stop', language: 'Hausa', words: ['dakatar'], source: sources.cancelReplies },
  { answer: 'start', language: 'Hausa', words: ['fara', 'ci gaba'], source: sources.hausaReplies },
  { answer: 'stop', language: 'Yoruba', words: ['dá dúró', 'dáwọ́dúró'], source: sources.cancelReplies },
  { answer: 'stop', language: 'Igbo', words: ['kwụsị'], source: sources.cancelReplies },
  { answer: 'stop', language: 'Pidgin', words: ['commot', 'no do again'], source: sources.cancelReplies },
];

/** What people write beside such a word, and what does not change it. */
const fillers = new Set(
  ['please', 'pls', 'plz', 'abeg', 'now', 'all', 'sms', 'messages', 'thanks', 'svp'].flatMap(unmarkedWords),
);
/** In characters: a longer text is a message to a person. */
const maxLength = 60;

/** Words of a workspace’s own. */
export type ExtraWords = Readonly<Record<StopAnswer, readonly string[]>>;

const known = answerWords.flatMap(({ answer, words }) =>
  words.map((word) => ({ answer, words: unmarkedWords(word) })),
);

/**
 * Returns what a text means that is such an answer and nothing else: *Stop by our shop* is none. Case, punctuation and
 * marks do not matter.
 *
 * @param extra one that is known means what it always means
 */
export function readStopAnswer(
  text: string,
  extra: ExtraWords = { stop: [], start: [] },
): StopAnswer | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) {
    return undefined;
  }
  const written = unmarkedWords(trimmed);
  const isExtra = (answer: StopAnswer) =>
    extra[answer].some((word) => isAnswer(written, unmarkedWords(word)));
  return (
    known.find(({ words }) => isAnswer(written, words))?.answer ?? (['stop', 'start'] as const).find(isExtra)
  );
}

/**
 * Explains why a word of a workspace’s own can’t be one, as the end of a sentence. One without an explanation means what it
 * is meant to, whatever the others are.
 */
export function explainUnusable(word: string, answer: StopAnswer, extra: ExtraWords): string | undefined {
  if (unmarkedWords(word).every((each) => fillers.has(each))) {
    return 'has nothing but what people write beside such words, such as “please”, or no letters at all';
  }
  const read = readStopAnswer(word, extra);
  if (read === undefined) {
    return `has more than ${maxLength} characters`;
  }
  return read === answer ? undefined : `means a ${read} already`;
}

/** Whether a text is a word of one or more parts, with fillers beside and between them. */
function isAnswer(written: readonly string[], word: readonly string[]): boolean {
  let found = 0;
  for (const each of written) {
    if (each === word[found]) {
      found += 1;
    } else if (!fillers.has(each)) {
      return false;
    }
  }
  return word.length > 0 && found === word.length;
}

/** Returns the words of a text: letters and digits, without marks, all in the same case. */
export function unmarkedWords(text: string): string[] {
  return text
    .toLowerCase()
    .toUpperCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
