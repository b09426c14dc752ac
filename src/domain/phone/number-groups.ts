import { parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { type CountryCode, callingCodeOf } from './countries.ts';
import { type PhoneNumber, splitNumber } from './phone-number.ts';
import { digitsOf, findNumber, type ReadNumber, readNumber } from './read-number.ts';

/**
 * Spaces stand between numbers and inside them: `0803 123 4567 0805 123 4567`. This file decides which groups of digits
 * make a number. It never guesses: where digits can be cut in one way only, they are; otherwise they are reported.
 */

/** A piece of text between spaces, without the punctuation around it. `start` and `end` are places in the text. */
export interface Group {
  text: string;
  start: number;
  end: number;
}

/** Groups that belong together, and what they are. */
export interface ReadGroups {
  groups: Group[];
  result: ReadNumber;
}

/** No number is written in more groups than this. */
const mostGroups = 10;

/** The pieces of a text that hold a letter or a digit; spaces and slashes stand between them. */
export function groupsOf(text: string): Group[] {
  return [...text.matchAll(/[^\s/]+/g)].flatMap(({ 0: piece, index }) => {
    const opened = piece.replace(/^[^\p{L}\p{N}+(]+/u, '');
    // Begins where it may only: a run of punctuation is then passed once, not from each of its characters.
    const trimmed = opened.replace(/(?:^|(?<=[\p{L}\p{N})]))[^\p{L}\p{N})]+$/u, '');
    const start = index + piece.length - opened.length;
    return trimmed === '' ? [] : [{ text: trimmed, start, end: start + trimmed.length }];
  });
}

/** Reads every number in groups of digits; what is left over is a refusal with its reason. */
export function readGroups(groups: Group[], country: CountryCode): ReadGroups[] {
  return stretches(groups, country).flatMap((stretch) => cutStretch(stretch, country, inList));
}

/**
 * Finds the numbers in groups of digits out of running text, where other figures may stand before and after one:
 * `at 10 0803 123 4567 20 times`. What is not surely a number is passed over.
 */
export function findInGroups(groups: Group[], country: CountryCode): PhoneNumber[] {
  return stretches(groups, country)
    .flatMap((stretch) => cutStretch(stretch, country, inText))
    .flatMap(({ groups, result }) => (result.ok ? (inText.number(groups, country) ?? []) : []));
}

function isInternational(compact: string): boolean {
  return /^(?:\+|00)/.test(compact);
}

/**
 * Cuts where a number surely begins or ends: before a plus, and around a group that is a number by itself. The one
 * exception is such a group after the beginning of an international number, which it completes: `+91 8031234567`.
 */
export function stretches(groups: Group[], country: CountryCode): Group[][] {
  const all: Group[][] = [];
  let current: Group[] = [];
  for (const group of groups) {
    if (current.length > 0 && beginsAnother(current, group, country)) {
      all.push(current);
      current = [];
    }
    current.push(group);
  }
  return current.length > 0 ? [...all, current] : all;
}

/** The number that groups are when all of them are taken for one. */
export function numberOf(groups: Group[], country: CountryCode): PhoneNumber | undefined {
  return findNumber(joined(groups), country);
}

function beginsAnother(before: Group[], group: Group, country: CountryCode): boolean {
  if (group.text.includes('+')) {
    return true;
  }
  if (before.length === 1 && numberInFull(before, country)) {
    return true;
  }
  return numberInFull([group], country) !== undefined && !awaitsMore(before, country);
}

function awaitsMore(groups: Group[], country: CountryCode): boolean {
  if (groups.length >= mostGroups) {
    return false;
  }
  const beginning = digitsOf(joined(groups.slice(0, 1)));
  const mayGoOn = isInternational(beginning) || beginning === callingCodeOf(country);
  return mayGoOn && !numberOf(groups, country);
}

/** What counts where groups are cut. */
interface Rules {
  /** The number that groups are, where no digit beside them could belong to it. */
  number(groups: Group[], country: CountryCode): PhoneNumber | undefined;
  /** Whether a number may begin with a group that others stand before. */
  isStart(group: Group, country: CountryCode): boolean;
  /** Whether anything may follow a number, rather than another number alone. */
  anyMayFollow: boolean;
}

