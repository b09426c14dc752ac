import { addMinutes, lagosTimestamp } from '../../lib/lagos-time.ts';
import { newContact, numberColumn } from '../phonebooks/contacts.ts';
import type { StoredPhonebook, StoredSenderId } from './state.ts';

export function seedSenderId(
  name: string,
  status: StoredSenderId['status'],
  now: Date,
  daysAgo: number,
): StoredSenderId {
  const createdAt = lagosTimestamp(addMinutes(now, -daysAgo * 24 * 60));
  return { sender_id: name, status, country: 'Nigeria', createdAt };
}

/** Creates a phonebook of `size` contacts with consecutive numbers and ids derived from the phonebook's. */
export function seedPhonebook({
  id,
  name,
  firstNumber,
  size,
  now,
}: {
  id: string;
  name: string;
  /** Without the country code. */
  firstNumber: number;
  size: number;
  now: Date;
}): StoredPhonebook {
  const contacts = Array.from({ length: size }, (_, index) => {
    const national = String(firstNumber + index);
    const contact = newContact(`234${national}`, { [numberColumn]: national }, now);
    return { ...contact, id: `${id.slice(0, -2)}${10 + index}` };
  });
  return {
    id,
    name,
    description: '',
    createdAt: lagosTimestamp(now),
    campaigns: 0,
    headers: [numberColumn],
    contacts,
    arriving: [],
  };
}
