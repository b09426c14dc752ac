import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn, type InsertableRow, type Row, type Schema } from '../schema/schema.ts';

export type AuditEntryRow = Row<'auditEntry'>;
export type AuditChainRow = Row<'auditChain'>;
type AuditRegisterRow = Row<'auditRegister'>;

/** The workspace of entries that concern the whole installation, such as a change of the encryption key. */
export const installationId = '*';

/**
 * HMAC-SHA256 in base64url. JSON is the canonical form: two different lists of cells never have the same. A cell that
 * was changed to another type, such as bytes, has another form too.
 */
function macOf(key: KeyObject, cells: readonly unknown[]): string {
  return createHmac('sha256', key).update(JSON.stringify(cells)).digest('base64url');
}

export function entryMac(key: KeyObject, row: Omit<InsertableRow<'auditEntry'>, 'mac'>): string {
  const { workspaceId, sequence, at, userId, action, subject, outcome } = row;
  const { surface, channelId, details, previous } = row;
  const what = [userId, action, subject, outcome];
  return macOf(key, [
    'entry',
    workspaceId,
    sequence,
    at.getTime(),
    ...what,
    surface,
    channelId,
    details,
    previous,
  ]);
}

export function chainMac(key: KeyObject, row: Omit<AuditChainRow, 'mac'>): string {
  return macOf(key, ['chain', row.workspaceId, row.first, row.before, row.last, row.end]);
}

function registerMac(key: KeyObject, { chains }: Pick<AuditRegisterRow, 'chains'>): string {
  return macOf(key, ['register', chains]);
}

const keyBytes = 32;
const keyAdditionalData = additionalDataOf(encryptedColumn('auditRegister', 'encryptedKey'), {
  workspaceId: installationId,
});

/**
 * Returns the key of the audit, creating it for the first entry. Not to be called in a transaction, which may be rolled back.
 */
export async function readAuditKey(db: Kysely<Schema>, encryption: Encryption): Promise<KeyObject> {
  const made = createSecretKey(randomBytes(keyBytes));
  const secret = encryption.encrypt(made.export().toString('base64'), keyAdditionalData);
  await db
    .insertInto('auditRegister')
    .values({ workspaceId: installationId, encryptedKey: secret, ...registerColumns(made, []) })
    .onConflict((conflict) => conflict.column('workspaceId').doNothing())
    .execute();
  const { encryptedKey: key } = await db
    .selectFrom('auditRegister')
    .select('encryptedKey')
    .executeTakeFirstOrThrow();
  return decryptAuditKey(key, encryption);
}

/** @throws StoreError `unreadable` or `missing_key` */
export function decryptAuditKey(key: string, encryption: Encryption): KeyObject {
  return createSecretKey(encryption.decrypt(key, keyAdditionalData), 'base64');
}

/** Returns the ids of the workspaces in the register; undefined if it was tampered with. */
export function readRegister(key: KeyObject, row: AuditRegisterRow): string[] | undefined {
  return row.mac === registerMac(key, row) ? parseChains(row.chains) : undefined;
}

