import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Encryption } from '../encryption/cipher.ts';
import { deleteRow, type EncryptedValue, replaceValue } from '../encryption/encrypted-column.ts';
import { walkColumn } from '../encryption/walk-column.ts';
import type { EncryptedColumn, Schema } from '../schema/schema.ts';
import type { ErasedPerson, ErasureCounts } from './erased-person.ts';

/** What every part of an erasure is given. */
export interface ErasureContext {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
  timers: Timers;
  person: ErasedPerson;
  /** Counted up by what is removed. */
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
