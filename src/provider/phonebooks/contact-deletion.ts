import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { omitUndefined, optionalObject, optionalText, record } from '../response/fields.ts';
import { pathId } from '../request/input-fields.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { contactsPath } from './contacts.ts';

/** The one contact to delete (API §4.12). */
export interface ContactDeletion {
  readonly phonebookId: string;
  readonly contactId: string;
}

export interface ContactDeleted {
  readonly message?: string;
  readonly data?: { readonly message?: string };
  readonly raw: unknown;
}

const deleteInput = z.object({ phonebookId: pathId, contactId: pathId });

export function deleteContactOperation({
  contactDeleteBy,
}: Dialect): ProviderOperation<z.output<typeof deleteInput>, ContactDeleted> {
  const naming = readNaming(contactDeleteBy);
  return {
    name: 'phonebooks.deleteContact',
    input: deleteInput,
    unavailable: () =>
      naming === undefined
        ? 'Deleting a contact needs PROVIDER_CONTACT_DELETE_BY, how the provider wants to be told which one: ' +
          'path, query:NAME or body:NAME.'
        : undefined,
    // A delete that names no contact may empty the phonebook. Each of these names one, and an id is never empty.
    request: ({ phonebookId, contactId }) => {
      const path = contactsPath(phonebookId);
      switch (naming?.place) {
        case 'query':
          return { method: 'DELETE', path, query: { [naming.name]: contactId } };
        case 'body':
          return { method: 'DELETE', path, json: { [naming.name]: contactId } };
        default:
          return { method: 'DELETE', path: `${path}/${encodeURIComponent(contactId)}`, query: {} };
      }
    },
    expect: () => ({ answer: deletedContact }),
  };
}

/** `undefined` where the setting is not made, or names what already has a meaning: the key would take its place. */
function readNaming(setting = ''): { place: string; name: string } | undefined {
  if (setting === 'path') {
    return { place: 'path', name: '' };
  }
  const [, place, name] = /^(query|body):([A-Za-z_]\w*)$/.exec(setting) ?? [];
  return place === undefined || name === undefined || name === 'api_key' ? undefined : { place, name };
}

/** Success is a `status` of `success` (API §7). An older shape has nothing but the message that it was deleted. */
const successful = z.union([
  z.looseObject({ status: z.string().regex(/^success$/i) }),
  z.looseObject({ status: z.null().optional(), message: z.string().regex(/\bdeleted successfully\b/i) }),
]);

const deletedContact: z.ZodType<ContactDeleted> = record(
  { message: optionalText, data: optionalObject({ message: optionalText }) },
  ({ message, data }) => omitUndefined({ message, data }),
).refine(({ raw }) => successful.safeParse(raw).success, { path: ['status'] });
