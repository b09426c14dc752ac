import { type KeyObject, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { addToRegister, lockRegister } from './audit-register.ts';
import type { AuditChainRow, AuditEntryRow } from './audit-tables.ts';
import { chainMac, entryMac } from './macs.ts';

/** An entry before it has its place in the chain. */
export type UnchainedEntry = Omit<AuditEntryRow, 'sequence' | 'previous' | 'mac'>;

/** The action of the entry that says that the ends of a chain were not as they had been written. */
export const tamperedAction = 'audit.tampered';

/**
 * Appends an entry to the chain of its workspace. The chain is locked until the transaction ends, so that concurrent
 * appends follow each other. Where its ends are not as they were written, it goes on after its latest entry, and an entry
 * says so: what was found once is found ever after.
 */
export async function appendEntry(
  transaction: Transaction<Schema>,
  key: KeyObject,
  entry: UnchainedEntry,
): Promise<void> {
  const { workspace_id, at } = entry;
  const chain = await openChain(transaction, key, workspace_id);
  if (chain !== undefined && (await add(transaction, key, chain, entry)) !== undefined) {
    return;
  }
  const tampered = { ...programEntry, workspace_id, at, action: tamperedAction, outcome: 'failed' };
  const repaired = await add(transaction, key, await continueChain(transaction, workspace_id), tampered);
  if (repaired === undefined || (await add(transaction, key, repaired, entry)) === undefined) {
    throw new Error('The audit cannot be continued: an entry has the last possible number');
  }
}

/** The columns of an entry that nobody gave rise to. */
const programEntry = {
  user_id: null,
  subject: null,
  surface: 'background',
  channel_id: null,
  details: null,
} as const;

/** Where the next entry goes. */
type ChainEnds = Omit<AuditChainRow, 'mac'>;

/** Returns the chain of a workspace, locked, and begins it where there is none; undefined where it was changed. */
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
    .updateTable('audit_chain')
    .set((eb) => ({ workspace_id: eb.ref('workspace_id') }))
    .where('workspace_id', '=', workspaceId)
    .returningAll()
    .executeTakeFirst();
}

/** No other chain has the same beginning, so an entry of a former one fits into no later one. */
function newChain(workspaceId: string): ChainEnds {
  const begin = `begin.${randomUUID()}`;
  return { workspace_id: workspaceId, first: 1, before: begin, last: 0, end: begin };
}

/** Returns ends that go on after the latest entry that is there. */
async function continueChain(transaction: Transaction<Schema>, workspaceId: string): Promise<ChainEnds> {
  const entries = transaction
    .selectFrom('audit_entry')
    .select(['sequence', 'previous', 'mac'])
    .where('workspace_id', '=', workspaceId)
    .limit(1);
  const oldest = await entries.orderBy('sequence').executeTakeFirst();
  const latest = await entries.orderBy('sequence', 'desc').executeTakeFirst();
  if (oldest === undefined || latest === undefined) {
    return newChain(workspaceId);
  }
  return {
    workspace_id: workspaceId,
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
    .insertInto('audit_entry')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'sequence']).doNothing())
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
    .insertInto('audit_chain')
    .values(row)
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute();
}
