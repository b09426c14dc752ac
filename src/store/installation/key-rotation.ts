import type { Kysely, Transaction } from 'kysely';
import { createYield } from '../../lib/yield-to-event-loop.ts';
import { installationId } from '../audit/audit-chain.ts';
import type { StoreContext } from '../context.ts';
import { type Encryption, keyIdIn } from '../engine/encryption/cipher.ts';
import {
  countValues,
  type EncryptedValue,
  readEncryptedPage,
  replaceValue,
} from '../engine/encryption/encrypted-column.ts';
import type { EncryptionKeyRow } from '../engine/encryption/key-check.ts';
import { StoreError } from '../engine/errors.ts';
import { inTransaction } from '../engine/transaction.ts';
import { type EncryptedColumn, encryptedColumns, type Schema } from '../schema/schema.ts';

/** What the keys other than the first of ENCRYPTION_KEYS are still needed for. */
export type KeyState =
  /** There are no others, or none that was ever the first. */
  | { name: 'current' }
  /** Another key was the first one later: this instance re-encrypts nothing. */
  | { name: 'superseded'; by: string }
  /** Another instance still encrypts with another key. Re-encryption begins once none does. */
  | { name: 'waiting' }
  /** `left` is undefined until the values are counted. */
  | { name: 'reencrypting'; left: number | undefined }
  /** Everything else is re-encrypted. */
  | { name: 'unreadable'; values: number }
  | { name: 'removable'; keyIds: string[] };

/** In milliseconds, between two transactions: other work goes first. */
const pauseMs = 20;
/** In milliseconds, until undecryptable values are retried: they may have been saved again. */
const retryUnreadableMs = 60 * 60_000;
/** Values between two lines of the log about the progress. */
const progressEvery = 10_000;
/** Unreadable values that are named in the log. */
const maxNamed = 20;

interface Keys {
  /** Of the keys in use, the one that became the first key last. */
  newestId: string;
  /** The others given that values may be under. */
  pending: EncryptionKeyRow[];
  /** The others given that were the first one once, and that nothing is under. */
  removable: string[];
  isOtherEncrypting: boolean;
}

type Context = Pick<StoreContext, 'db' | 'encryption' | 'audit' | 'timers' | 'log' | 'purge'>;

/** Changes the key that stored values are encrypted under, while the program runs, on any number of instances. */
export function createKeyRotation(context: Context) {
  const { timers, log } = context;
  const { currentKeyId } = context.encryption;
  /** What was logged last. */
  let loggedState: KeyState['name'] = 'current';
  let notBefore = Number.NEGATIVE_INFINITY;

  function tellChange(state: KeyState): void {
    if (state.name === loggedState) {
      return;
    }
    loggedState = state.name;
    if (state.name === 'superseded') {
      log.warn(
        { first: currentKeyId, newest: state.by },
        'ENCRYPTION_KEYS begins with an older key: put the newest first and restart',
      );
    } else if (state.name === 'waiting') {
      log.warn(
        'another instance still encrypts with an old key: nothing is re-encrypted until it is restarted',
      );
    } else if (state.name === 'removable') {
      log.info(
        { first: currentKeyId, removable: state.keyIds },
        'everything is encrypted with the first key: the others can be removed from ENCRYPTION_KEYS',
      );
    }
  }

  const state = async (): Promise<KeyState> => stateOf(await readKeys(context), currentKeyId);

  return {
    state,

    /**
     * Encrypts all stored values under the first key, see `reencrypt`, once every instance uses it, and removes the old
     * values from the files. Several instances may do so at once.
     */
    async rotate(signal: AbortSignal): Promise<void> {
      const keys = await readKeys(context);
      const before = stateOf(keys, currentKeyId);
      tellChange(before);
      const isDue =
        before.name === 'reencrypting' || (before.name === 'unreadable' && timers.elapsed() >= notBefore);
      if (!isDue) {
        return;
      }
      const done = await reencryptAll(context, keys, signal);
      await context.purge();
      if (!done.isComplete) {
        return;
      }
      if (done.unreadable.length > 0) {
        notBefore = timers.elapsed() + retryUnreadableMs;
        for (const { workspaceId, area, keyId } of done.unreadable.slice(0, maxNamed)) {
          log.warn(
            { workspace: workspaceId, area, key: keyId },
            'a stored value cannot be decrypted: save it again',
          );
        }
        log.warn({ values: done.unreadable.length }, 'stored values cannot be decrypted: keep the old keys');
      }
      await finish(context, keys.pending, done);
      tellChange(await state());
    },
  };
}

