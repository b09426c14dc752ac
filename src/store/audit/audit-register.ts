import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';
import { type AuditRegisterRow, installationId } from './audit-tables.ts';
import { registerMac } from './macs.ts';

const keyBytes = 32;
const keyAdditionalData: AdditionalData = ['audit_register', installationId];

/**
 * Returns the key of the audit, which is made for the first entry of a database. Not to be called in a transaction, which
 * may be rolled back.
 */
export async function readAuditKey(db: Kysely<Schema>, encryption: Encryption): Promise<KeyObject> {
  const made = createSecretKey(randomBytes(keyBytes));
  const secret = encryption.encrypt(made.export().toString('base64'), keyAdditionalData);
  await db
    .insertInto('audit_register')
    .values({ workspace_id: installationId, encrypted_key: secret, ...registerColumns(made, []) })
    .onConflict((conflict) => conflict.column('workspace_id').doNothing())
    .execute();
  const { encrypted_key: key } = await db
    .selectFrom('audit_register')
    .select('encrypted_key')
    .executeTakeFirstOrThrow();
  return decryptAuditKey(key, encryption);
}

/** @throws StoreError `unreadable` or `missing_key` */
export function decryptAuditKey(key: string, encryption: Encryption): KeyObject {
  return createSecretKey(encryption.decrypt(key, keyAdditionalData), 'base64');
}

/** Returns the ids of the workspaces that the register names, undefined where it is not as it was written. */
export function readRegister(key: KeyObject, row: AuditRegisterRow): string[] | undefined {
  return row.mac === registerMac(key, row) ? parseChains(row.chains) : undefined;
}

/** Adds a workspace to the register. Returns false where the register was changed, or names it already. */
export async function addToRegister(
  transaction: Transaction<Schema>,
  key: KeyObject,
  workspaceId: string,
): Promise<boolean> {
  const row = await lockRegister(transaction);
  const known = row && readRegister(key, row);
  if (known?.includes(workspaceId) === false) {
    await writeRegister(transaction, key, [...known, workspaceId]);
    return true;
  }
  // What can still be read of it is kept: a chain that it names and that is not there is missed.
  const named = known ?? (row === undefined ? [] : (parseChains(row.chains) ?? []));
  const chains = await transaction.selectFrom('audit_chain').select('workspace_id').execute();
  await writeRegister(transaction, key, [...named, ...chains.map(({ workspace_id }) => workspace_id)]);
  return false;
}

/** Removes a workspace whose chain has ended. Returns false, and changes nothing, where the register was changed. */
export async function removeFromRegister(
  transaction: Transaction<Schema>,
  key: KeyObject,
  workspaceId: string,
): Promise<boolean> {
  const row = await lockRegister(transaction);
  const known = row && readRegister(key, row);
  if (known === undefined) {
    return false;
  }
  await writeRegister(
    transaction,
    key,
    known.filter((id) => id !== workspaceId),
  );
  return true;
}

/** An update that changes nothing locks the row in every database. */
export function lockRegister(transaction: Transaction<Schema>): Promise<AuditRegisterRow | undefined> {
  return transaction
    .updateTable('audit_register')
    .set((eb) => ({ workspace_id: eb.ref('workspace_id') }))
    .returningAll()
    .executeTakeFirst();
}

async function writeRegister(
  transaction: Transaction<Schema>,
  key: KeyObject,
  workspaceIds: readonly string[],
): Promise<void> {
  await transaction.updateTable('audit_register').set(registerColumns(key, workspaceIds)).execute();
}

function registerColumns(key: KeyObject, workspaceIds: readonly string[]) {
  const chains = JSON.stringify([...new Set(workspaceIds)].sort());
  return { chains, mac: registerMac(key, { chains }) };
}

const chainsSchema = z.array(z.string());

function parseChains(json: unknown): string[] | undefined {
  try {
    return chainsSchema.parse(JSON.parse(String(json)));
  } catch {
    return undefined;
  }
}
