import type { KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Encryption } from '../encryption/cipher.ts';
import { StoreError } from '../errors.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { decryptAuditKey, readRegister } from './audit-register.ts';
import { type AuditEntryRow, installationId } from './audit-tables.ts';
import { type AuditPage, type AuditProblem, createChainCheck } from './find-problems.ts';

export interface AuditCheck {
  workspaces: number;
  entries: number;
  problems: number;
}

export interface VerifyOptions {
  /** Whose entries are checked; those of all workspaces without it. */
  workspaceId?: string | undefined;
  /** Called with each problem, in the order of the workspaces and their entries. */
  onProblem: (problem: AuditProblem) => Promise<void>;
  /** Aborted to end the check with what it has found. */
  signal?: AbortSignal | undefined;
}

/** Entries that are read at once. */
const pageSize = 1_000;

/** Checks every entry, page by page, while others may append. */
export async function verifyAudit(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId: only, onProblem, signal }: VerifyOptions,
): Promise<AuditCheck> {
  const check = { workspaces: 0, entries: 0, problems: 0 };
  const report = async (problems: readonly AuditProblem[]) => {
    check.problems += problems.length;
    for (const problem of problems) {
      await onProblem(problem);
    }
  };
  const { key, registered, problems } = await openRegister(db, encryption);
  await report(problems);
  if (key === undefined) {
    return check;
  }
  const all = await listWorkspaces(db, registered ?? []);
  for (const workspaceId of all.filter((id) => only === undefined || id === only)) {
    const { page, end } = createChainCheck(key, workspaceId);
    let read: AuditPage;
    let after: AuditEntryRow | undefined;
    do {
      if (signal?.aborted === true) {
        return check;
      }
      read = await readPage(db, workspaceId, after);
      check.entries += read.rows.length;
      await report(page(read));
      after = read.rows.at(-1);
      // The database's answers may all be there already, and would be handled without a turn of the event loop.
      await setImmediate();
    } while (read.rows.length === pageSize);
    await report(presence(workspaceId, read, registered));
    await report(end());
    check.workspaces += 1;
  }
  return check;
}

interface OpenRegister {
  /** Undefined where there is nothing to check, or no key to check it with. */
  key: KeyObject | undefined;
  /** Undefined where it cannot be trusted. */
  registered: readonly string[] | undefined;
  problems: AuditProblem[];
}

async function openRegister(db: Kysely<Schema>, encryption: Encryption): Promise<OpenRegister> {
  const failed = (kind: AuditProblem['kind']) => ({
    key: undefined,
    registered: undefined,
    problems: [{ workspaceId: installationId, kind }],
  });
  const row = await db.selectFrom('audit_register').selectAll().executeTakeFirst();
  if (row === undefined) {
    const isEmpty = (await listWorkspaces(db, [])).length === 0;
    return isEmpty ? { key: undefined, registered: [], problems: [] } : failed('key_missing');
  }
  try {
    const key = decryptAuditKey(row.encrypted_key, encryption);
    const registered = readRegister(key, row);
    const changed = { workspaceId: installationId, kind: 'register_changed' } as const;
    return { key, registered, problems: registered === undefined ? [changed] : [] };
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'unreadable') {
      return failed('key_unreadable');
    }
    throw error;
  }
}

/** Whether the ends of a chain are where the register says. */
function presence(
  workspaceId: string,
  { chain }: AuditPage,
  registered: readonly string[] | undefined,
): AuditProblem[] {
  if (chain === undefined) {
    return [{ workspaceId, kind: 'ends_missing' }];
  }
  return registered === undefined || registered.includes(workspaceId)
    ? []
    : [{ workspaceId, kind: 'chain_unknown' }];
}

/** Returns the workspaces that have entries, and those that should. */
async function listWorkspaces(db: Kysely<Schema>, registered: readonly string[]): Promise<string[]> {
  const found = new Set<string>(registered);
  for (const { workspace_id } of await db.selectFrom('audit_chain').select('workspace_id').execute()) {
    found.add(workspace_id);
  }
  // From one workspace to the next: through all entries it would take as long as there are entries.
  let last: string | null = '';
  while (last !== null) {
    const next: { id: string | null } = await db
      .selectFrom('audit_entry')
      .select((eb) => eb.fn.min('workspace_id').as('id'))
      .where('workspace_id', '>', last)
      .executeTakeFirstOrThrow();
    last = next.id;
    if (last !== null) {
      found.add(last);
    }
  }
  return [...found].sort();
}

/** Reads both in one transaction: an append, or a deletion of what has expired, comes before or after them. */
function readPage(
  db: Kysely<Schema>,
  workspaceId: string,
  after: AuditEntryRow | undefined,
): Promise<AuditPage> {
  return inTransaction(db, async (transaction) => {
    const chain = await transaction
      .selectFrom('audit_chain')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .forUpdate()
      .executeTakeFirst();
    const rows = await transaction
      .selectFrom('audit_entry')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .$if(after !== undefined, (query) => query.where('sequence', '>', after?.sequence ?? 0))
      .orderBy('sequence')
      .limit(pageSize)
      .execute();
    return { chain, rows };
  });
}
