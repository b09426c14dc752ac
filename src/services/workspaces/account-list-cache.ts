import type { Stopwatch } from '../../lib/clock.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { ProviderAccount } from '../../provider/client.ts';

/** A list of an account as far as it is known. */
export interface KnownList<T> {
  records: readonly T[];
  /** Why it may be old, short or empty, for the person. */
  note?: string;
}

/** A list of each account that takes a while to fetch, remembered for choosing from it. */
export interface AccountListCache<T> {
  /** Waits for the list, unless it is known and fresh. Where it cannot be had: as last seen, with a note. */
  get(account: ProviderAccount): Promise<KnownList<T>>;
  /** The same, but answers within `patience` milliseconds, whatever the provider does; by default little more than 1 s. */
  getWithin(account: ProviderAccount, patience?: number): Promise<KnownList<T>>;
  /** The list has changed: the next who asks has it fetched anew. */
  invalidate(account: ProviderAccount): void;
}

/** The whole list, or the reason why it cannot be had. */
export type FetchedList<T> = KnownList<T> | { failure: string };

interface State<T> {
  known?: KnownList<T>;
  /** By the same clock as `elapsed`. */
  fetchedAt: number;
  fetching?: Promise<KnownList<T>>;
}

/** In milliseconds: as long as a list to choose from may take to open, less what else is done for it. */
const shortPatience = 1_200;

export function createAccountListCache<T>(options: {
  fetch: (account: ProviderAccount) => Promise<FetchedList<T>>;
  /** How long a list is given out without a look at the provider, in milliseconds. */
  freshFor: number;
  elapsed: Stopwatch;
}): AccountListCache<T> {
  // An account that is disconnected takes what was known of it along.
  const states = new WeakMap<ProviderAccount, State<T>>();

  function stateOf(account: ProviderAccount): State<T> {
    const state = states.get(account) ?? { fetchedAt: Number.NEGATIVE_INFINITY };
    states.set(account, state);
    return state;
  }

  function asLastSeen({ known }: State<T>, why: string): KnownList<T> {
    return known === undefined
      ? { records: [], note: why }
      : { records: known.records, note: `${why}: shown as last seen` };
  }

  async function fetch(account: ProviderAccount, state: State<T>): Promise<KnownList<T>> {
    const at = options.elapsed();
    const fetched = await options.fetch(account);
    if ('failure' in fetched) {
      return asLastSeen(state, fetched.failure);
    }
    state.known = fetched;
    state.fetchedAt = at;
    return fetched;
  }

  function get(account: ProviderAccount): Promise<KnownList<T>> {
    const state = stateOf(account);
    if (state.known !== undefined && options.elapsed() - state.fetchedAt < options.freshFor) {
      return Promise.resolve(state.known);
    }
    state.fetching ??= fetch(account, state).finally(() => {
      delete state.fetching;
    });
    return state.fetching;
  }

  return {
    get,
    getWithin: (account, patience = shortPatience) =>
      withTimeout(get(account), patience, () => asLastSeen(stateOf(account), 'The provider is slow')),
    invalidate(account) {
      const { known } = stateOf(account);
      // Another state: what is being fetched right now may lack the change.
      states.set(account, { ...(known && { known }), fetchedAt: Number.NEGATIVE_INFINITY });
    },
  };
}
