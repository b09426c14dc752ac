import { answerWords, besides, type StopAnswer } from './answer-words.ts';

type Part = keyof typeof besides | 'stop' | 'clear' | 'everyday';

/** In characters: a longer start, or word of a workspace’s own, is a message to a person. */
const maxLength = 60;
/** In characters: people explain why they stop. */
const maxStopLength = 120;
/** In characters, of a longer message: more than an SMS of ten pages has. */
const maxRead = 2_000;

/** Words of a workspace’s own. */
export type ExtraWords = Readonly<Record<StopAnswer, readonly string[]>>;

/** Hausa letters that have no mark to leave out. */
const hausaLetters: Readonly<Record<string, string>> = { Ɓ: 'B', Ɗ: 'D', Ƙ: 'K', Ƴ: 'Y' };

const asWords = (phrase: string) => unmarkedWords(phrase).join(' ');

/** By the words of each phrase. What stops wins over what stands beside it. */
const parts = new Map<string, Part>([
  ...(['objects', 'wishes', 'courtesy', 'messages', 'ends', 'nots', 'elsewhere', 'doubts'] as const).flatMap(
    (part) => besides[part].map((phrase) => [asWords(phrase), part] as const),
  ),
  ...answerWords.flatMap(({ answer, weight, words }) =>
    answer === 'stop' ? words.map((phrase) => [asWords(phrase), weight ?? 'stop'] as const) : [],
  ),
]);
/** The words of the phrases, by their first one. */
const phrasesFrom = Map.groupBy(
  [...parts.keys()].map((phrase) => phrase.split(' ')),
  ([first = '']) => first,
);

/** In letters. With one letter changed, a shorter word is another one: *stop* and *top*. */
const minMisspelt = 9;
/** These are known with one letter missing, added or changed, or with two swapped. */
const longWords = [...parts].flatMap(([word, part]) =>
  part === 'clear' && word.length >= minMisspelt && !word.includes(' ') ? [word] : [],
);

const starts = answerWords.flatMap(({ answer, words }) =>
  answer === 'start' ? words.map((word) => unmarkedWords(word)) : [],
);
/** Allowed beside a start, and beside a workspace’s own words, in addition to polite words. */
const besideAny = new Set(['ALL', 'SMS', 'MESSAGES']);

/**
 * Returns what a text means that is such an answer and nothing else: *Stop by our shop* isn’t. `unclear`: it may ask for an
 * end of messages, and a person has to decide. Case, punctuation and marks don’t count.
 *
 * @param extra one that is known means what it always means
 */
export function readStopAnswer(
  text: string,
  extra: ExtraWords = { stop: [], start: [] },
): StopAnswer | 'unclear' | undefined {
  const stop = readStop(text);
  if (stop === 'stop') {
    return 'stop';
  }
  if (text.trim().length <= maxLength) {
    const written = unmarkedWords(text);
    if (!text.includes('?') && starts.some((word) => isAnswer(written, word))) {
      return 'start';
    }
    const own = (['stop', 'start'] as const).find((answer) => isExtra(written, answer, extra));
    if (own !== undefined) {
      return own;
    }
  }
  return stop ?? (mentionsStop(text) ? 'unclear' : undefined);
}

/** Returns the words by which a text is a stop, where each is an everyday one: it may answer a question instead. */
export function everydayWords(stop: string, extra: ExtraWords): string[] {
  const found = partsOf(wordsOfStop(stop)) ?? [];
  const isCertain = found.some(({ part }) => part === 'stop' || part === 'clear' || part === 'ends');
  return isCertain || isExtra(unmarkedWords(stop), 'stop', extra)
    ? []
    : found.flatMap(({ part, phrase }) => (part === 'everyday' ? [phrase] : []));
}

/**
 * Returns whether a message of ours has one of such words, as in *Reply CANCEL to cancel your visit*. A sentence that names
 * it for opting out doesn’t count.
 */
