import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** One instruction of a compiled pattern. */
export type Instruction =
  /** Returns the position after what it takes at a position, or -1. */
  | { do: 'take'; take: (text: string, at: number) => number }
  | { do: 'try'; first: number; second: number }
  | { do: 'jump'; to: number }
  | { do: 'assert'; holds: (text: string, at: number) => boolean }
  | { do: 'look'; isNegated: boolean; end: number }
  /** Notes the position. */
  | { do: 'mark'; as: number }
  /** A round of a loop that takes nothing fails, as the language has it. */
  | { do: 'end round'; begun: number }
  /** Takes what a group took. */
  | { do: 'take again'; from: number; to: number }
  | { do: 'match' };

export interface Program {
  instructions: readonly Instruction[];
  /** It can match only at the start of the text, and is tried only there. */
  isAnchored: boolean;
}

const parser = new RegExpParser({ ecmaVersion: 2025 });
/** `exec` as it was before calls of it were counted. */
const { exec } = RegExp.prototype;

/** Compiles a pattern into what a backtracking engine does for it. Throws at a back reference in a look-behind. */
export function compilePattern({ source, flags }: RegExp): Program {
  const unicode = flags.includes('u');
  const unicodeSets = flags.includes('v');
  const { alternatives } = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const instructions: Instruction[] = [];
  const isByCodePoint = unicode || unicodeSets;
  /** Flags that change what one character matches. */
  const ofCharacters = [...'isuv'].filter((flag) => flags.includes(flag)).join('');
  let marks = 0;
  const groups = new Map<AST.CapturingGroup, { from: number; to: number }>();

  function anyOf(choices: readonly AST.Alternative[], isBackward: boolean): void {
    const [one, ...rest] = choices;
    if (one === undefined) {
      return;
    }
    if (rest.length === 0) {
      const elements = isBackward ? one.elements.toReversed() : one.elements;
      for (const element of elements) {
        emit(element, isBackward);
      }
      return;
    }
    const choice = { do: 'try' as const, first: instructions.length + 1, second: 0 };
    instructions.push(choice);
    anyOf([one], isBackward);
    const jump = { do: 'jump' as const, to: 0 };
    instructions.push(jump);
    choice.second = instructions.length;
    anyOf(rest, isBackward);
    jump.to = instructions.length;
  }

  function emit(element: AST.Element, isBackward: boolean): void {
    switch (element.type) {
      case 'Group':
        anyOf(element.alternatives, isBackward);
        return;
      case 'CapturingGroup':
        capture(element, isBackward);
        return;
      case 'Quantifier':
        repeat(element, isBackward);
        return;
      case 'Assertion':
        assertion(element);
        return;
      case 'Backreference': {
        const group = [element.resolved].flat().map((each) => groups.get(each))[0];
        if (group === undefined || isBackward) {
          throw new Error(`The steps of this back reference aren't counted: ${source}`);
        }
        instructions.push({ do: 'take again', ...group });
        return;
      }
      default:
        instructions.push({ do: 'take', take: taker(element.raw, ofCharacters, isByCodePoint, isBackward) });
    }
  }

  function capture(group: AST.CapturingGroup, isBackward: boolean): void {
    if (group.references.length === 0) {
      anyOf(group.alternatives, isBackward);
      return;
    }
    const [first, second] = [marks, marks + 1];
    marks += 2;
    groups.set(group, isBackward ? { from: second, to: first } : { from: first, to: second });
    instructions.push({ do: 'mark', as: first });
    anyOf(group.alternatives, isBackward);
    instructions.push({ do: 'mark', as: second });
  }

  function repeat({ element, min, max, greedy }: AST.Quantifier, isBackward: boolean): void {
    for (let times = 0; times < min; times += 1) {
      emit(element, isBackward);
    }
    if (max === Number.POSITIVE_INFINITY) {
      const start = instructions.length;
      const choice = optional(element, greedy, isBackward);
      instructions.push({ do: 'jump', to: start });
      leave(choice, greedy);
      return;
    }
    const choices = Array.from({ length: max - min }, () => optional(element, greedy, isBackward));
    for (const choice of choices) {
      leave(choice, greedy);
    }
  }

  function optional(element: AST.Element, isGreedy: boolean, isBackward: boolean) {
    const body = instructions.length + 1;
    const choice = { do: 'try' as const, first: isGreedy ? body : 0, second: isGreedy ? 0 : body };
    const begun = marks;
    marks += 1;
    instructions.push(choice, { do: 'mark', as: begun });
    emit(element, isBackward);
    instructions.push({ do: 'end round', begun });
    return choice;
  }

  function leave(choice: { first: number; second: number }, isGreedy: boolean): void {
    choice[isGreedy ? 'second' : 'first'] = instructions.length;
  }

  function assertion(element: AST.Assertion): void {
    if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
      const look = { do: 'look' as const, isNegated: element.negate, end: 0 };
      instructions.push(look);
      anyOf(element.alternatives, element.kind === 'lookbehind');
      instructions.push({ do: 'match' });
      look.end = instructions.length;
      return;
    }
    const ofLines = flags.includes('m');
    const holds = {
      start: (text: string, at: number) => at === 0 || (ofLines && isLineEnd(text.charCodeAt(at - 1))),
      end: (text: string, at: number) => at === text.length || (ofLines && isLineEnd(text.charCodeAt(at))),
      word: (text: string, at: number) =>
        (isWordAt(text, at - 1) !== isWordAt(text, at)) !== (element.kind === 'word' && element.negate),
    }[element.kind];
    instructions.push({ do: 'assert', holds });
  }

  anyOf(alternatives, false);
  instructions.push({ do: 'match' });
  const isAnchored =
    !flags.includes('m') &&
    alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start');
  return { instructions, isAnchored };
}

const isWordAt = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && isWord(text.charCodeAt(at));
const isLineEnd = (unit: number): boolean => [0x0a, 0x0d, 0x2028, 0x2029].includes(unit);

const known = new Map<string, (code: number) => boolean>();

/** What a character, or a class of characters, takes. The machine's own engine says which characters those are. */
function taker(raw: string, flags: string, isByCodePoint: boolean, isBackward: boolean) {
  if (raw.startsWith('\\p{RGI_')) {
    const pattern = new RegExp(raw, `${flags}y`);
    return (text: string, at: number): number => {
      pattern.lastIndex = at;
      return exec.call(pattern, text) === null ? -1 : pattern.lastIndex;
    };
  }
  const key = `${raw}/${flags}`;
  const isOne = known.get(key) ?? characterTest(new RegExp(`^(?:${raw})$`, flags));
  known.set(key, isOne);
  if (isBackward) {
    return (text: string, at: number): number => {
      const pair = isByCodePoint && at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
      const before = at - (pair > 0xffff ? 2 : 1);
      return before >= 0 && isOne(pair > 0xffff ? pair : text.charCodeAt(before)) ? before : -1;
    };
  }
  return (text: string, at: number): number => {
    const code = isByCodePoint ? text.codePointAt(at) : text.charCodeAt(at);
    return at < text.length && isOne(code ?? 0) ? at + ((code ?? 0) > 0xffff ? 2 : 1) : -1;
  };
}

const isWord = characterTest(/^\w$/);

/** Asks a pattern for each character once. */
function characterTest(pattern: RegExp): (code: number) => boolean {
  const answers: boolean[] = [];
  return (code) => (answers[code] ??= exec.call(pattern, String.fromCodePoint(code)) !== null);
}