async function reencryptAll(
  { db, encryption, timers, log }: Context,
  { pending }: Keys,
  signal: AbortSignal,
): Promise<Reencryption> {
  const values = await countLeft(db, pending, signal);
  log.info({ values }, 'stored values are being re-encrypted with the first key');
  let nextLine = progressEvery;
  return reencrypt(db, encryption, encryptedColumns, {
    signal,
    async onReplaced(transaction, replaced) {
      for (const [id, values] of replaced) {
        await transaction
          .updateTable('encryptionKey')
          .set(({ eb }) => ({ valuesLeft: eb('valuesLeft', '-', values) }))
          .where('id', '=', id)
          .where('valuesLeft', '>=', values)
          .execute();
      }
    },
    async onProgress(reencrypted) {
      if (reencrypted >= nextLine) {
        nextLine = reencrypted + progressEvery;
        log.info({ reencrypted, values }, 'stored values are being re-encrypted with the first key');
      }
      await timers.sleep(pauseMs, signal);
    },
  });
}

async function readKeys({ db, encryption }: Context): Promise<Keys> {
  const { currentKeyId, keyIds } = encryption;
  const rows = await db.selectFrom('encryptionKey').selectAll().orderBy('position').orderBy('id').execute();
  // Read after the keys: an instance that has begun since has changed `starts`.
  const encrypting = await db.selectFrom('instance').select('keyId').distinct().execute();
  const others = rows.filter(({ id }) => id !== currentKeyId && keyIds.includes(id));
  return {
    newestId: rows.findLast(({ inUse }) => inUse)?.id ?? currentKeyId,
    pending: others.filter(({ inUse }) => inUse),
    removable: others.filter(({ inUse }) => !inUse).map(({ id }) => id),
    isOtherEncrypting: encrypting.some(({ keyId }) => keyId !== currentKeyId),
  };
}

/** Counts the values under the pending keys, and stores how many each has left. Returns how many there are. */
async function countLeft(
  db: Kysely<Schema>,
  pending: readonly EncryptionKeyRow[],
  signal: AbortSignal,
): Promise<number> {
  const counts = await countValues(db, encryptedColumns, signal);
  let all = 0;
  for (const { id, starts } of signal.aborted ? [] : pending) {
    const values = [...(counts.get(id)?.values() ?? [])].reduce((sum, each) => sum + each, 0);
    all += values;
    await db
      .updateTable('encryptionKey')
      .set({ valuesLeft: values })
      .where('id', '=', id)
      .where('starts', '=', starts)
      .execute();
  }
  return all;
}

/** Notes how many values each earlier key still encrypts. The audit notes it as replaced once it encrypts nothing. */
async function finish(
  { db, audit, encryption: { currentKeyId } }: Context,
  pending: readonly EncryptionKeyRow[],
  { unreadable }: Reencryption,
): Promise<void> {
  const append = await audit.prepare();
  await inTransaction(db, async (transaction) => {
    const replaced: string[] = [];
    for (const { id, starts } of pending) {
      const left = unreadable.filter(({ keyId }) => keyId === id).length;
      const { numUpdatedRows } = await transaction
        .updateTable('encryptionKey')
        .set({ inUse: left > 0, valuesLeft: left, unreadable: left })
        .where('id', '=', id)
        .where('inUse', '=', true)
        // A run that has begun to encrypt with it meanwhile may have written where the walk had been.
        .where('starts', '=', starts)
        .executeTakeFirst();
      if (left === 0 && numUpdatedRows > 0n) {
        replaced.push(id);
      }
    }
    if (replaced.length > 0) {
      const entry = { workspaceId: installationId, action: 'keys.rotate', subject: currentKeyId } as const;
      await append(transaction, [{ ...entry, outcome: 'done' }]);
    }
  });
}

