import type { PostgresDatabase } from '../postgres/database.ts';
import type { Schema } from '../schema.ts';
import type { ClaimOptions } from './installation.ts';
import { createTakeoverNotices, type InstallationState } from './state.ts';

/** Claims the data for this run of the program, beside others that may run. */
export async function claimPostgresInstallation(
  { db }: PostgresDatabase<Schema>,
  { clock }: ClaimOptions,
): Promise<InstallationState> {
  await db
    .insertInto('installation')
    .values({ id: 1, epoch: '', writes: 0, mark_file: '', database_file: '' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  return {
    epoch: row.epoch,
    restoredAt: row.restored_at === null ? undefined : new Date(row.restored_at),
    ...createTakeoverNotices(db, clock, row.restored_at !== null && row.notified_at === null),
  };
}
