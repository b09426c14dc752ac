import { requestFieldFaults } from '../check-field.ts';
import type { RequestField, Rules } from '../types.ts';

/** A wording of a rule in the documentation, and a check for the same rule in the data. */
interface Demand {
  readonly words: RegExp;
  /** The rules that it covers. */
  readonly rules: readonly (keyof Rules)[];
  readonly heldBy: (field: RequestField, ...groups: string[]) => boolean;
}

const letters = (count: number) => 'a'.repeat(count);
const digits = (count: number) => '1'.repeat(count);

function takes(field: RequestField, right: readonly string[], wrong: readonly string[]): boolean {
  const isRight = (value: string) => requestFieldFaults({ ...field, is: 'string' }, value).length === 0;
  return right.every(isRight) && !wrong.some(isRight);
}

function bounds(field: RequestField, low: string, high: string, text: (count: number) => string): boolean {
  const [least, most] = [Number(low), Number(high)];
  return takes(field, [text(least), text(most)], [text(least - 1), text(most + 1)]);
}

const demands: readonly Demand[] = [
  {
    words: /(?:at most|up to) (\d+) numbers/,
    rules: ['maxItems'],
    heldBy: ({ maxItems }, most) => maxItems === Number(most),
  },
  {
    words: /\bmin(?:imum)? (\d+)/,
    rules: ['minimum'],
    heldBy: ({ minimum, maximum }, least) => minimum === Number(least) && maximum === undefined,
  },
  {
    words: /integer;?(?: minutes,?)? (\d+) to (\d+)/,
    rules: ['minimum', 'maximum'],
    heldBy: ({ minimum, maximum }, least, most) => minimum === Number(least) && maximum === Number(most),
  },
  {
    words: /alphanumeric (\d+) to (\d+) characters/,
    rules: ['pattern'],
    heldBy: (field, low = '', high = '') => bounds(field, low, high, letters) && takes(field, [], ['a b c']),
  },
  {
    words: /alphanumeric.* or numeric/,
    rules: ['pattern'],
    heldBy: (field) => takes(field, ['Abc12', digits(14)], ['a b c']),
  },
  {
    words: /(?:digits only|numeric), (\d+) to (\d+) (?:characters|digits)/,
    rules: ['pattern', 'minLength', 'maxLength'],
    heldBy: (field, low = '', high = '') =>
      bounds(field, low, high, digits) && takes(field, [], [letters(5)]),
  },
  {
    words: /international format/,
    rules: ['pattern'],
    heldBy: (field) => takes(field, [digits(13)], [`+${digits(13)}`, '1 1', letters(3)]),
  },
  {
    words: /numeric country code/,
    rules: ['pattern'],
    heldBy: (field) => takes(field, ['234'], ['+234', 'NG']),
  },
  {
    words: /ISO 3166-1 alpha-(\d)/,
    rules: ['pattern'],
    heldBy: (field, count) =>
      takes(field, ['A'.repeat(Number(count))], ['A'.repeat(Number(count) + 1), '234']),
  },
  {
    words: /<EMAIL>/,
    rules: ['pattern'],
    heldBy: (field) => takes(field, ['ada@example.com'], ['ada']),
  },
  {
    words: /Must not be used when `(.+)` is used/,
    rules: ['notWith'],
    heldBy: ({ notWith }, other) => notWith === other,
  },
  {
    words: /only for the .*chat channel/,
    rules: ['onlyWith'],
    heldBy: ({ onlyWith }) => onlyWith?.channel === 'chatapp',
  },
  {
    words: /for the chat channel, a device name/,
    rules: ['unless'],
    heldBy: ({ unless }) => unless?.channel === 'chatapp',
  },
  {
    words: /text containing the placeholder/,
    rules: ['contains'],
    heldBy: ({ contains }) => contains === 'pin_placeholder',
  },
  {
    words: /^(?:string; )?(`\w+`.*)/,
    rules: ['enum'],
    heldBy: ({ enum: values }, named = '') => same(values, named.match(/(?<=`)\w+(?=`)/g)),
  },
  {
    words: /(image .* audio .* video .*?)(?: \(|$)/,
    rules: ['formats'],
    heldBy: ({ formats }, named = '') => same(formats, named.match(/\b[A-Z][A-Z\d]+\b/g)),
  },
];

/** The rules that the documentation can express. */
const worded = new Set(demands.flatMap(({ rules }) => rules));

/** The differences between the documentation and the data in the rules of a field. */
export function disagreements(words: string, field: RequestField): string[] {
  const found = demands.flatMap(({ words: pattern, rules, heldBy }) => {
    const match = pattern.exec(words);
    return match
      ? [{ said: match[0], rules, numbers: match.slice(1), held: heldBy(field, ...match.slice(1)) }]
      : [];
  });
  const understood = found.flatMap(({ numbers }) => numbers).join(' ');
  const numbers = words.replace(/ISO \d+-\d+ alpha-\d|\d+\.\d+/g, '').match(/\b\d+\b/g) ?? [];
  const explained = new Set(found.flatMap(({ rules }) => rules));
  return [
    ...found.filter(({ held }) => !held).map(({ said }) => `the data lacks: ${said}`),
    ...numbers
      .filter((number) => !understood.includes(number))
      .map((number) => `nobody understands ${number}`),
    ...[...worded]
      .filter((rule) => field[rule] !== undefined && !explained.has(rule))
      .map((rule) => `only the data has: ${rule}`),
  ];
}

function same(one: readonly string[] | undefined, other: readonly string[] | null): boolean {
  return one !== undefined && other !== null && [...one].sort().join() === [...other].sort().join();
}
