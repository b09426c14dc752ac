import { strangers, type Tenant } from './tenants.ts';

/** Something that was seen, sent or stored, and whose it may be. */
export interface Item {
  what: string;
  /** The workspaces that it belongs to; none for what is nobody's. */
  owners: readonly string[];
  text: string;
}

/** Finds the marks of workspaces in texts: their words, numbers, people, channels, keys and ids. */
export interface Marks {
  /** Adds marks that are whole words of letters, digits, `_` and `-`. */
  add(workspaceId: string, ids: Iterable<string>): void;
  /** Returns what an item holds of others than its owners. */
  foreignIn(item: Item): string[];
  /** Returns whose marks a text holds. */
  ownersOf(text: string): Set<string>;
}

/** Whose marks the stranger's are. */
export const nobody = 'the stranger';

const digitsApart = /(?<=\d)[ \u00a0-](?=\d)/g;
const escapes = /\\+["nrtu/]/g;
/** In full, and as masked. */
const numbers = /805(\d)00\d{4}|(?<=805)•••(\d)\d{3}(?!\d)/g;
const tokens = /[A-Za-z0-9_-]{6,}/g;

export function createMarks(tenants: readonly Tenant[]): Marks {
  const ranged = [...tenants, { ...strangers, workspaceId: nobody }];
  const byDigit = new Map(ranged.map(({ digit, workspaceId }) => [digit, workspaceId]));
  const byWord = new Map(ranged.map(({ word, workspaceId }) => [word.toLowerCase(), workspaceId]));
  const words = new RegExp(ranged.map(({ word }) => word).join('|'), 'gi');
  const byId = new Map<string, string>();

  function* found(text: string): Generator<{ mark: string; owner: string }> {
    const joined = text.replaceAll(escapes, ' ').replaceAll(digitsApart, '');
    for (const [mark] of joined.matchAll(words)) {
      yield { mark, owner: byWord.get(mark.toLowerCase()) ?? '' };
    }
    for (const [mark, whole, masked] of joined.matchAll(numbers)) {
      const owner = byDigit.get(whole ?? masked ?? '');
      if (owner !== undefined) {
        yield { mark, owner };
      }
    }
    for (const [mark] of joined.matchAll(tokens)) {
      const owner = byId.get(mark);
      if (owner !== undefined) {
        yield { mark, owner };
      }
    }
  }

  return {
    add(workspaceId, ids) {
      for (const id of ids) {
        byId.set(id, workspaceId);
      }
    },
    foreignIn({ what, owners, text }) {
      const foreign = new Set<string>();
      for (const { mark, owner } of found(text)) {
        if (!owners.includes(owner)) {
          foreign.add(`${what} of ${owners.join(' and ') || 'nobody'} holds ${mark} of ${owner}`);
        }
      }
      return [...foreign];
    },
    ownersOf: (text) => new Set([...found(text)].map(({ owner }) => owner)),
  };
}
