import { LRUCache } from 'lru-cache';
import { expireAfter } from '../../lib/async-cache.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { ContactList, Contacts, ListedContact } from './contacts.ts';

/** A contact, and the zero-based page of the phonebook that it is on. */
export type FoundContact = ListedContact & { page: number };

export type ContactSearchResult =
  | {
      kind: 'searched';
      /** The first `maxFound` contacts that were found. */
      contacts: FoundContact[];
      /** How many were found. */
      found: number;
      /** How many were searched. */
      searched: number;
      /** Whether these are all contacts of the phonebook. */
      isWhole: boolean;
    }
  | Exclude<ContactList, { kind: 'listed' }>;

/**
 * Searches a phonebook page by page, up to `maxPages`: the API has no search (§4.12). A result is kept for a minute, so that
 * the way back to it costs no request. `progress` is called with the number of contacts searched.
 */
export type SearchContacts = (
  workspaceId: string,
  query: { phonebookId: string; search: string },
  options?: {
    signal?: AbortSignal | undefined;
    progress?: ((searched: number, total: number | undefined) => void) | undefined;
  },
) => Promise<ContactSearchResult>;

const maxPages = 100;
const maxFound = 100;
const maxCachedResults = 20;
const resultTtlMs = 60_000;

export function createContactSearch({ list, elapsed }: Pick<Contacts, 'list'> & { elapsed: Stopwatch }): {
  search: SearchContacts;
  /** Called when contacts change: the next search asks the provider. */
  forget(): void;
} {
  const results = new LRUCache<string, ContactSearchResult>({
    max: maxCachedResults,
    ...expireAfter({ ms: resultTtlMs, elapsed }),
  });
  let generation = 0;

  const searchPages: SearchContacts = async (
    workspaceId,
    { phonebookId, search },
    { signal, progress } = {},
  ) => {
    const contacts: FoundContact[] = [];
    let found = 0;
    let searched = 0;
    for (let page = 0; page < maxPages; page += 1) {
      const read = await list(workspaceId, { phonebookId, page }, { signal });
      if (read.kind !== 'listed') {
        return read;
      }
      const { number, last, totalElements } = read.page;
      // A provider that repeats a page has no more of them.
      const records = number < page ? [] : read.contacts;
      const matches = filterContacts(records, search);
      found += matches.length;
      searched += records.length;
      contacts.push(...matches.slice(0, maxFound - contacts.length).map((contact) => ({ ...contact, page })));
      if (last || records.length === 0) {
        return { kind: 'searched', contacts, found, searched, isWhole: true };
      }
      progress?.(searched, totalElements);
    }
    return { kind: 'searched', contacts, found, searched, isWhole: false };
  };

  return {
    async search(workspaceId, query, options) {
      const key = JSON.stringify([generation, workspaceId, query.phonebookId, query.search]);
      const cached = results.get(key);
      if (cached !== undefined) {
        return cached;
      }
      // A search under way is not shared: it ends when the one who began it no longer looks.
      const result = await searchPages(workspaceId, query, options);
      if (result.kind === 'searched') {
        results.set(key, result);
      }
      return result;
    },

    forget() {
      generation += 1;
    },
  };
}

/** Returns the contacts that contain the search text in a name, any other detail or the number. */
function filterContacts(contacts: readonly ListedContact[], search: string): ListedContact[] {
  const wanted = search.trim().toLowerCase();
  const digits = /^[+\d\s()-]+$/.test(wanted) ? wanted.replace(/\D/g, '').replace(/^0+/, '') : '';
  return contacts.filter(({ name, company, emailAddress, columns, number = '', written }) => {
    const texts = [name, company, emailAddress, written, ...columns.map(({ value }) => value)];
    return (
      texts.some((text) => text.toLowerCase().includes(wanted)) || (digits !== '' && number.includes(digits))
    );
  });
}
