import type { Stopwatch } from '../../lib/time/clock.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import { ProviderFailure } from '../../provider/errors.ts';
import type { Page } from '../../provider/response/paging.ts';

/** A list of an account, possibly outdated or incomplete. */
export interface KnownList<T> {
  records: readonly T[];
  /** Why the list may be outdated, cut off or empty, for the user. */
  note?: string | undefined;
}

/** The whole list, or why it could not be fetched. */
export type FetchedList<T> = KnownList<T> | { failure: string };

interface State<T> {
  known?: KnownList<T> | undefined;
  /** By the clock of `elapsed`. */
  fetchedAt: number;
  fetching?: Promise<KnownList<T>> | undefined;
}

/** In milliseconds: what a list to choose from may take to open, less what else is done for it. */
const defaultTimeoutMs = 1_200;

export type AccountListCache<T> = ReturnType<typeof createAccountListCache<T>>;

/** Caches a list of each account that takes long to fetch and that users choose from. */
export function createAccountListCache<T>(options: {
  fetch: (account: ProviderAccount) => Promise<FetchedList<T>>;
  /** How long a list is served without asking the provider. */
  ttlMs: number;
  elapsed: Stopwatch;
  timers: Timers;
}) {
  const { ttlMs, elapsed, timers } = options;
  // Weak: the cached lists of an account go when it is disconnected.
  const states = new WeakMap<ProviderAccount, State<T>>();

  function stateOf(account: ProviderAccount): State<T> {
    const state = states.get(account) ?? { fetchedAt: Number.NEGATIVE_INFINITY };
    states.set(account, state);
    return state;
  }

  function lastKnown({ known }: State<T>, why: string): KnownList<T> {
    return known === undefined
      ? { records: [], note: why }
      : { records: known.records, note: `${why}: shown as last seen` };
  }

  async function fetch(account: ProviderAccount, state: State<T>): Promise<KnownList<T>> {
    const startedAt = elapsed();
    const fetched = await options.fetch(account);
    if ('failure' in fetched) {
      return lastKnown(state, fetched.failure);
    }
    state.known = fetched;
    state.fetchedAt = startedAt;
    return fetched;
  }

  function fresh(account: ProviderAccount): KnownList<T> | undefined {
    const { known, fetchedAt } = stateOf(account);
    return elapsed() - fetchedAt < ttlMs ? known : undefined;
  }

  /** Returns the cached list while it is fresh, else fetches it. If that fails: the last known list, with a note. */
  function get(account: ProviderAccount): Promise<KnownList<T>> {
    const known = fresh(account);
    if (known !== undefined) {
      return Promise.resolve(known);
    }
    const state = stateOf(account);
    state.fetching ??= fetch(account, state).finally(() => {
      state.fetching = undefined;
    });
    return state.fetching;
  }

  return {
    get,
    /** As `get`, but resolves within `timeoutMs` whatever the provider does: then with the last known list and a note. */
    getWithin: (account: ProviderAccount, timeoutMs = defaultTimeoutMs) =>
      withTimeout(get(account), timeoutMs, () => lastKnown(stateOf(account), 'The provider is slow'), timers),
    /** Called when the list has changed at the provider: the next `get` fetches it. */
    invalidate(account: ProviderAccount): void {
      // A new state: the fetch that is under way may lack the change.
      states.set(account, { known: stateOf(account).known, fetchedAt: Number.NEGATIVE_INFINITY });
    },
  };
}

/** Of one list. */
const maxRecords = 1_000;

/** Returns a note about the provider's entries that lack a required field and aren't shown. */
export function unreadableNote(count: number): string | undefined {
  if (count === 0) {
    return undefined;
  }
  return count === 1
    ? '1 entry can’t be read and isn’t shown'
    : `${count} entries can’t be read and aren’t shown`;
}

/**
 * Reads the records of all pages, up to `maxRecords`, each key once. The note counts unreadable entries.
 *
 * @param read returns a record with its key, or undefined to skip it
 */
export async function gatherList<From, To>(
  pages: AsyncIterable<Pick<Page<From>, 'records' | 'unreadable'>>,
  read: (record: From) => [key: string, known: To] | undefined,
): Promise<FetchedList<To>> {
  const gathered = new Map<string, To>();
  let unreadable = 0;
  try {
    for await (const page of pages) {
      unreadable += page.unreadable.length;
      for (const record of page.records) {
        const [key, known] = read(record) ?? [];
        if (key === undefined || known === undefined || gathered.has(key)) {
          continue;
        }
        if (gathered.size === maxRecords) {
          const cut = `Only the first ${maxRecords} are listed`;
          const leftOut = unreadableNote(unreadable);
          return {
            records: [...gathered.values()],
            note: leftOut === undefined ? cut : `${cut}. ${leftOut}`,
          };
        }
        gathered.set(key, known);
      }
    }
    return { records: [...gathered.values()], note: unreadableNote(unreadable) };
  } catch (error) {
    if (error instanceof ProviderFailure) {
      return { failure: 'The provider’s list isn’t available' };
    }
    throw error;
  }
}