export function asksFor(message: string, everyday: readonly string[]): boolean {
  const sentences = message.slice(0, maxRead).split(/[.!?\n]+/);
  return sentences.some((sentence) => {
    const words = unmarkedWords(sentence);
    const named = phrasesIn(words);
    const has = (part: Part) => named.some((each) => each.part === part);
    const isAboutOptingOut = has('clear') || (has('stop') && has('messages'));
    return !isAboutOptingOut && everyday.some((phrase) => ` ${words.join(' ')} `.includes(` ${phrase} `));
  });
}

/** Explains why a workspace's own word can't be used, as the end of a sentence; undefined if it can. */
export function explainUnusable(word: string, answer: StopAnswer, extra: ExtraWords): string | undefined {
  if (isAnswer(unmarkedWords(word), [])) {
    return 'has only filler words, such as “please”, or no letters';
  }
  if (word.trim().length > maxLength) {
    return `has more than ${maxLength} characters`;
  }
  const read = readStopAnswer(word, extra);
  if (read === answer) {
    return undefined;
  }
  return read === 'unclear'
    ? 'may already mean opting out'
    : `already means ${read === 'stop' ? 'opting out' : 'opting in'}`;
}

interface Phrase {
  part: Part;
  phrase: string;
  /** How many words it has. */
  length: number;
}

/** Returns the longest known phrase that begins at a word. A number beside a stop may be somebody else’s. */
function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  const longest = Math.max(0, ...(phrasesFrom.get(words[at] ?? '') ?? []).map(({ length }) => length));
  for (let length = Math.min(longest, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length).join(' ');
    const part = parts.get(phrase);
    if (part !== undefined) {
      return { part, phrase, length };
    }
  }
  const word = words[at] ?? '';
  if (longWords.some((known) => isMisspelling(word, known))) {
    return { part: 'clear', phrase: word, length: 1 };
  }
  return /^\d+$/.test(word) ? { part: 'wishes', phrase: '', length: 1 } : undefined;
}

function isMisspelling(word: string, known: string): boolean {
  const more = word.length - known.length;
  if (Math.abs(more) > 1) {
    return false;
  }
  const same = [...known].findIndex((letter, index) => letter !== word[index]);
  if (same < 0) {
    return true;
  }
  const rest = known.slice(same);
  const written = word.slice(same);
  const isSwapped = written[0] === rest[1] && written[1] === rest[0] && written.slice(2) === rest.slice(2);
  return isSwapped || written.slice(more < 0 ? 0 : 1) === rest.slice(more > 0 ? 0 : 1);
}

/** Returns the known phrases among words. */
function phrasesIn(words: readonly string[]): Phrase[] {
  const found: Phrase[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at);
    found.push(...(phrase === undefined ? [] : [phrase]));
    at += phrase?.length ?? 1;
  }
  return found;
}

/** Returns the known phrases that words consist of. Undefined if there is anything else. */
function partsOf(words: readonly string[]): Phrase[] | undefined {
  const found = phrasesIn(words);
  const known = found.reduce((total, { length }) => total + length, 0);
  return known === words.length ? found : undefined;
}

/** Returns what a whole text means that has no words but known ones. */
function readStop(text: string): 'stop' | 'unclear' | undefined {
  const isShort = text.trim().length <= maxStopLength;
  const found = isShort
    ? (partsOf(wordsOfStop(text)) ?? partsOf(wordsOfStop(withoutNames(text))))
    : undefined;
  const has = (...some: readonly Part[]) => found?.some(({ part }) => some.includes(part)) ?? false;
  if (has('nots', 'elsewhere')) {
    return undefined;
  }
  if (has('clear')) {
    return 'stop';
  }
  if (has('stop', 'ends')) {
    // “I don’t want the messages to stop” ends nothing.
    const isTurned = has('ends') && has('stop', 'everyday');
    const isWish = has('wishes', 'ends') && (!has('messages') || text.includes('?'));
    return isTurned || isWish ? 'unclear' : 'stop';
  }
  if (has('everyday')) {
    return has('objects', 'wishes') || text.includes('?') ? 'unclear' : 'stop';
  }
  return has('doubts') ? 'unclear' : undefined;
}

const clauseEnd = /[.,;:!?…()\n]+|\s[-–—~]/;
/** In words: a longer clause is a sentence. */
const maxName = 4;

