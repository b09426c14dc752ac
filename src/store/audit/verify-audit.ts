import type { KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { StoreError } from '../engine/errors.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type AuditChainRow,
  type AuditEntryRow,
  chainMac,
  decryptAuditKey,
  entryMac,
  installationId,
  readRegister,
  tamperedAction,
} from './audit-chain.ts';

/**
 * A trace of tampering:
 * - `changed`: an entry has another content;
 * - `moved`: it has another number than it had, `was`;
 * - `inserted`: it was never written, or not in this chain;
 * - `missing`: entries are not there;
 * - `cut_off`: the same, at the end;
 * - `found_before`: the program has found, before it wrote this entry, that the ends of the chain were changed;
 * - `ends_changed`: where the entries begin and end is not known for sure;
 * - `ends_missing`, `chain_unknown`: the ends of a chain were deleted, or added;
 * - `register_changed`: which workspaces have entries is not known for sure;
 * - `key_missing`, `key_unreadable`: nothing can be checked.
 */
export interface AuditProblem {
  workspaceId: string;
  kind:
    | 'changed'
    | 'moved'
    | 'inserted'
    | 'missing'
    | 'cut_off'
    | 'found_before'
    | 'ends_changed'
    | 'ends_missing'
    | 'chain_unknown'
    | 'register_changed'
    | 'key_missing'
    | 'key_unreadable';
  /** The numbers of the first and the last entry that it concerns. */
  from?: number | undefined;
  to?: number | undefined;
  was?: number | undefined;
}

/** Consecutive entries, with the ends of their chain as of the same moment. */
export interface AuditPage {
  chain: AuditChainRow | undefined;
  rows: readonly AuditEntryRow[];
}

/** Entries that do not fit which are held to find out where they belong. Those beyond are `changed`. */
const maxSuspects = 200;

/** Checks one chain. */
function createChainCheck(key: KeyObject, workspaceId: string) {
  const suspects: AuditEntryRow[] = [];
  const gaps: { from: number; to: number }[] = [];
  let chain: AuditChainRow | undefined;
  let isChainSound = false;
  /** The number that the next entry should have. */
  let expected: number | undefined;
  /** The MAC that the next entry should follow, if known. */
  let previous: string | undefined;
  let last: AuditEntryRow | undefined;

  const problem = (kind: AuditProblem['kind'], from?: number, to = from): AuditProblem => ({
    workspaceId,
    kind,
    from,
    to,
  });

  function suspect(row: AuditEntryRow): AuditProblem[] {
    if (suspects.length < maxSuspects) {
      suspects.push(row);
      return [];
    }
    return [problem('changed', row.sequence)];
  }

  function check(row: AuditEntryRow): AuditProblem[] {
    const { sequence } = row;
    const isOutside =
      chain !== undefined && isChainSound && (sequence < chain.first || sequence > chain.last);
    if (!Number.isSafeInteger(sequence) || isOutside) {
      return suspect(row);
    }
    if (expected !== undefined && sequence > expected) {
      gaps.push({ from: expected, to: sequence - 1 });
      previous = undefined;
    }
    const follows = previous === undefined || previous === row.previous;
    const isSound = row.mac === entryMac(key, row);
    expected = sequence + 1;
    previous = isSound ? row.mac : undefined;
    last = row;
    if (!isSound) {
      return suspect(row);
    }
    const found = row.action === tamperedAction ? [problem('found_before', sequence)] : [];
    return follows ? found : [...found, problem('changed', sequence)];
  }

  return {
    /** Called with each page in order. Returns the problems that are certain so far. */
    page({ chain: next, rows }: AuditPage): AuditProblem[] {
      chain = next;
      isChainSound = next !== undefined && next.mac === chainMac(key, next);
      // The oldest entries may have expired since the page before.
      if (next !== undefined && isChainSound && (expected === undefined || expected < next.first)) {
        expected = next.first;
        previous = next.before;
      }
      return rows.flatMap(check);
    },

    /** Called after the last page. */
    end(): AuditProblem[] {
      const problems: AuditProblem[] = [];
      if (chain !== undefined && !isChainSound) {
        problems.push(problem('ends_changed'));
      }
      let cutOff: { from: number; to: number } | undefined;
      if (chain !== undefined && isChainSound) {
        if (expected !== undefined && expected <= chain.last) {
          cutOff = { from: expected, to: chain.last };
        } else if (last !== undefined && previous !== undefined && last.mac !== chain.end) {
          problems.push(problem('changed', last.sequence));
        }
      }
      return [...problems, ...explainSuspects(key, { suspects, gaps, cutOff, chain, isChainSound, problem })];
    },
  };
}

