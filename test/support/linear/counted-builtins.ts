import { addSteps } from './steps.ts';

interface Call {
  subject: unknown;
  given: readonly unknown[];
  result: unknown;
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : 1;
/** The whole text or array. */
const whole = ({ subject }: Call): number => lengthOf(subject);
const ofResult = ({ result }: Call): number => lengthOf(result);
const ofGiven = ({ given: [first] }: Call): number => lengthOf(first);
/** From where the search began to what it found, or to the end. */
const untilFound = ({ subject, given: [, from], result }: Call): number =>
  (Number(result) >= 0 ? Number(result) : lengthOf(subject)) - Number(from ?? 0);
const untilFoundFromEnd = ({ subject, result }: Call): number =>
  lengthOf(subject) - Math.max(0, Number(result));
const untilIncluded = ({ subject, given: [first], result }: Call): number => {
  const isText = typeof subject === 'string';
  const index = isText ? indexInText.call(subject, String(first)) : indexInArray.call(subject, first);
  return result === true ? index : lengthOf(subject);
};
/** A pattern counts its own steps. */
const unlessByPattern = (call: Call): number =>
  ofResult(call) + (typeof call.given[0] === 'string' ? whole(call) : 0);

const indexInText = String.prototype.indexOf;
const indexInArray = Array.prototype.indexOf;

/** Counts the characters and items that JavaScript's own functions go through, from here on. */
export function countBuiltins(): void {
  const texts = String.prototype;
  count(texts, whole, ['toLowerCase', 'toUpperCase', 'toLocaleLowerCase', 'toLocaleUpperCase', 'normalize']);
  count(texts, ofResult, ['slice', 'substring', 'concat', 'repeat', 'padStart', 'padEnd']);
  count(texts, ofResult, ['trim', 'trimStart', 'trimEnd']);
  count(texts, ofGiven, ['startsWith', 'endsWith', 'localeCompare']);
  count(texts, unlessByPattern, ['replace', 'replaceAll', 'split']);
  const arrays = Array.prototype;
  count(arrays, ofResult, ['slice', 'concat', 'flat', 'splice', 'with', 'toSpliced']);
  count(arrays, whole, ['map', 'filter', 'flatMap', 'forEach', 'reduce', 'reduceRight', 'fill', 'join']);
  count(arrays, whole, ['reverse', 'toReversed', 'sort', 'toSorted', 'unshift']);
  for (const prototype of [texts, arrays]) {
    count(prototype, untilFound, ['indexOf']);
    count(prototype, untilFoundFromEnd, ['lastIndexOf']);
    count(prototype, untilIncluded, ['includes']);
  }
  count(JSON, ofGiven, ['parse']);
  count(JSON, ofResult, ['stringify']);
  count(Array, ofResult, ['from']);
  count(Object, ofResult, ['keys', 'values', 'entries']);
  count(Object, ofGiven, ['fromEntries']);
}

function count(owner: object, cost: (call: Call) => number, names: readonly string[]): void {
  for (const name of names) {
    const original = Reflect.get(owner, name);
    Reflect.set(owner, name, function counted(this: unknown, ...given: unknown[]) {
      const result: unknown = Reflect.apply(original, this, given);
      addSteps(1 + cost({ subject: this, given, result }));
      return result;
    });
  }
}
