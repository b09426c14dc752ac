/** Stands in a text for the code. */
export const codePlaceholder = '<code>';

export const defaultCodeText = 'Your code is <code>. It expires in <minutes> minutes.';

/** What a text must not contradict. */
export interface CodeLife {
  /** Characters of the code. */
  length: number;
  /** Minutes until the code expires. */
  minutes: number;
}

const minutesPlaceholder = /<minutes>(?:([ \u00A0])(minutes?)\b)?/gi;

/** Replaces `<minutes>`, and makes a *minutes* after it agree with the number. */
export function fillMinutes(text: string, minutes: number): string {
  return text.replace(minutesPlaceholder, (_, space?: string, noun?: string) =>
    space === undefined || noun === undefined
      ? String(minutes)
      : `${minutes}${space}${agree(noun, minutes === 1)}`,
  );
}

function agree(noun: string, isOne: boolean): string {
  const singular = noun.replace(/s$/i, '');
  return isOne ? singular : noun === singular ? `${noun}s` : noun;
}

export function fillCodeText(text: string, { code, minutes }: { code: string; minutes: number }): string {
  return fillMinutes(text, minutes).replaceAll(codePlaceholder, code);
}

/**
 * Checks the text of a code's message. Returns a sentence to show beside its field where the code is missing, or where
 * the text states another lifetime or length than the code has; otherwise `undefined`.
 */
export function checkCodeText(text: string, { length, minutes }: CodeLife): string | undefined {
  if (!text.includes(codePlaceholder)) {
    return `Write ${codePlaceholder} where the code goes.`;
  }
  const filled = fillMinutes(text, minutes);
  const wrongMinutes = statedMinutes(filled).find((stated) => stated !== minutes);
  if (wrongMinutes !== undefined) {
    return `The text says ${countOf(wrongMinutes, 'minute')}, but codes expire after ${minutes}. Write <minutes> for the number.`;
  }
  const wrongLength = statedLengths(filled).find((stated) => stated !== length);
  return wrongLength === undefined
    ? undefined
    : `The text says ${countOf(wrongLength, 'digit')}, but codes have ${length}.`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const units = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty'];

/** The numbers that texts spell out, 1 to 69. */
const spelled = new Map<string, number>([
  ...units.map((word, index) => [word, index + 1] as const),
  ...teens.map((word, index) => [word, index + 10] as const),
  ...tens.flatMap((word, index) => [
    [word, 20 + 10 * index] as const,
    ...units.map((unit, one) => [`${word}-${unit}`, 21 + 10 * index + one] as const),
  ]),
]);

/** The longest first, so that *twenty-five* is not read as *twenty*. */
const numberWords = [...spelled.keys()].toSorted((a, b) => b.length - a.length).join('|');
const number = String.raw`(?<![\d.,\p{L}])(\d{1,4}(?:[.,]\d{1,2})?|${numberWords})[\s\-]?`;
const timePattern = new RegExp(String.raw`${number}(min|minute|hr|hour|sec|second)s?(?!\p{L})`, 'giu');
const hourPattern = /(?<!\p{L})(half )?an hour(?!\p{L})/giu;
const lengthPattern = new RegExp(String.raw`${number}(?:digit|character|figure)s?(?!\p{L})`, 'giu');

/** Returns the durations that a text states, in minutes. */
export function statedMinutes(text: string): number[] {
  const counted = [...text.matchAll(timePattern)].map(([, count = '', unit = '']) =>
    toMinutes(numberNamed(count), unit.toLowerCase()),
  );
  const named = [...text.matchAll(hourPattern)].map(([, half]) => (half === undefined ? 60 : 30));
  return [...counted, ...named];
}

/** Returns the lengths of a code that a text states: 6 for *6-digit code*. */
export function statedLengths(text: string): number[] {
  return [...text.matchAll(lengthPattern)].map(([, count = '']) => numberNamed(count));
}

function numberNamed(text: string): number {
  return spelled.get(text.toLowerCase()) ?? Number(text.replace(',', '.'));
}

function toMinutes(count: number, unit: string): number {
  if (unit.startsWith('m')) {
    return count;
  }
  return unit.startsWith('h') ? count * 60 : count / 60;
}