const inList: Rules = {
  number: numberInFull,
  isStart: ({ text }) => /^\(*[+0]/.test(text),
  anyMayFollow: false,
};

/** Digits in several groups are less surely one number than where numbers alone were asked for: `2026-11-21 12`. */
const inText: Rules = {
  number(groups, country) {
    const number = numberInFull(groups, country);
    const compact = digitsOf(joined(groups));
    if (number === undefined || isInternational(compact)) {
      return number;
    }
    const { countryCode } = splitNumber(number);
    if (countryCode !== callingCodeOf(country)) {
      return undefined;
    }
    const isSure = groups.length === 1 || compact.startsWith(countryCode) || isAsAtHome(compact, number);
    return isSure ? number : undefined;
  },
  isStart: (group, country) =>
    inList.isStart(group, country) || digitsOf(group.text).startsWith(callingCodeOf(country)),
  anyMayFollow: true,
};

function cutStretch(stretch: Group[], country: CountryCode, rules: Rules): ReadGroups[] {
  const asOne = { groups: stretch, result: readNumber(joined(stretch), country) };
  if (stretch.length === 1) {
    return [asOne];
  }
  const cuts = waysToCut(stretch, country, rules);
  if (cuts.ways === 0) {
    return asOne.result.ok ? [asOne] : rescue(stretch, country, rules);
  }
  const cut = cutOf(cuts);
  if (cuts.ways === 1 && (cut.length === 1 || !asOne.result.ok)) {
    return cut;
  }
  const reason = 'may be one number or several: put each on its own line, without spaces inside';
  return [{ groups: stretch, result: { ok: false, reason } }];
}

interface Cuts {
  /** 0, 1, or 2 for several. */
  ways: number;
  /** One of the ways: the first number, and the cuts of what follows it. */
  first?: { taken: ReadGroups; rest: Cuts };
}

/** The ways to cut groups into nothing but numbers, each written in full. */
function waysToCut(groups: Group[], country: CountryCode, rules: Rules): Cuts {
  // From the last group to the first: `after[n]` are the ways to cut what follows once n + 1 groups are taken.
  let after: Cuts[] = [{ ways: 1 }];
  for (let at = groups.length - 1; at >= 0; at--) {
    const here: Cuts = { ways: 0 };
    for (const [index, rest] of after.entries()) {
      const taken = groups.slice(at, at + index + 1);
      const number = rest.ways > 0 ? rules.number(taken, country) : undefined;
      if (!number) {
        continue;
      }
      here.ways = Math.min(2, here.ways + rest.ways);
      here.first = { taken: { groups: taken, result: { ok: true, number } }, rest };
    }
    after = [here, ...after].slice(0, mostGroups);
  }
  return after[0] ?? { ways: 0 };
}

function cutOf({ first }: Cuts): ReadGroups[] {
  const cut: ReadGroups[] = [];
  for (let next = first; next !== undefined; next = next.rest.first) {
    cut.push(next.taken);
  }
  return cut;
}

/**
 * Among groups that are not all numbers, takes those that surely are: from where one may start, such as a plus or a
 * leading zero, to where it may end. The others are reported together, as they were typed.
 */
function rescue(groups: Group[], country: CountryCode, rules: Rules): ReadGroups[] {
  const found: ReadGroups[] = [];
  let unread: Group[] = [];
  const report = () => {
    if (unread.length > 0) {
      found.push({ groups: unread, result: readNumber(joined(unread), country) });
    }
    unread = [];
  };
  for (let at = 0; at < groups.length; ) {
    const next = groups.slice(at, at + mostGroups + 1);
    const taken = numberAtStart(next, country, rules);
    if (taken) {
      report();
      found.push(taken);
    } else {
      unread.push(...next.slice(0, 1));
    }
    at += taken?.groups.length ?? 1;
  }
  report();
  return found;
}

function numberAtStart(groups: Group[], country: CountryCode, rules: Rules): ReadGroups | undefined {
  const [first] = groups;
  if (first === undefined || !rules.isStart(first, country)) {
    return undefined;
  }
  const candidates = groups.flatMap((_, index) => {
    const next = groups[index + 1];
    const mayEnd = rules.anyMayFollow || next === undefined || rules.isStart(next, country);
    const taken = groups.slice(0, index + 1);
    const number = mayEnd ? rules.number(taken, country) : undefined;
    return number ? [{ groups: taken, result: { ok: true as const, number } }] : [];
  });
  return candidates.length === 1 ? candidates[0] : undefined;
}

function numberInFull(groups: Group[], country: CountryCode): PhoneNumber | undefined {
  const compact = digitsOf(joined(groups));
  if ((compact.length < fewestInFull && !compact.startsWith('+')) || compact.startsWith('000')) {
    return undefined;
  }
  const number = numberOf(groups, country);
  return number && isWrittenInFull(compact, number) ? number : undefined;
}

/** Fewer digits are never a number in full: where numbers are that short, longer ones end with them. Nor are zeros alone. */
const fewestInFull = 8;

/**
 * Whether digits hold a number in full, so that no digit beside them could belong to it: as it is written at home or
 * abroad.
 */
function isWrittenInFull(compact: string, number: PhoneNumber): boolean {
  if (isInternational(compact) || compact.length >= 10) {
    return true;
  }
  return isAsAtHome(compact, number);
}

function isAsAtHome(compact: string, number: PhoneNumber): boolean {
  return parsePhoneNumberWithError(number).formatNational().replace(/\D/g, '') === compact;
}

function joined(groups: Group[]): string {
  return groups.map(({ text }) => text).join(' ');
}
