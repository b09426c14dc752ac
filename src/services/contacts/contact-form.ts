import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { isCountry } from '../../domain/phone/countries.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { readTypedNumber } from '../../domain/phone/read-number.ts';

/** A contact as typed into the form. */
export interface TypedContact {
  number: string;
  /** The country of a number that is typed without one. */
  country: string;
  firstName: string;
  lastName: string;
  company: string;
  emailAddress: string;
}

export interface ContactForm {
  number: PhoneNumber;
  firstName?: string;
  lastName?: string;
  company?: string;
  emailAddress?: string;
}

export type ReadContactForm =
  | { ok: true; contact: ContactForm }
  | { ok: false; faults: Partial<Record<keyof TypedContact, string>> };

/** Reads the whole form. Each fault is a sentence to show beside its field. */
export function readContactForm(typed: TypedContact): ReadContactForm {
  const country = isCountry(typed.country) ? typed.country : undefined;
  const number = country === undefined ? undefined : readTypedNumber(typed.number, country);
  const emailAddress = typed.emailAddress.trim();
  const badEmail = emailAddress !== '' && !z.email().safeParse(emailAddress).success;
  if (number?.ok !== true || badEmail) {
    const faults = definedFaults({
      country: country === undefined ? 'Choose a country.' : undefined,
      number: number?.ok === false ? (number.fault ?? 'Enter a phone number.') : undefined,
      emailAddress: badEmail ? 'This is not an email address.' : undefined,
    });
    return { ok: false, faults };
  }
  const details = Object.entries({
    firstName: typed.firstName.trim(),
    lastName: typed.lastName.trim(),
    company: typed.company.trim(),
    emailAddress,
  }).filter(([, value]) => value !== '');
  return { ok: true, contact: { number: number.number, ...Object.fromEntries(details) } };
}
