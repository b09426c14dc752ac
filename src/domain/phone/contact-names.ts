import { maskNumber, type PhoneNumber } from './phone-number.ts';

/** A contact with its names. */
export interface CalledContact {
  firstName: string;
  lastName: string;
  /** Of one that came with a file, whose names are in columns of its own. */
  columns: readonly { key: string; value: string }[];
  /** Undefined where what is stored cannot be read as a number. */
  number: PhoneNumber | undefined;
}

/** In characters. */
const maxName = 120;
/** Candidates that a fault lists. */
const maxListed = 5;

/** What ends an item of a list of recipients. */
const separators = /([\r\n,;]+)/;

/** Returns the items of a list of recipients that can only be names: with letters, and without a digit. Each once. */
export function namesAmong(recipients: string): string[] {
  const items = recipients.split(separators).map((item) => item.trim());
  const names = items.filter((item) => item.length <= maxName && /\p{L}/u.test(item) && !/\p{N}/u.test(item));
  return [...new Set(names)];
}

/** Replaces the names in a list of recipients. What is no name stays exactly as it is. */
export function replaceNames(recipients: string, numbers: ReadonlyMap<string, PhoneNumber>): string {
  return recipients
    .split(separators)
    .map((item) => numbers.get(item.trim()) ?? item)
    .join('');
}

/**
 * Returns the number of the contact whose first name, last name or both a name is, in any case. The fault, a sentence to show
 * beside the field, says why it is that of nobody: of several contacts with different numbers none is guessed.
 */
export function findByName(
  name: string,
  contacts: readonly CalledContact[],
): { number: PhoneNumber } | { fault: string } {
  const wanted = plain(name);
  const found = contacts.filter((contact) => callsOf(contact).some((call) => plain(call) === wanted));
  const byNumber = new Map(found.map((contact) => [contact.number, contact]));
  const [only] = byNumber.keys();
  if (found.length === 0) {
    return { fault: `“${name}” is neither a number nor the name of a contact.` };
  }
  if (byNumber.size > 1) {
    return { fault: `“${name}” is the name of several contacts: ${listed([...byNumber.values()])}.` };
  }
  return only === undefined ? { fault: `“${name}” has no phone number that can be read.` } : { number: only };
}

/** What a contact is called: both names, the first one, the last one. Of names of several words, also the outer ones. */
function callsOf(contact: CalledContact): string[] {
  const first = contact.firstName || columnOf(contact, 'firstname');
  const last = contact.lastName || columnOf(contact, 'lastname', 'surname');
  const both = plain(`${first} ${last}`) === '' ? columnOf(contact, 'name', 'fullname') : `${first} ${last}`;
  const whole = both.slice(0, maxName).trim();
  const words = whole.split(/\s+/u);
  return [whole, first, last, words[0] ?? '', words.at(-1) ?? ''];
}

function columnOf({ columns }: CalledContact, ...titles: string[]): string {
  return columns.find(({ key }) => titles.includes(plain(key).replace(/[\s_-]/g, '')))?.value ?? '';
}

/** As names are compared. */
function plain(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

function listed(contacts: readonly CalledContact[]): string {
  const named = contacts.slice(0, maxListed).map((contact) => {
    const { number } = contact;
    return `${callsOf(contact)[0]} (${number === undefined ? 'without a number' : maskNumber(number)})`;
  });
  const more = contacts.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Write the whole name or the number`;
}
