import { existsSync } from 'node:fs';
import type { Transaction } from 'kysely';
import type { Timers } from '../../lib/time/timers.ts';
import { databasePath } from '../data-dir/data-dir.ts';
import { readMovedMark } from '../data-dir/moved-mark.ts';
import { clearing } from '../engine/values.ts';
import { StoreError } from '../errors.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import {
  createIdentityReader,
  type DatabaseIdentity,
  isSameDatabase,
  parseIdentity,
} from '../postgres/identity.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { beginEpoch, type ClaimOptions, type InstallationRow } from './installation.ts';
import { findTicks, keepMarking, setTicks } from './instance-marks.ts';
import { type InstanceMemory, memoryPath, newMemory, readMemory, writeMemory } from './instance-memory.ts';
import { createTakeoverNotices, type InstallationState } from './state.ts';
import type { TakeoverReason } from './takeover.ts';

interface Claim {
  row: InstallationRow;
  memory: InstanceMemory;
  takeover: InstallationState['takeover'];
}

/**
 * Claims the data for this run of the program, beside others that may run. Where it was restored or copied since it ran
 * last, its campaigns are held and a new epoch begins, in one transaction: of several instances that start, the first
 * notices. `stop` ends the marking of the data.
 */
export async function claimPostgresInstallation(
  database: PostgresDatabase<Schema>,
  { timers, ...options }: ClaimOptions & { timers: Timers },
): Promise<{ state: InstallationState; stop: () => Promise<void> }> {
  const { db } = database;
  const { dataDir, clock } = options;
  const remembered = readMemory(dataDir);
  const { query, read } = await createIdentityReader(db, 'installation');
  const { row, memory, takeover } = await inTransaction(db, async (transaction) => {
    const identity = read((await transaction.executeQuery(query)).rows);
    return claimRow(transaction, { ...options, remembered, identity });
  });
  writeMemory(dataDir, memory);
  return {
    state: {
      epoch: row.epoch,
      takeover,
      restoredAt: row.restoredAt,
      ...createTakeoverNotices(db, clock, row.restoredAt !== undefined && row.notifiedAt === undefined),
    },
    stop: await keepMarking(database, memory, { dataDir, clock, timers }),
  };
}

async function claimRow(
  transaction: Transaction<Schema>,
  {
    dataDir,
    clock,
    isRestored,
    onTakeover,
    remembered,
    identity,
  }: ClaimOptions & { remembered: InstanceMemory | undefined; identity: DatabaseIdentity },
): Promise<Claim> {
  const now = clock();
  const { row, isNew } = await lockRow(transaction);
  if (isNew) {
    refuseMissingData(dataDir, remembered);
  }
  const ticks = remembered && (await findTicks(transaction, remembered.id));
  const noticed = isNew ? undefined : postgresTakeoverReason({ row, identity, remembered, ticks });
  const reason = isRestored ? 'declared' : noticed;
  let next: InstallationRow = { ...row, databaseFile: JSON.stringify(identity) };
  let takeover: Claim['takeover'];
  if (reason !== undefined) {
    const writes = Math.max(row.writes, remembered?.takeovers ?? 0) + 1;
    next = { ...next, writes, ...beginEpoch(now) };
    // Others that still run notice by it that they are to start again.
    await transaction.deleteFrom('instanceMark').execute();
    takeover = { reason, heldCampaigns: await onTakeover(transaction, now) };
  }
  await transaction
    .updateTable('installation')
    .set(clearing(next))
    .where('number', '=', row.number)
    .execute();
  const memory = {
    ...(remembered ?? newMemory()),
    ticks: Math.max(remembered?.ticks ?? 0, ticks ?? 0) + 1,
    takeovers: next.writes,
  };
  await setTicks(transaction, memory, now);
  return { row: next, memory, takeover };
}

/** Returns the row of the installation, locked, and makes it in a new database. */
async function lockRow(transaction: Transaction<Schema>): Promise<{ row: InstallationRow; isNew: boolean }> {
  const made = await transaction
    .insertInto('installation')
    .values({ number: 1, epoch: '', writes: 0, markFile: '', databaseFile: '' })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returningAll()
    .executeTakeFirst();
  const row =
    made ?? (await transaction.selectFrom('installation').selectAll().forUpdate().executeTakeFirstOrThrow());
  return { row, isNew: made !== undefined };
}

/** The database would begin empty where there has been data. */
function refuseMissingData(dataDir: string, remembered: InstanceMemory | undefined): void {
  if (remembered !== undefined) {
    throw new StoreError(
      'missing_data',
      'The PostgreSQL database is empty, but Switchboard has run with one here. Put it back from a backup. ' +
        `To begin with no data, remove ${memoryPath(dataDir)} as well.`,
    );
  }
  const former = databasePath(dataDir);
  if (existsSync(former)) {
    const mark = readMovedMark(dataDir);
    throw new StoreError(
      'missing_data',
      mark?.state === 'moved'
        ? `The PostgreSQL database is empty, and the data of ${dataDir} was moved to another one. Set DATABASE_URL to that one.`
        : `The PostgreSQL database is empty, but ${former} has the data of Switchboard. Move it with ` +
            '`npm run migrate-store`, or unset DATABASE_URL. To begin with no data, set DATA_DIR to another folder.',
    );
  }
}

/**
 * Decides whether the data was restored or copied since it ran last. Returns undefined for data that is as this
 * installation left it, or that another instance has taken over since.
 */
function postgresTakeoverReason({
  row,
  identity,
  remembered,
  ticks,
}: {
  row: InstallationRow;
  identity: DatabaseIdentity;
  remembered: InstanceMemory | undefined;
  /** How often the data says that this instance has marked it. */
  ticks: number | undefined;
}): TakeoverReason | undefined {
  const known = parseIdentity(row.databaseFile);
  if (known !== undefined && !isSameDatabase(known, identity)) {
    return 'other_database';
  }
  if (remembered === undefined || row.writes > remembered.takeovers) {
    return undefined;
  }
  return row.writes < remembered.takeovers || (ticks ?? -1) < remembered.ticks ? 'older' : undefined;
}
