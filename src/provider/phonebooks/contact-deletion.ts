import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { pathId } from '../request/input-fields.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { omitUndefined, optionalObject, optionalText, record } from '../response/fields.ts';
import { contactsPath } from './contacts.ts';

/** The contact to delete (API §4.12). */
export interface ContactDeletion {
  readonly phonebookId: string;
  readonly contactId: string;
}

export interface ContactDeleted {
  readonly message?: string | undefined;
  readonly data?: { readonly message?: string } | undefined;
  readonly raw: unknown;
}

const deleteInput = z.object({ phonebookId: pathId, contactId: pathId });

export function deleteContactOperation({
  contactDeleteBy,
}: Dialect): ProviderOperation<z.output<typeof deleteInput>, ContactDeleted> {
  const location = readLocation(contactDeleteBy);
  return {
    name: 'phonebooks.deleteContact',
    input: deleteInput,
    unavailable: () =>
      location === undefined
        ? 'Deleting contacts is off: the provider’s profile has no `contactDeleteBy`.'
        : undefined,
    // A deletion without a contact may empty the phonebook. Each of these names one, and an id is never empty.
    request: ({ phonebookId, contactId }) => {
      const path = contactsPath(phonebookId);
      switch (location?.in) {
        case 'query':
          return { method: 'DELETE', path, query: { [location.name]: contactId } };
        case 'body':
          return { method: 'DELETE', path, json: { [location.name]: contactId } };
        default:
          return { method: 'DELETE', path: `${path}/${encodeURIComponent(contactId)}`, query: {} };
      }
    },
    expect: () => ({ answer: deletedContact }),
  };
}

/** Returns `undefined` where the field is absent or invalid, or names `api_key`, which the key would overwrite. */
function readLocation(field = ''): { in: string; name: string } | undefined {
  if (field === 'path') {
    return { in: 'path', name: '' };
  }
  const [, location, name] = /^(query|body):([A-Za-z_]\w*)$/.exec(field) ?? [];
  return location === undefined || name === undefined || name === 'api_key'
    ? undefined
    : { in: location, name };
}

/** Success is a `status` of `success` (API §7). An older format has only a message. */
const successful = z.union([
  z.looseObject({ status: z.string().regex(/^success$/i) }),
  z.looseObject({ status: z.null().optional(), message: z.string().regex(/\bdeleted successfully\b/i) }),
]);

const deletedContact: z.ZodType<ContactDeleted> = record(
  { message: optionalText, data: optionalObject({ message: optionalText }) },
  ({ message, data }) => omitUndefined({ message, data }),
).refine(({ raw }) => successful.safeParse(raw).success, { path: ['status'] });
