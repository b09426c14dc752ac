import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Encryption } from './cipher.ts';
import type { Schema } from '../schema.ts';

/** 16 bytes of the hash, in base64url. */
const hashLength = 22;
const keyBytes = 32;

/** Makes numbers findable without writing them down: as hashes under a key that each workspace has of its own. */
export interface PhoneHashes {
  /** In the order of the numbers. Not inside a transaction: it may have to write the workspace's key. */
  of(workspaceId: string, numbers: readonly string[]): Promise<string[]>;
  /** Lets go of a workspace's key, once it is deleted. */
  forget(workspaceId: string): void;
}

export function createPhoneHashes(db: Kysely<Schema>, encryption: Encryption): PhoneHashes {
  const keys = new Map<string, Promise<KeyObject>>();

  async function readKey(workspaceId: string): Promise<KeyObject> {
    const fresh = encryption.encrypt(
      randomBytes(keyBytes).toString('base64'),
      phoneKeyAdditionalData(workspaceId),
    );
    await db
      .insertInto('number_key')
      .values({ workspace_id: workspaceId, key: fresh })
      .onConflict((conflict) => conflict.column('workspace_id').doNothing())
      .execute();
    const { key } = await db
      .selectFrom('number_key')
      .select('key')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    // As an object: setting up a key from its bytes costs more than the hash.
    return createSecretKey(encryption.decrypt(key, phoneKeyAdditionalData(workspaceId)), 'base64');
  }

  function keyOf(workspaceId: string): Promise<KeyObject> {
    const known = keys.get(workspaceId);
    if (known !== undefined) {
      return known;
    }
    const reading = readKey(workspaceId);
    keys.set(workspaceId, reading);
    // What failed once, on a full disk say, is tried anew.
    reading.catch(() => keys.delete(workspaceId));
    return reading;
  }

  return {
    async of(workspaceId, numbers) {
      const key = await keyOf(workspaceId);
      return numbers.map((number) =>
        createHmac('sha256', key).update(number).digest('base64url').slice(0, hashLength),
      );
    },
    forget: (workspaceId) => void keys.delete(workspaceId),
  };
}

export function phoneKeyAdditionalData(workspaceId: string): readonly string[] {
  return ['number_key', workspaceId];
}
