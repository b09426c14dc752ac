import type { KeyObject } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '../engine/transaction.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type AuditEntryRow,
  chainMac,
  entryMac,
  lockChain,
  removeFromRegister,
  writeChain,
} from './audit-chain.ts';

/** For how long the audit and what messages cost are kept: a year, and the month in which it is looked through. */
export const auditDays = 400;

/** Entries of one transaction. */
const batchSize = 500;

/**
 * Deletes entries from before a time, from the front of each chain, and chains without entries. Tampered entries stay:
 * somebody may have changed their time to have them deleted.
 *
 * @returns the workspaces with tampered entries
 */
export async function expireAudit(db: Kysely<Schema>, key: KeyObject, before: Date): Promise<string[]> {
  const kept: string[] = [];
  // Chains whose oldest entry is before then, or that have no entries.
  const chains = await db
    .selectFrom('auditChain')
    .select('workspaceId')
    .where(({ or, not, exists, selectFrom }) => {
      const entries = selectFrom('auditEntry')
        .select('sequence')
        .whereRef('auditEntry.workspaceId', '=', 'auditChain.workspaceId');
      return or([exists(entries.where('at', '<', before)), not(exists(entries))]);
    })
    .execute();
  for (const { workspaceId } of chains) {
    let result: BatchResult;
    do {
      result = await inTransaction(db, (transaction) => expireBatch(transaction, key, workspaceId, before));
    } while (result === 'more');
    if (result === 'changed') {
      kept.push(workspaceId);
    }
  }
  return kept;
}

type BatchResult = 'done' | 'more' | 'changed';

async function expireBatch(
  transaction: Transaction<Schema>,
  key: KeyObject,
  workspaceId: string,
  before: Date,
): Promise<BatchResult> {
  const chain = await lockChain(transaction, workspaceId);
  if (chain === undefined) {
    return 'done';
  }
  if (chain.mac !== chainMac(key, chain)) {
    return 'changed';
  }
  const rows = await transaction
    .selectFrom('auditEntry')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('sequence')
    .limit(batchSize)
    .execute();
  if (rows.length === 0 && chain.first > chain.last) {
    if (!(await removeFromRegister(transaction, key, workspaceId))) {
      return 'changed';
    }
    await transaction.deleteFrom('auditChain').where('workspaceId', '=', workspaceId).execute();
    return 'done';
  }
  // The expired entries, up to the first that was tampered with.
  let last: AuditEntryRow | undefined;
  let isSound = rows.length > 0;
  for (const row of rows) {
    const isNext =
      row.sequence === (last?.sequence ?? chain.first - 1) + 1 &&
      row.previous === (last?.mac ?? chain.before);
    isSound = isNext && row.mac === entryMac(key, row);
    if (!isSound || row.at >= before) {
      break;
    }
    last = row;
  }
  if (last === undefined) {
    return isSound ? 'done' : 'changed';
  }
  await transaction
    .deleteFrom('auditEntry')
    .where('workspaceId', '=', workspaceId)
    .where('sequence', '<=', last.sequence)
    .execute();
  await writeChain(transaction, key, { ...chain, first: last.sequence + 1, before: last.mac });
  return 'more';
}
