import type { CountryCode } from './countries.ts';
import { findInGroups, type Group, groupsOf, readGroups } from './number-groups.ts';
import type { PhoneNumber } from './phone-number.ts';
import { findPlainMobile } from './plain-mobile.ts';
import { digitsOf, type NumberProblem, plainCharacters, type ReadNumber } from './read-number.ts';

export interface ReadNumbers {
  /** In the order of their first occurrence, without duplicates. */
  numbers: PhoneNumber[];
  /** Text that is not a number, as typed, and why. */
  invalid: { text: string; reason: string; problem: NumberProblem }[];
  /** How many repetitions were dropped, in any spelling. */
  duplicates: number;
}

/** A number that a spreadsheet wrote with commas, or anything up to the next separator. */
const cells = /[^\S\t]*(?:(?:\d+[.,]\d+E[+-]?\d+|\d{1,3}(?:,\d{3}){2,})(?=\s*(?:[,;|\t]|$))|[^,;|\t]+)/gi;

/** `[10:14, 12/03/2026]` before a copied chat message; `1.` or `1)` before an entry of a list that also has digits. */
const beforeEntry = /^\s*(?:\[(?=[^\]]*\d:\d\d)[^\]]*\]|\d{1,3}[.)](?=\s))(?=\s*[\p{L}\d+(])(?=.*\d)/u;

/** `Ada Obi:`, `Ada Obi –` or `Ada Obi <` before a number. */
const label = /^[^\d+]{1,80}(?::|\s-\s|<)(?=[^\p{L}]*\d)/u;

/** *And* and *or* in English, French, Yoruba, Igbo, Hausa and Pidgin, without marks. */
const conjunctions = new Set('and or & plus nd et ou ati tabi pelu na ma da ko ne kuma abi'.split(' '));

/** Whether a word separates numbers like a comma. */
export function isConjunction(word: string): boolean {
  return conjunctions.has(word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
}

/** A link that opens a chat on WhatsApp. Its number has a country code and no plus. */
export const whatsAppLink =
  /(?:(?:https?:\/\/)?(?:www\.)?wa\.me\/|(?:whatsapp:\/|(?:https?:\/\/)?(?:api|web)\.whatsapp\.com)\/send\/?\?(?:[^\s&|<>]{0,200}&){0,5}phone=)(?:\+|%2B)?(\d{6,15})(?:[^\s,;|<>]|[,;](?=%))*/gi;

/** Returns the number of a link that calls it or writes to it. Digits in other addresses aren’t a number. */
export function numberOfLink(address: string): string | undefined {
  const [, written] = /^(?:tel|sms|smsto):([^?;&]*)/i.exec(address) ?? [];
  const [, digits] = new RegExp(`^${whatsAppLink.source}`, 'i').exec(address) ?? [];
  return written ?? (digits && withPlus(digits));
}

const withPlus = (digits: string) => (digits.startsWith('0') ? digits : `+${digits}`);

/**
 * Reads pasted numbers, from a spreadsheet, a chat or an e-mail. New lines, commas, semicolons, tabs and bars separate;
 * spaces separate too, and may also be inside a number (`number-groups.ts`). A name with a colon or a dash before a number
 * and the other columns of a spreadsheet row are ignored; all other text that is not a number is reported.
 */
export function readNumbers(text: string, defaultCountry: CountryCode): ReadNumbers {
  const digits = digitsOfOne(text);
  const plain = digits === undefined ? undefined : findPlainMobile(digits, defaultCountry);
  if (plain) {
    return { numbers: [plain], invalid: [], duplicates: 0 };
  }
  const list: ReadNumbers = { numbers: [], invalid: [], duplicates: 0 };
  const known = new Set<PhoneNumber>();
  const entries = linesOf(plainText(text)).flatMap((line) => {
    const cells = cellsOf(line).flatMap((cell) => readCell(cell, defaultCountry));
    const isRow = line.includes('\t') && cells.some(({ result }) => result.ok);
    return isRow ? cells.filter((entry) => entry.result.ok || /\d/.test(entry.text)) : cells;
  });
  for (const { text: typed, result } of entries) {
    if (!result.ok) {
      const { reason, problem } = result;
      list.invalid.push({ text: typed, reason, problem });
    } else if (known.has(result.number)) {
      list.duplicates += 1;
    } else {
      known.add(result.number);
    }
  }
  list.numbers.push(...known);
  return list;
}

const all = new Intl.ListFormat('en', { type: 'conjunction' });

/** At most this many invalid entries are named one by one. */
const maxNamed = 5;

/**
 * Names the first invalid entries, each reason once, and counts the rest: `“0803” and “0805”: too short for a number in
 * Nigeria. And 2 more.`
 */
export function describeInvalid(invalid: readonly { text: string; reason: string }[]): string {
  const byReason = Map.groupBy(invalid.slice(0, maxNamed), ({ reason }) => reason);
  const first = [...byReason].map(([reason, entries]) => {
    return `${nameInvalid(
      entries.map(({ text }) => text),
      reason,
    )}.`;
  });
  const more = invalid.length - maxNamed;
  return [...first, ...(more > 0 ? [`And ${more.toLocaleString('en')} more.`] : [])].join(' ');
}

/** Names invalid texts that have one reason: `“0803” and “0805”: too short for a number in Nigeria`. */
export function nameInvalid(texts: readonly string[], reason: string): string {
  const quoted = all.format(texts.map((text) => `“${text}”`));
  if (texts.length === 1) {
    return `${quoted} ${reason}`;
  }
  return /^(?:is|was) /.test(reason)
    ? `${quoted}: ${reason.replace(/^\w+ /, '')}`
    : `Each of ${quoted} ${reason}`;
}

/**
 * Finds the phone numbers in running text, each once, by first occurrence: `Call Ada on 0803 123 4567 or +44 7911 123456,
 * order 4711`. Spellings and separators are those that `readNumbers` reads. A number without a country code belongs to
 * `defaultCountry`.
 */
export function findNumbers(text: string, defaultCountry: CountryCode): PhoneNumber[] {
  const found = linesOf(plainText(text).replace(pauses, '\n'))
    .flatMap(cellsOf)
    .flatMap((cell) => runs(groupsOf(cell.replace(label, ''))))
    .flatMap(({ isNumber, groups }) => (isNumber ? findInGroups(groups, defaultCountry) : []));
  return [...new Set(found)];
}

/** What ends a number in running text: an amount of money, markup, signs beside a letter, the end of a sentence. */
const pauses =
  /\p{Sc}\s?\d[\d.]*|[*~`"=<>]|_(?!\d)|(?<!\d)_|(?<=\p{L})(?=\+)|(?<=\p{L})[^\p{L}\p{N}\s+]|[^\p{L}\p{N}\s+](?=\p{L})|[.:!?](?!\d)/gu;

/**
 * Returns the digits and plus of a text that can be one number only, if any: only dashes are between the digits, or
 * spaces where a cut would leave one side too short. A number that is cut off has at least eight digits, or six after a
 * plus or two zeros (`number-groups.ts`).
 */
function digitsOfOne(text: string): string | undefined {
  if (/^\+?\d+(?:-\d+)*$/.test(text)) {
    return digitsOf(text);
  }
  if (!/^(?:\+\d{1,5}|\d{1,7})(?: \d{1,7})+$/.test(text)) {
    return undefined;
  }
  const digits = digitsOf(text);
  return digits.replace('+', '').length <= 13 ? digits : undefined;
}

interface Entry {
  text: string;
  result: ReadNumber;
}

function plainText(text: string): string {
  return (
    plainCharacters(text)
      .replace(/<((?:https?|whatsapp|tel|sms|smsto):[^|<>]*)(?:\|[^<>]*)?>/gi, ' $1 ')
      .replace(/\b(?:tel|sms|smsto): *([+\d().-]*)(?:(?:[?&]|;(?=\?|ext=))[^\s,|<>]*)?/gi, ' $1')
      .replace(whatsAppLink, (_, digits: string) => ` ${withPlus(digits)} `)
      // A sign between two numbers. A plus that begins the second one stays.
      .replace(/(?<=\d)[^\S\r\n]*(?:&|\+(?=[^\S\r\n]*0))[^\S\r\n]*(?=[+(\d])/g, ', ')
      .replace(/(?<=\d{2})\+ *(?=\d{3})/g, ' +')
      .replace(/\+ +(?=\d)/g, '+')
  );
}

function linesOf(plain: string): string[] {
  return plain.split(/[\r\n]+/);
}

function cellsOf(line: string): string[] {
  return line.replace(beforeEntry, ' ').match(cells) ?? [];
}

function readCell(cell: string, country: CountryCode): Entry[] {
  const text = cell.replace(label, '');
  return runs(groupsOf(text)).flatMap((run) => {
    const read = run.isNumber
      ? readGroups(run.groups, country)
      : [{ groups: run.groups, result: notANumber }];
    return read.map(({ groups, result }) => ({
      text: text.slice(groups.at(0)?.start, groups.at(-1)?.end),
      result,
    }));
  });
}

const notANumber: ReadNumber = { ok: false, reason: 'is not a number', problem: 'not_a_number' };

/** Collects adjacent groups of a kind: with digits, or words. Conjunctions beside numbers end a run and are dropped. */
function runs(groups: Group[]): { isNumber: boolean; groups: Group[] }[] {
  const all: { isNumber: boolean; groups: Group[] }[] = [];
  let current: (typeof all)[number] | undefined;
  const isWord = (group: Group | undefined) =>
    group !== undefined && !/\d/.test(group.text) && !isConjunction(group.text);
  for (const [at, group] of groups.entries()) {
    const isNumber = /\d/.test(group.text);
    if (isConjunction(group.text) && !isWord(groups[at - 1]) && !isWord(groups[at + 1])) {
      current = undefined;
    } else if (current?.isNumber === isNumber) {
      current.groups.push(group);
    } else {
      current = { isNumber, groups: [group] };
      all.push(current);
    }
  }
  return all;
}
