import { parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { type CountryCode, callingCodeOf } from './countries.ts';
import { type PhoneNumber, splitNumber, toE164 } from './phone-number.ts';
import { digitsOf, findNumber, type ReadNumber, readNumber } from './read-number.ts';

/**
 * Spaces are between numbers and inside them: `0803 123 4567 0805 123 4567`. This file decides which groups of digits
 * make a number. It never guesses: digits that can be divided in exactly one way are, and all others are reported.
 */

/** A piece of text between spaces, without surrounding punctuation. `start` and `end` are offsets in the text. */
export interface Group {
  text: string;
  start: number;
  end: number;
}

/** Groups that belong together, and how they were read. */
export interface ReadGroups {
  groups: Group[];
  result: ReadNumber;
}

/** No number is written in more groups. */
const maxGroups = 10;

/** Splits a text at spaces and slashes into pieces with a letter or a digit. */
export function groupsOf(text: string): Group[] {
  return [...text.matchAll(/[^\s/]+/g)].flatMap(({ 0: piece, index }) => {
    const opened = piece.replace(/^[^\p{L}\p{N}+(]+/u, '');
    // The lookbehind keeps it linear: a run of punctuation is tried once, not from each of its characters.
    const trimmed = opened.replace(/(?:^|(?<=[\p{L}\p{N})]))[^\p{L}\p{N})]+$/u, '');
    const start = index + piece.length - opened.length;
    return trimmed === '' ? [] : [{ text: trimmed, start, end: start + trimmed.length }];
  });
}

/** Reads every number in groups of digits. Groups that form no number are returned with the reason. */
export function readGroups(groups: Group[], country: CountryCode): ReadGroups[] {
  return stretches(groups, country).flatMap((stretch) => cutStretch(stretch, country, inList));
}

/**
 * Finds the numbers in groups of digits from running text, where other figures may precede and follow one:
 * `at 10 0803 123 4567 20 times`. Ignores digits that may not be a number.
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
 * Cuts where a number certainly begins or ends: before a plus, and around a group that is a number on its own. The one
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

/** Returns the number that all groups together make. */
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
  if (numberInFull([group], country) === undefined) {
    return false;
  }
  const beginning = digitsOf(joined(before.slice(0, 1)));
  const mayGoOn = isInternational(beginning) || beginning === callingCodeOf(country);
  return before.length >= maxGroups || !mayGoOn || numberOf(before, country) !== undefined;
}

/** The rules for dividing groups. */
interface Rules {
  /** Returns the number that groups make, if no digit beside them could belong to it. */
  number(groups: Group[], country: CountryCode): PhoneNumber | undefined;
  /** Whether a number may begin with a group that follows others. */
  isStart(group: Group, country: CountryCode): boolean;
  /** Whether anything may follow a number, and not only another number. */
  anyMayFollow: boolean;
}

const inList: Rules = {
  number: numberInFull,
  isStart: ({ text }) => /^\(*[+0]/.test(text),
  anyMayFollow: false,
};

/** In running text, digits in several groups are less certainly one number than in a list: `2026-11-21 12`. */
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
  const cut: ReadGroups[] = [];
  for (let next = cuts.first; next !== undefined; next = next.rest.first) {
    cut.push(next.taken);
  }
  if (cuts.ways === 1 && (cut.length === 1 || !asOne.result.ok)) {
    return cut;
  }
  const reason = 'may be one number or several: put each on its own line, without spaces inside';
  return [{ groups: stretch, result: { ok: false, reason, problem: 'not_a_number' } }];
}

interface Cuts {
  /** 0, 1, or 2 for several. */
  ways: number;
  /** One of the ways: the first number, and the cuts of what follows it. */
  first?: { taken: ReadGroups; rest: Cuts };
}

/** Counts the ways to cut groups into numbers only, each written in full. */
function waysToCut(groups: Group[], country: CountryCode, rules: Rules): Cuts {
  // From the last group to the first: `after[n]` are the ways to cut the rest once n + 1 groups are taken.
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
    after = [here, ...after].slice(0, maxGroups);
  }
  return after[0] ?? { ways: 0 };
}

/**
 * Among groups that are not all numbers, finds those that certainly are: from where one may start, such as a plus or a
 * leading zero, to where it may end. The others are reported together, as typed.
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
    const next = groups.slice(at, at + maxGroups + 1);
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
  // As it is dialled within the country or from abroad, so that no digit beside them could belong to it.
  const isInFull =
    number && (isInternational(compact) || compact.length >= 10 || isAsAtHome(compact, number));
  return isInFull ? number : undefined;
}

/** Fewer digits are never a number in full: in countries with numbers that short, longer numbers end with them. */
const fewestInFull = 8;

function isAsAtHome(compact: string, number: PhoneNumber): boolean {
  return parsePhoneNumberWithError(toE164(number)).formatNational().replace(/\D/g, '') === compact;
}

function joined(groups: Group[]): string {
  return groups.map(({ text }) => text).join(' ');
}