interface Suspicion {
  suspects: readonly AuditEntryRow[];
  gaps: readonly { from: number; to: number }[];
  cutOff: { from: number; to: number } | undefined;
  chain: AuditChainRow | undefined;
  isChainSound: boolean;
  problem: (kind: AuditProblem['kind'], from?: number, to?: number) => AuditProblem;
}

/** Finds out which of the entries that do not fit stand in the place of another. */
function explainSuspects(
  key: KeyObject,
  { suspects, gaps, cutOff, chain, isChainSound, problem }: Suspicion,
): AuditProblem[] {
  const missing = [...gaps, ...(cutOff === undefined ? [] : [cutOff])];
  const positions = new Set(suspects.flatMap(({ sequence }) => [sequence - 1, sequence, sequence + 1]));
  for (const { from, to } of missing) {
    for (let position = from; position <= Math.min(to, from + maxSuspects - 1); position += 1) {
      positions.add(position);
    }
  }
  /** By the place where each stands. */
  const moved = new Map<unknown, number>();
  for (const row of suspects) {
    for (const position of positions) {
      if (position !== row.sequence && row.mac === entryMac(key, { ...row, sequence: position })) {
        moved.set(row.sequence, position);
      }
    }
  }
  const found = new Set(moved.values());
  const isWithin = (sequence: number) =>
    chain === undefined || !isChainSound || (sequence >= chain.first && sequence <= chain.last);
  const problems = suspects.flatMap(({ sequence }) => {
    const was = moved.get(sequence);
    if (was !== undefined) {
      const lost = isWithin(sequence) && !found.has(sequence) ? [problem('missing', sequence)] : [];
      return [{ ...problem('moved', sequence), was }, ...lost];
    }
    const isKnownPlace = Number.isSafeInteger(sequence) && isWithin(sequence) && chain !== undefined;
    return [problem(isKnownPlace && !found.has(sequence) ? 'changed' : 'inserted', sequence)];
  });
  const isFound = ({ from, to }: { from: number; to: number }) => from === to && found.has(from);
  return [
    ...problems,
    ...gaps.filter((gap) => !isFound(gap)).map(({ from, to }) => problem('missing', from, to)),
    ...(cutOff === undefined || isFound(cutOff) ? [] : [problem('cut_off', cutOff.from, cutOff.to)]),
  ];
}

export interface AuditCheck {
  workspaces: number;
  entries: number;
  problems: number;
}

export interface VerifyOptions {
  /** Whose entries to check; all workspaces by default. */
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
    // Whether the ends of the chain are where the register says.
    if (read.chain === undefined) {
      await report([{ workspaceId, kind: 'ends_missing' }]);
    } else if (registered?.includes(workspaceId) === false) {
      await report([{ workspaceId, kind: 'chain_unknown' }]);
    }
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
  const row = await db.selectFrom('auditRegister').selectAll().executeTakeFirst();
  if (row === undefined) {
    const isEmpty = (await listWorkspaces(db, [])).length === 0;
    return isEmpty ? { key: undefined, registered: [], problems: [] } : failed('key_missing');
  }
  try {
    const key = decryptAuditKey(row.encryptedKey, encryption);
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

/** Returns the workspaces that have entries, and those that should. */
async function listWorkspaces(db: Kysely<Schema>, registered: readonly string[]): Promise<string[]> {
  const found = new Set<string>(registered);
  for (const { workspaceId } of await db.selectFrom('auditChain').select('workspaceId').execute()) {
    found.add(workspaceId);
  }
  // From one workspace to the next: through all entries it would take as long as there are entries.
  let last: string | undefined = '';
  while (last !== undefined) {
    const next: { id: string | undefined } = await db
      .selectFrom('auditEntry')
      .select((eb) => eb.fn.min('workspaceId').as('id'))
      .where('workspaceId', '>', last)
      .executeTakeFirstOrThrow();
    last = next.id;
    if (last !== undefined) {
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
      .selectFrom('auditChain')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .forUpdate()
      .executeTakeFirst();
    const rows = await transaction
      .selectFrom('auditEntry')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .$if(after !== undefined, (query) => query.where('sequence', '>', after?.sequence ?? 0))
      .orderBy('sequence')
      .limit(pageSize)
      .execute();
    return { chain, rows };
  });
}
