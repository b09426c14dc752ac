import { showNumber } from '../access/private-values.ts';
import type { PhoneNumber } from './phone-number.ts';

/** A contact with its names. */
export interface CalledContact {
  firstName: string;
  lastName: string;
  /** Of one that came with a file, whose names are in columns of its own. */
  columns: readonly { key: string; value: string }[];
  /** Undefined if the stored text can't be read as a number. */
  number: PhoneNumber | undefined;
}

/** In characters. */
const maxName = 120;
/** Candidates that a fault lists. */
const maxListed = 5;

/** What ends an item of a list of recipients. */
const separators = /([\r\n,;]+)/;

/** A name may have digits, as in *Store 24 Ikeja*, but fewer than a phone number. */
const fewestOfNumber = 7;
/** A contact's name has at most this many commas. */
const maxCommas = 2;

/** Returns the items of a list of recipients that may be names. Each once. */
export function namesAmong(recipients: string): string[] {
  const items = recipients.split(separators).map((item) => item.trim());
  return [...new Set(items.filter(mayBeName))];
}

function mayBeName(item: string): boolean {
  const digits = item.match(/\p{N}/gu)?.length ?? 0;
  return item.length <= maxName && /\p{L}/u.test(item) && digits < fewestOfNumber;
}

/**
 * Replaces the names in a list of recipients by the contacts' numbers: first name, last name or both, in any case. A comma may
 * be inside a name: *Obi, Ada* is Ada Obi, unless somebody else is called *Obi* or *Ada*. Nobody is guessed: the faults,
 * sentences to show beside the field, name what nobody, several or perhaps several contacts are called. What is no name stays
 * exactly as it is, and so does a text with digits that names nobody.
 */
export function resolveNames(
  recipients: string,
  contacts: readonly CalledContact[],
): { recipients: string; numbers: ReadonlyMap<string, PhoneNumber>; faults: readonly string[] } {
  const byCall = new Map<string, Set<CalledContact>>();
  for (const contact of contacts) {
    for (const call of callsOf(contact).map(plain)) {
      byCall.set(call, (byCall.get(call) ?? new Set()).add(contact));
    }
  }
  const callers = (name: string) => [...(byCall.get(plain(name)) ?? [])];
  const numbers = new Map<string, PhoneNumber>();
  const faults = new Set<string>();
  /** Items, each followed by its separator. */
  const pieces = recipients.split(separators);
  let written = '';
  for (let at = 0; at < pieces.length; ) {
    const items = [(pieces[at] ?? '').trim()];
    let parts = [...items];
    for (let comma = at + 1; pieces[comma] === ',' && items.length <= maxCommas; comma += 2) {
      items.push((pieces[comma + 1] ?? '').trim());
      parts = callers(items.join(', ')).length > 0 ? [...items] : parts;
    }
    const name = parts.join(', ');
    const end = at + 2 * parts.length - 1;
    const found = mayBeName(name) ? callers(name) : [];
    const [number, ...others] = new Set(found.map((contact) => contact.number));
    const isElse = (contact: CalledContact) => contact.number !== number;
    if (!mayBeName(name) || (found.length === 0 && /\p{N}/u.test(name))) {
      written += pieces.slice(at, end).join('');
    } else if (found.length === 0) {
      faults.add(`“${name}” is neither a number nor the name of a contact.`);
    } else if (others.length > 0) {
      faults.add(`“${name}” is the name of several contacts: ${listed(found)}.`);
    } else if (parts.length > 1 && parts.some((part) => callers(part).some(isElse))) {
      faults.add(
        `“${name}” may be one contact or ${parts.length}. Put each name on its own line, or enter the number.`,
      );
    } else if (number === undefined) {
      faults.add(`“${name}” has no phone number that can be read.`);
    } else {
      numbers.set(name, number);
      written += number;
    }
    written += pieces[end] ?? '';
    at = end + 1;
  }
  return { recipients: written, numbers, faults: [...faults] };
}

/** What a contact is called: both names in either order, the first one, the last one. Of several words, also the outer ones. */
function callsOf(contact: CalledContact): string[] {
  const first = contact.firstName || columnOf(contact, 'firstname');
  const last = contact.lastName || columnOf(contact, 'lastname', 'surname');
  const both = plain(`${first} ${last}`) === '' ? columnOf(contact, 'name', 'fullname') : `${first} ${last}`;
  const whole = both.slice(0, maxName).trim();
  const words = whole.split(/\s+/u);
  return [whole, `${last}, ${first}`, first, last, words[0] ?? '', words.at(-1) ?? ''];
}

function columnOf({ columns }: CalledContact, ...titles: string[]): string {
  return columns.find(({ key }) => titles.includes(plain(key).replace(/[\s_-]/g, '')))?.value ?? '';
}

/** As names are compared. */
function plain(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/gu, ' ').replace(/ ?, ?/g, ', ').toLowerCase();
}

/** Each number once. */
function listed(found: readonly CalledContact[]): string {
  const contacts = [...new Map(found.map((contact) => [contact.number, contact])).values()];
  const named = contacts.slice(0, maxListed).map((contact) => {
    const { number } = contact;
    return `${callsOf(contact)[0]} (${number === undefined ? 'without a number' : showNumber(number, 'record')})`;
  });
  const more = contacts.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Write the whole name or the number`;
}
