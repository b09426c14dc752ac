import { compilePattern, type Program } from './regexp-program.ts';
import { addSteps, isCounting, uncounted } from './steps.ts';

const programs = new Map<string, Program>();
const compiled = new WeakMap<RegExp, Program>();

/**
 * Counts the steps of every pattern from here on. JavaScript's functions for texts and patterns all call `exec`, once it
 * isn't their own. The steps are those of a backtracking engine, as V8's is, and the machine's own engine gives the answer,
 * which has to be the same.
 */
export function countPatterns(): void {
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function countedExec(this: RegExp, given: string) {
    if (!isCounting()) {
      return exec.call(this, given);
    }
    const text = String(given);
    waiting.length = 0;
    marks.length = 0;
    const begin = this.global || this.sticky ? this.lastIndex : 0;
    const program = programOf(this);
    const found = begin > text.length ? undefined : find(program, text, begin, this);
    const match = exec.call(this, text);
    if (found?.start !== match?.index || (found && found.end - found.start) !== match?.[0].length) {
      throw new Error(`The steps of ${this} are counted wrongly for ${JSON.stringify(text)}`);
    }
    return match;
  };
}

function programOf(pattern: RegExp): Program {
  const known = compiled.get(pattern);
  if (known !== undefined) {
    return known;
  }
  const key = `${pattern.flags}/${pattern.source}`;
  const program = programs.get(key) ?? uncounted(() => compilePattern(pattern));
  programs.set(key, program);
  compiled.set(pattern, program);
  return program;
}

function find(program: Program, text: string, begin: number, { sticky, unicode, unicodeSets }: RegExp) {
  const [first] = program.instructions;
  for (let start = begin; start <= text.length; start += 1) {
    if (first?.do === 'take' && first.take(text, start) < 0) {
      addSteps(1);
    } else {
      const end = run(program, text, 0, start);
      if (end >= 0) {
        return { start, end };
      }
    }
    if (sticky || program.isAnchored) {
      return undefined;
    }
    if ((unicode || unicodeSets) && (text.codePointAt(start) ?? 0) > 0xffff) {
      start += 1;
    }
  }
  return undefined;
}

/** Alternatives still to try, each an instruction and a position; a negative instruction restores a mark. */
const waiting: number[] = [];
const marks: number[] = [];

/** Returns where the match ends that begins at a position, or -1. */
function run(program: Program, text: string, from: number, start: number): number {
  const base = waiting.length;
  let [next, at] = [from, start];
  let done = 0;
  for (;;) {
    done += 1;
    if (done === 1_000) {
      addSteps(done);
      done = 0;
    }
    const instruction = program.instructions[next];
    let goesOn = true;
    next += 1;
    switch (instruction?.do) {
      case 'take': {
        const after = instruction.take(text, at);
        goesOn = after >= 0;
        at = after;
        break;
      }
      case 'try':
        waiting.push(instruction.second, at);
        next = instruction.first;
        break;
      case 'jump':
        next = instruction.to;
        break;
      case 'assert':
        goesOn = instruction.holds(text, at);
        break;
      case 'look':
        goesOn = run(program, text, next, at) >= 0 !== instruction.isNegated;
        next = instruction.end;
        break;
      case 'mark':
        waiting.push(-1 - instruction.as, marks[instruction.as] ?? -1);
        marks[instruction.as] = at;
        break;
      case 'end round':
        goesOn = marks[instruction.begun] !== at;
        break;
      case 'take again': {
        const taken = text.slice(marks[instruction.from], marks[instruction.to]);
        goesOn = text.startsWith(taken, at);
        at += taken.length;
        break;
      }
      default:
        waiting.length = base;
        addSteps(done);
        return at;
    }
    while (!goesOn) {
      if (waiting.length === base) {
        addSteps(done);
        return -1;
      }
      at = waiting.pop() ?? 0;
      next = waiting.pop() ?? 0;
      goesOn = next >= 0;
      if (!goesOn) {
        marks[-1 - next] = at;
      }
    }
  }
}