function stateOf({ newestId, pending, removable, isOtherEncrypting }: Keys, currentKeyId: string): KeyState {
  if (newestId !== currentKeyId) {
    return { name: 'superseded', by: newestId };
  }
  if (pending.length === 0) {
    return removable.length === 0 ? { name: 'current' } : { name: 'removable', keyIds: removable };
  }
  if (isOtherEncrypting) {
    return { name: 'waiting' };
  }
  const isCounted = pending.every(({ valuesLeft }) => valuesLeft !== undefined);
  const left = pending.reduce((sum, { valuesLeft }) => sum + (valuesLeft ?? 0), 0);
  const unreadable = pending.reduce((sum, row) => sum + row.unreadable, 0);
  return isCounted && unreadable > 0 && left <= unreadable
    ? { name: 'unreadable', values: unreadable }
    : { name: 'reencrypting', left: isCounted ? left : undefined };
}

/** Rows that are looked at, and values that are replaced in a transaction: other work waits no longer than for one. */
const pageSize = 100;

export interface Reencryption {
  /** Values that were encrypted under another key and now are under the first. */
  reencrypted: number;
  /** Where values are that cannot be decrypted under any key. They are unchanged; one entry for each value. */
  unreadable: { workspaceId: string; area: string; keyId: string | undefined }[];
  /** Whether all values were looked at, rather than the signal aborted. */
  isComplete: boolean;
}

export interface ReencryptOptions {
  /** Aborted to stop after the current transaction. */
  signal: AbortSignal;
  /** Called at the end of each transaction, with the number of replaced values by the id of their old key. */
  onReplaced(transaction: Transaction<Schema>, replaced: ReadonlyMap<string, number>): Promise<void>;
  /** Called after each transaction, with the values so far. */
  onProgress(reencrypted: number): Promise<void>;
}

/**
 * Encrypts all values of the columns with the current key, except those that can't be decrypted. Instances may keep reading
 * and writing: a value that changed since it was read already has the current key. The next run continues after a crash.
 */
export async function reencrypt(
  db: Kysely<Schema>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
  { signal, onReplaced, onProgress }: ReencryptOptions,
): Promise<Reencryption> {
  const done: Reencryption = { reencrypted: 0, unreadable: [], isComplete: false };
  const keyId = encryption.currentKeyId;
  for (const column of columns) {
    let after: readonly unknown[] | undefined;
    do {
      if (signal.aborted) {
        return done;
      }
      const page = await readEncryptedPage(db, column, { keyId, after, limit: pageSize });
      const replacements: [EncryptedValue, string][] = [];
      const giveWay = createYield();
      for (const value of page.values) {
        await giveWay();
        try {
          const text = encryption.decrypt(value.value, value.additionalData);
          replacements.push([value, encryption.encrypt(text, value.additionalData)]);
        } catch (error) {
          // Whether the value is to blame rather than the disk.
          const fault = error instanceof StoreError ? error.fault : undefined;
          if (fault !== 'unreadable' && fault !== 'missing_key') {
            throw error;
          }
          const { workspaceId, area } = value;
          done.unreadable.push({ workspaceId, area, keyId: keyIdIn(value.value) });
        }
      }
      if (replacements.length > 0) {
        done.reencrypted += await inTransaction(db, async (transaction) => {
          let count = 0;
          const byKey = new Map<string, number>();
          for (const [value, replacement] of replacements) {
            if (await replaceValue(transaction, column, value, replacement)) {
              const previousKey = keyIdIn(value.value) ?? '';
              byKey.set(previousKey, (byKey.get(previousKey) ?? 0) + 1);
              count += 1;
            }
          }
          await onReplaced(transaction, byKey);
          return count;
        });
        await onProgress(done.reencrypted);
      }
      after = page.last;
    } while (after !== undefined);
  }
  return { ...done, isComplete: true };
}
