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
const fillers = new Set(['please', 'pls', 'plz', 'abeg', 'now', 'all', 'sms', 'messages', 'thanks', 'svp']);
/** In characters: a longer text is a message to a person. */
const maxLength = 60;

const known: ReadonlyMap<string, StopAnswer> = new Map(
  answerWords.flatMap(({ answer, words }) => words.map((word) => [plainWord(word), answer])),
);

/**
 * Returns what a text means that is such an answer and nothing else: *Stop by our shop* is none. Case, punctuation and
 * marks do not matter.
 *
 * @param extra words of a workspace's own; one that is known means what it always means
 */
export function readStopAnswer(
  text: string,
  extra: Readonly<Record<StopAnswer, readonly string[]>> = { stop: [], start: [] },
): StopAnswer | undefined {
  if (text.length > maxLength) {
    return undefined;
  }
  const words = plainWord(text).split(' ');
  const kept = words.filter((word) => !fillers.has(word)).join(' ');
  if (kept === '') {
    return undefined;
  }
  const isExtra = (answer: StopAnswer) => extra[answer].some((word) => plainWord(word) === kept);
  return known.get(kept) ?? (['stop', 'start'] as const).find(isExtra);
}

/** Returns the letters and digits of a text in lower case, without marks, with one space between words. */
function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
