import type { ProviderAccount } from '../../provider/client.ts';
import type { FetchedList } from '../workspaces/account-list-cache.ts';

/** A phonebook in the provider's list. */
export interface ListedPhonebook {
  id: string;
  /** Empty where the provider names none. */
  name: string;
  contacts?: number | undefined;
}

const perPage = 100;
const maxPages = 10;

/** Returns the provider's list, at most its first thousand. */
export async function fetchPhonebooks({
  phonebooks,
}: Pick<ProviderAccount, 'phonebooks'>): Promise<FetchedList<ListedPhonebook>> {
  const listed = new Map<string, ListedPhonebook>();
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await phonebooks.list({ page, size: perPage });
    if (answer.kind !== 'accepted') {
      return { failure: 'The provider did not give its list' };
    }
    const before = listed.size;
    for (const { id, name = '', totalContacts } of answer.value.records) {
      listed.set(id, { id, name, contacts: totalContacts });
    }
    // A provider that repeats a page would never reach the last one.
    if (answer.value.last || listed.size === before) {
      return { records: [...listed.values()] };
    }
  }
  return { records: [...listed.values()], note: 'Only the first phonebooks are listed' };
}
