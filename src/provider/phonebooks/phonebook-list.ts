import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import {
  omitUndefined,
  optionalCount,
  optionalInstant,
  optionalText,
  record,
  text,
} from '../response/fields.ts';
import { type Page, page, pageParameters, pageQuery } from '../response/paging.ts';
import type { Phonebook } from './contacts.ts';

const listInput = z.object(pageQuery);

/** Beyond the description: public pages of such a provider show it. */
export function listOperation({
  phonebooksPath,
}: Dialect): ProviderOperation<z.output<typeof listInput>, Page<Phonebook>> {
  return {
    name: 'phonebooks.list',
    input: listInput,
    unavailable: () =>
      phonebooksPath === undefined
        ? 'Listing phonebooks is off: the provider’s profile has no `phonebooksPath`.'
        : undefined,
    request: (query) => ({ method: 'GET', path: phonebooksPath ?? '', query: pageParameters(query) }),
    expect: (asked) => ({ answer: page(listedPhonebook, asked) }),
  };
}

/** The fields have other names than in the answer with a phonebook's contacts (API §2.5). Both are read. */
const listedFields = {
  id: text,
  name: optionalText,
  phonebook_name: optionalText,
  total_number_of_contacts: optionalCount,
  total_contact: optionalCount,
  date_created: optionalInstant,
  createdAt: optionalInstant,
};

const listedPhonebook: z.ZodType<Phonebook> = record(listedFields, (read) =>
  omitUndefined({
    id: read.id,
    name: read.name ?? read.phonebook_name,
    totalContacts: read.total_number_of_contacts ?? read.total_contact,
    createdAt: read.date_created ?? read.createdAt,
  }),
);
