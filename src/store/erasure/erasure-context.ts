import { type NumberMentions, removedNumber } from '../../domain/phone/number-mentions.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { StoreContext } from '../context.ts';
import {
  deleteRow,
  type EncryptedValue,
  replaceValue,
  walkColumn,
} from '../engine/encryption/encrypted-column.ts';
import type { HashNumber } from '../engine/encryption/phone-hashes.ts';
import type { EncryptedColumn } from '../schema/schema.ts';

/** Whose traces are erased: a number, in some workspaces. */
export interface ErasedPerson {
  number: PhoneNumber;
  /** As histories show it: `+234803•••4567`. */
  masked: string;
  mentions: NumberMentions;
  /** What hashes a number, by the id of each workspace. */
  hashers: ReadonlyMap<string, HashNumber>;
}

/** What was removed, and what has to stay for now. Counts are of rows, unless said otherwise. */
export interface ErasureCounts {
  /** Operations whose masked number and recipient were removed. */
  operations: number;
  /** Texts of messages that went to the number, or mentioned it. */
  texts: number;
  /** Recipients of campaigns, once for each campaign. */
  recipients: number;
  /** Of those: recipients that were not sent to yet, and are skipped. */
  skipped: number;
  /** Rejected rows of files, and other rows that mentioned the number. */
  rows: number;
  /** Drafts, codes, uploads and preferences. */
  values: number;
  /** Entries of do-not-contact lists that are hashes from now on. */
  listed: number;
  /** Texts of unfinished campaigns that mention the number: changing them would change the messages. */
  keptTexts: number;
}

export function noCounts(): ErasureCounts {
  return { operations: 0, texts: 0, recipients: 0, skipped: 0, rows: 0, values: 0, listed: 0, keptTexts: 0 };
}

/** What every part of an erasure is given. */
export interface ErasureContext extends Pick<StoreContext, 'db' | 'encryption' | 'clock' | 'timers'> {
  person: ErasedPerson;
  /** Counted up with each removal. */
  counts: ErasureCounts;
  /** Aborted to stop where nothing is half done. */
  signal: AbortSignal;
}

/**
 * Passes each decrypted value of a column, in the workspaces of the person, to `erase`, and stores what it returns; null
 * deletes the row. A value that others replaced meanwhile is read again. Returns how many changed.
 */
export async function eraseFromColumn(
  { db, encryption, person, signal }: ErasureContext,
  column: EncryptedColumn,
  erase: (text: string, value: EncryptedValue) => string | null,
): Promise<number> {
  const isWanted = ({ workspaceId }: EncryptedValue) => person.hashers.has(workspaceId);
  let changed = 0;
  let isRaced: boolean;
  do {
    isRaced = false;
    for await (const value of walkColumn(db, encryption, column, { isWanted, signal })) {
      const erased = erase(value.text, value);
      if (erased === value.text) {
        continue;
      }
      const isDone =
        erased === null
          ? await deleteRow(db, column, value)
          : await replaceValue(db, column, value, encryption.encrypt(erased, value.additionalData));
      changed += isDone ? 1 : 0;
      isRaced ||= !isDone;
    }
  } while (isRaced && !signal.aborted);
  return changed;
}

/** Returns a text that no longer names the person; the same text where it did not. */
export function eraseFromText(text: string, { mentions, masked }: ErasedPerson): string {
  return mentions.remove(text).replaceAll(masked, removedNumber);
}

/**
 * Returns a JSON value in which no text names the person any more.
 *
 * @param dropsProperties whether a property that was the number alone is dropped, rather than kept as `•••`
 */
export function eraseFromJson(
  value: unknown,
  person: ErasedPerson,
  { dropsProperties = false }: { dropsProperties?: boolean } = {},
): unknown {
  if (typeof value === 'string') {
    return eraseFromText(value, person);
  }
  if (Array.isArray(value)) {
    return value.map((item) => eraseFromJson(item, person, { dropsProperties }));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const erased = Object.entries(value).map(
    ([name, item]) => [name, item, eraseFromJson(item, person, { dropsProperties })] as const,
  );
  const kept = erased.filter(
    ([, before, after]) => !(dropsProperties && before !== after && after === removedNumber),
  );
  return Object.fromEntries(kept.map(([name, , after]) => [name, after]));
}
