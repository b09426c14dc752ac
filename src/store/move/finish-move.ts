import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { AuditProblem } from '../audit/find-problems.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { type MovedMark, writeMovedMark } from '../data-dir/moved-mark.ts';
import { encryptedColumns } from '../encrypted-columns.ts';
import type { Encryption } from '../encryption/cipher.ts';
import { findUnusedKeys } from '../encryption/key-check.ts';
import { StoreError } from '../errors.ts';
import { holdRestored } from '../hold-restored.ts';
import { beginEpoch, type InstallationRow } from '../installation/installation.ts';
import { readMemory } from '../installation/instance-memory.ts';
import { type DatabaseIdentity, isSameDatabase, parseIdentity } from '../postgres/identity.ts';
import type { Schema } from '../schema.ts';
import type { MoveProgress } from './move-progress.ts';
import type { MoveSource } from './move-source.ts';
import { readIdentity } from './move-target.ts';

/**
 * Has PostgreSQL number rows after every number that SQLite ever gave, also to rows that were deleted: encrypted values are
 * bound to them.
 */
export async function moveSequences(source: Kysely<Schema>, target: Kysely<Schema>): Promise<void> {
  const { rows: sequences } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(target);
  const { rows: given } = await sql<{ name: string; last: number }>`
    select name, seq as last from sqlite_sequence`.execute(source);
  for (const { table, column } of sequences) {
    const last = given.find(({ name }) => name === table)?.last ?? 0;
    await sql`
      select setval(pg_get_serial_sequence(${sql.lit(table)}, ${sql.lit(column)}), next, false)
      from (select greatest(${last}::bigint, max(${sql.ref(column)})) + 1 as next from ${sql.table(table)}) as numbers`.execute(
      target,
    );
  }
}

/**
 * Checks that all values can be decrypted, and the chains of the audit. What was changed in the audit before the move is
 * as it was, and `npm run audit -- verify` names it.
 *
 * @returns how many entries the audit has, and what is wrong with it in both databases
 * @throws StoreError `missing_key`, `unreadable`
 */
export async function checkMoved(
  source: MoveSource,
  target: Kysely<Schema>,
  encryption: Encryption,
): Promise<{ entries: number; problems: number }> {
  await findUnusedKeys(target.$pickTables<'encryption_key'>(), encryption, encryptedColumns);
  const moved = await verify(target, encryption);
  if (moved.problems.length > 0) {
    const before = await verify(source.db, encryption);
    if (!isDeepStrictEqual(moved.problems, before.problems)) {
      throw new StoreError('unreadable', 'The audit in PostgreSQL is not the one that is in SQLite.');
    }
  }
  return { entries: moved.entries, problems: moved.problems.length };
}

async function verify(
  db: Kysely<Schema>,
  encryption: Encryption,
): Promise<{ entries: number; problems: AuditProblem[] }> {
  const problems: AuditProblem[] = [];
  const { entries } = await verifyAudit(db, encryption, {
    onProblem: async (problem) => void problems.push(problem),
  });
  return { entries, problems };
}

interface FinishOptions {
  source: MoveSource;
  target: Kysely<Schema>;
  progress: MoveProgress;
  dataDir: string;
  /** The mark that the folder had when this run of the command began. */
  mark: MovedMark | undefined;
  now: Date;
}

/**
 * Lets the program start on PostgreSQL, and no more on the folder: that first, so that at no moment both may be used.
 *
 * @returns how many campaigns were paused, where the data counts as restored or copied
 */
export async function finishMove(options: FinishOptions): Promise<{ heldCampaigns: number | undefined }> {
  const { source, target, progress, dataDir, now } = options;
  const { move } = progress.row();
  const identity = await readIdentity(target);
  const isRestored = await countsAsRestored(options, identity);
  const next: InstallationRow = {
    id: 1,
    epoch: source.installation?.epoch ?? '',
    restored_at: source.installation?.restored_at ?? null,
    notified_at: source.installation?.notified_at ?? null,
    ...(isRestored && beginEpoch(now)),
    // More than an instance remembers that ran on another PostgreSQL from this folder: this is no older state of that one.
    writes: (readMemory(dataDir)?.takeovers ?? -1) + 1,
    database_file: JSON.stringify(identity),
    mark_file: '',
    machine: null,
    boot: null,
  };
  const at = now.toISOString();
  writeMovedMark(dataDir, { move, state: 'moving', at });
  const held = await progress.advance(
    { finished_at: now.getTime(), restored: isRestored ? 1 : 0 },
    async (transaction) => {
      await transaction.updateTable('installation').set(next).execute();
      return isRestored ? holdRestored(transaction, now) : undefined;
    },
  );
  writeMovedMark(dataDir, { move, state: 'moved', at });
  return { heldCampaigns: held };
}

async function countsAsRestored(
  { target, progress, mark }: FinishOptions,
  identity: DatabaseIdentity,
): Promise<boolean> {
  const row = await target.selectFrom('installation').select('database_file').executeTakeFirstOrThrow();
  const begun = parseIdentity(row.database_file);
  return (
    progress.row().restored === 1 ||
    // It was complete already, and may have been used: PostgreSQL was put back to a state from before that.
    mark?.state === 'moved' ||
    (begun !== undefined && !isSameDatabase(begun, identity))
  );
}