/** Returns a text without the names of a greeting and a signature: `Dear Palm Market, please stop. Thanks, Ada Obi`. */
function withoutNames(text: string): string {
  const clauses = text.split(clauseEnd).filter((clause) => clause.trim() !== '');
  const isPolite = phrasesIn(unmarkedWords(text)).some(({ part }) => part === 'courtesy');
  const isSigned = isPolite || /\n|\s[-–—~]/.test(text);
  const [greeting = ''] = clauses;
  const isGreeting = phraseAt(unmarkedWords(greeting), 0)?.part === 'courtesy' && isName(greeting);
  const last = isSigned ? clauses.findLastIndex((clause) => !isName(clause)) : clauses.length - 1;
  return clauses.slice(isGreeting ? 1 : 0, last + 1).join('. ');
}

/** Whether a clause is a name, such as of a person or a shop, with only polite words beside it. */
function isName(clause: string): boolean {
  const written = clause.trim().split(/\s+/);
  const words = written.map((word) => unmarkedWords(word).join(''));
  let length = 0;
  for (let at = 0; at < words.length; ) {
    const known = phraseAt(words, at);
    if (known === undefined ? !/^\p{Lu}/u.test(written[at] ?? '') : known.part !== 'courtesy') {
      return false;
    }
    length += known === undefined ? 1 : 0;
    at += known?.length ?? 1;
  }
  return length > 0 && length <= maxName;
}

/** Returns whether one clause of a text is a stop, or the text asks for one in other words: a person has to read it. */
function mentionsStop(text: string): boolean {
  const read = text.slice(0, maxRead);
  const clauses = read.split(clauseEnd);
  if (clauses.length > 1 && clauses.some((clause) => readStop(clause) !== undefined)) {
    return true;
  }
  const words = unmarkedWords(read);
  const named = phrasesIn(words).map(({ part }) => part);
  if (named.includes('nots')) {
    return false;
  }
  // In a short answer, unknown words beside an end and what ends are how somebody writes it.
  const isShort = text.trim().length <= maxLength;
  const end = named.findIndex((part) => part === 'stop' || part === 'ends');
  const endsMessages = end >= 0 && named.slice(end).some((part) => part === 'messages' || part === 'objects');
  const isMisspelt = words.length === 1 && /^(?:STO+P[\p{L}\d]{0,2}|STPO|SOTP|TSOP)$/u.test(words[0] ?? '');
  return named.includes('clear') || (isShort && (endsMessages || named.includes('doubts') || isMisspelt));
}

/** Whether a text is a word of one or more parts, with only polite words beside and between them. */
function isAnswer(written: readonly string[], word: readonly string[]): boolean {
  let found = 0;
  for (let at = 0; at < written.length; ) {
    const each = written[at] ?? '';
    const beside = phraseAt(written, at);
    if (each === word[found]) {
      found += 1;
      at += 1;
    } else if (beside?.part === 'courtesy') {
      at += beside.length;
    } else if (besideAny.has(each)) {
      at += 1;
    } else {
      return false;
    }
  }
  return found === word.length;
}

function isExtra(written: readonly string[], answer: StopAnswer, extra: ExtraWords): boolean {
  return extra[answer].some((each) => {
    const word = unmarkedWords(each);
    return word.length > 0 && isAnswer(written, word);
  });
}

/** Returns the words of a text. `S.T.O.P`, `STOPPPP` and `ST0P`, with a zero, are read as `STOP`. */
function wordsOfStop(text: string): string[] {
  const words = unmarkedWords(text).map((word) =>
    word.replace(/0(?=\p{L})|(?<=\p{L})0/gu, 'O').replace(/(\p{L})\1{2,}/gu, '$1'),
  );
  return words.length > 2 && words.every((word) => word.length === 1) ? [words.join('')] : words;
}

/** Returns the words of a text: letters and digits, without marks and apostrophes, all in the same case. */
export function unmarkedWords(text: string): string[] {
  return text
    .toLowerCase()
    .toUpperCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ƁƊƘƳ]/g, (letter) => hausaLetters[letter] ?? letter)
    .replace(/(?<=\p{L})['’ʼ‘`´](?=\p{L})/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
