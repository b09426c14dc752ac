import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { E164 } from '../../../domain/phone/phone-number.ts';
import { createAsyncCache } from '../../../lib/async-cache.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import { encryptedColumn, type Schema } from '../../schema/schema.ts';
import type { Encryption } from './cipher.ts';
import { additionalDataOf } from './encrypted-column.ts';

/** 16 bytes of the hash, in base64url. */
const hashLength = 22;
const keyBytes = 32;
/** Workspaces whose keys are kept in memory. */
const maxKeys = 1_000;
/** In milliseconds: how late it is noticed that another instance has forgotten a workspace, and has its next key. */
const keptForMs = 5_000;

export type HashNumber = (text: E164) => string;

/**
 * Locks the numbers of a workspace until the transaction ends: what removes a number everywhere and what puts numbers
 * somewhere follow each other.
 */
export async function lockNumbers(transaction: Transaction<Schema>, workspaceId: string): Promise<void> {
  await transaction
    .selectFrom('numberKey')
    .select('workspaceId')
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .execute();
}

export type PhoneHashes = ReturnType<typeof createPhoneHashes>;

/** Makes numbers findable without storing them: as hashes, keyed with a key of each workspace. */
export function createPhoneHashes(db: Kysely<Schema>, encryption: Encryption, elapsed: Stopwatch) {
  const keys = createAsyncCache<KeyObject>({ max: maxKeys, ttl: { ms: keptForMs, elapsed } });

  /** Returns what hashes a number of the workspace, also in a transaction. Not to be called in one itself. */
  async function hasher(workspaceId: string): Promise<HashNumber> {
    const key = await keys.get(workspaceId, async () => {
      const additionalData = additionalDataOf(encryptedColumn('numberKey', 'encryptedKey'), { workspaceId });
      let stored = await storedKey(db, workspaceId);
      if (stored === undefined) {
        const encryptedKey = encryption.encrypt(randomBytes(keyBytes).toString('base64'), additionalData);
        await db
          .insertInto('numberKey')
          .values({ workspaceId, encryptedKey })
          .onConflict((conflict) => conflict.column('workspaceId').doNothing())
          .execute();
        // Another instance may have been quicker.
        stored = (await storedKey(db, workspaceId)) ?? encryptedKey;
      }
      // As an object: setting up a key from its bytes costs more than the hash.
      return createSecretKey(encryption.decrypt(stored, additionalData), 'base64');
    });
    return (text) => {
      const digest = createHmac('sha256', key).update(String(text)).digest('base64url');
      // Copied, because a slice would keep the whole digest in memory, and imports keep many hashes.
      return Buffer.from(digest, 'latin1').toString('latin1', 0, hashLength);
    };
  }

  return {
    hasher,
    /** In the order of the numbers. Not to be called in a transaction: it may have to store the workspace's key. */
    async of(workspaceId: string, numbers: readonly E164[]): Promise<string[]> {
      const hash = await hasher(workspaceId);
      const giveWay = createYield();
      const hashes: string[] = [];
      for (const number of numbers) {
        hashes.push(hash(number));
        await giveWay();
      }
      return hashes;
    },
    /** Drops the key of a workspace from memory, once it is deleted; without one, all. */
    forget(workspaceId?: string): void {
      for (const key of workspaceId === undefined ? [...keys.keys()] : [workspaceId]) {
        keys.delete(key);
      }
    },
  };
}

async function storedKey(db: Kysely<Schema>, workspaceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('numberKey')
    .select('encryptedKey')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return row?.encryptedKey;
}