/** Adds a workspace to the register. Returns false where the register was changed, or names it already. */
async function addToRegister(
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
  // Keep the readable workspaces, so that a missing chain is still noticed.
  const named = known ?? (row === undefined ? [] : (parseChains(row.chains) ?? []));
  const chains = await transaction.selectFrom('auditChain').select('workspaceId').execute();
  await writeRegister(transaction, key, [...named, ...chains.map(({ workspaceId }) => workspaceId)]);
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
function lockRegister(transaction: Transaction<Schema>): Promise<AuditRegisterRow | undefined> {
  return transaction
    .updateTable('auditRegister')
    .set((eb) => ({ workspaceId: eb.ref('workspaceId') }))
    .returningAll()
    .executeTakeFirst();
}

async function writeRegister(
  transaction: Transaction<Schema>,
  key: KeyObject,
  workspaceIds: readonly string[],
): Promise<void> {
  await transaction.updateTable('auditRegister').set(registerColumns(key, workspaceIds)).execute();
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

/** An entry before it has its place in the chain. */
export type UnchainedEntry = Omit<InsertableRow<'auditEntry'>, 'sequence' | 'previous' | 'mac'>;

/** The action of the entry that says that the ends of a chain were not as they had been written. */
export const tamperedAction = 'audit.tampered';

/**
 * Appends an entry to the chain of its workspace, locked until the transaction ends, so that concurrent appends follow each
 * other. If its ends were tampered with, it goes on after the latest entry, and a permanent entry says so.
 */
export async function appendEntry(
  transaction: Transaction<Schema>,
  key: KeyObject,
  entry: UnchainedEntry,
): Promise<void> {
  const { workspaceId, at } = entry;
  const chain = await openChain(transaction, key, workspaceId);
  if (chain !== undefined && (await add(transaction, key, chain, entry)) !== undefined) {
    return;
  }
  const tampered = { workspaceId, at, action: tamperedAction, outcome: 'failed', surface: 'background' };
  const repaired = await add(transaction, key, await continueChain(transaction, workspaceId), tampered);
  if (repaired === undefined || (await add(transaction, key, repaired, entry)) === undefined) {
    throw new Error('The audit cannot be continued: an entry has the last possible number');
  }
}

/** Where the next entry goes. */
type ChainEnds = Omit<AuditChainRow, 'mac'>;

/** Locks the chain of a workspace, or begins one. Undefined if it was tampered with. */
async function openChain(
  transaction: Transaction<Schema>,
  key: KeyObject,
  workspaceId: string,
): Promise<ChainEnds | undefined> {
  // Looked for again once the register is locked: another transaction may have begun it since.
  const chain =
    (await lockChain(transaction, workspaceId)) ??
    (await lockRegister(transaction).then(() => lockChain(transaction, workspaceId)));
  if (chain !== undefined) {
    return chain.mac === chainMac(key, chain) ? chain : undefined;
  }
  const isNew = await addToRegister(transaction, key, workspaceId);
  return isNew ? newChain(workspaceId) : undefined;
}

/** An update that changes nothing locks the row in every database. */
export function lockChain(
  transaction: Transaction<Schema>,
  workspaceId: string,
): Promise<AuditChainRow | undefined> {
  return transaction
    .updateTable('auditChain')
    .set((eb) => ({ workspaceId: eb.ref('workspaceId') }))
    .where('workspaceId', '=', workspaceId)
    .returningAll()
    .executeTakeFirst();
}

/** Each chain begins differently, so no entry of an earlier chain fits into a later one. */
function newChain(workspaceId: string): ChainEnds {
  const begin = `begin.${randomUUID()}`;
  return { workspaceId, first: 1, before: begin, last: 0, end: begin };
}

/** Returns ends that go on after the latest entry that is there. */
async function continueChain(transaction: Transaction<Schema>, workspaceId: string): Promise<ChainEnds> {
  const entries = transaction
    .selectFrom('auditEntry')
    .select(['sequence', 'previous', 'mac'])
    .where('workspaceId', '=', workspaceId)
    .limit(1);
  const oldest = await entries.orderBy('sequence').executeTakeFirst();
  const latest = await entries.orderBy('sequence', 'desc').executeTakeFirst();
  if (oldest === undefined || latest === undefined) {
    return newChain(workspaceId);
  }
  return {
    workspaceId,
    first: oldest.sequence,
    before: oldest.previous,
    last: latest.sequence,
    end: latest.mac,
  };
}

/** Returns the chain with the entry, undefined where its place is taken. */
async function add(
  transaction: Transaction<Schema>,
  key: KeyObject,
  chain: ChainEnds,
  entry: UnchainedEntry,
): Promise<ChainEnds | undefined> {
  const unsigned = { ...entry, sequence: chain.last + 1, previous: chain.end };
  const row = { ...unsigned, mac: entryMac(key, unsigned) };
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('auditEntry')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'sequence']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) {
    return undefined;
  }
  const next = { ...chain, last: row.sequence, end: row.mac };
  await writeChain(transaction, key, next);
  return next;
}

export async function writeChain(
  transaction: Transaction<Schema>,
  key: KeyObject,
  chain: ChainEnds,
): Promise<void> {
  const row = { ...chain, mac: chainMac(key, chain) };
  await transaction
    .insertInto('auditChain')
    .values(row)
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(row))
    .execute();
}
