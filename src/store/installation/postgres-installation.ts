import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { databasePath, readMovedMark, writeDurably } from '../engine/data-dir/data-dir.ts';
import { StoreError } from '../engine/errors.ts';
import type { PostgresDatabase } from '../engine/postgres/database.ts';
import {
  createIdentityReader,
  type DatabaseIdentity,
  isSameDatabase,
  parseIdentity,
} from '../engine/postgres/identity.ts';
import { inTransaction } from '../engine/transaction.ts';
import { clearing } from '../engine/values.ts';
import type { Schema } from '../schema/schema.ts';
import {
  beginEpoch,
  type ClaimOptions,
  createTakeoverNotices,
  type InstallationRow,
  type InstallationState,
  type TakeoverReason,
} from './installation.ts';

/**
 * Claims the data for this run of the program, beside others that may run. Where it was restored or copied since it ran
 * last, its campaigns are held and a new epoch begins, in one transaction: of several instances that start, the first
 * notices. `stop` ends the marking of the data.
 */
export async function claimPostgresInstallation(
  database: PostgresDatabase<Schema>,
  { dataDir, clock, isRestored, onTakeover, timers }: ClaimOptions & { timers: Timers },
): Promise<{ state: InstallationState; stop: () => Promise<void> }> {
  const { db } = database;
  const remembered = readMemory(dataDir);
  const { query, read } = await createIdentityReader(db);
  const { row, memory, takeover } = await inTransaction(db, async (transaction) => {
    const identity = read((await transaction.executeQuery(query)).rows);
    const now = clock();
    // Locks the installation's row, and creates it in a new database.
    const made = await transaction
      .insertInto('installation')
      .values({ number: 1, epoch: '', writes: 0, markFile: '', databaseFile: '' })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (made !== undefined) {
      refuseMissingData(dataDir, remembered);
    }
    const found: InstallationRow =
      made ??
      (await transaction.selectFrom('installation').selectAll().forUpdate().executeTakeFirstOrThrow());
    // How often this instance has marked the data. Undefined if the data doesn't know this instance.
    const ticks = remembered && (await selectTicks(transaction, remembered.id).executeTakeFirst())?.ticks;
    const noticed =
      made === undefined ? postgresTakeoverReason({ row: found, identity, remembered, ticks }) : undefined;
    const reason = isRestored ? 'declared' : noticed;
    let next: InstallationRow = { ...found, databaseFile: JSON.stringify(identity) };
    let taken: InstallationState['takeover'];
    if (reason !== undefined) {
      const writes = Math.max(found.writes, remembered?.takeovers ?? 0) + 1;
      next = { ...next, writes, ...beginEpoch(now) };
      // Other running instances detect this, and restart.
      await transaction.deleteFrom('instanceMark').execute();
      taken = { reason, heldCampaigns: await onTakeover(transaction, now) };
    }
    await transaction
      .updateTable('installation')
      .set(clearing(next))
      .where('number', '=', found.number)
      .execute();
    const marked: InstanceMemory = {
      id: remembered?.id ?? randomUUID(),
      ticks: Math.max(remembered?.ticks ?? 0, ticks ?? 0) + 1,
      takeovers: next.writes,
    };
    await transaction
      .deleteFrom('instanceMark')
      .where('seenAt', '<', new Date(now.getTime() - forgottenAfterMs))
      .execute();
    const columns = { ticks: marked.ticks, seenAt: now };
    await transaction
      .insertInto('instanceMark')
      .values({ id: marked.id, ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute();
    return { row: next, memory: marked, takeover: taken };
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

/** The database would begin empty where there has been data. */
function refuseMissingData(dataDir: string, remembered: InstanceMemory | undefined): void {
  if (remembered !== undefined) {
    throw new StoreError(
      'missing_data',
      'The PostgreSQL database is empty, but Switchboard has run with one here. Restore it from a backup. ' +
        `To start without data, remove ${memoryPath(dataDir)} as well.`,
    );
  }
  const sqlitePath = databasePath(dataDir);
  if (existsSync(sqlitePath)) {
    const mark = readMovedMark(dataDir);
    throw new StoreError(
      'missing_data',
      mark?.state === 'moved'
        ? `The PostgreSQL database is empty, and the data of ${dataDir} was moved to another one. Set DATABASE_URL to that one.`
        : `The PostgreSQL database is empty, but ${sqlitePath} has the data of Switchboard. Move it with ` +
            '`npm run migrate-store`, or unset DATABASE_URL. To start without data, set DATA_DIR to another folder.',
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

function selectTicks(db: Kysely<Schema>, id: string) {
  return db.selectFrom('instanceMark').select('ticks').where('id', '=', id);
}

/** An instance away for longer is forgotten: its return counts as a restore. */
const forgottenAfterMs = 400 * 24 * 60 * 60_000;

const tickMs = 10_000;

const restored = () =>
  new StoreError(
    'data_gone',
    'The PostgreSQL database was restored, copied or replaced while Switchboard runs, so nothing is sent. ' +
      'Start Switchboard again.',
  );

/**
 * Regularly marks the data, in the database and in the data folder, and checks each new connection: nothing is read or
 * written in another database, or an older state of this one.
 *
 * @returns stops this, with a last mark
 */
async function keepMarking(
  { db, guardConnections, refuseAll }: PostgresDatabase<Schema>,
  memory: InstanceMemory,
  { dataDir, clock, timers }: { dataDir: string; clock: Clock; timers: Timers },
): Promise<() => Promise<void>> {
  const ended = new AbortController();
  const { query, read } = await createIdentityReader(db);
  const identity = read((await db.executeQuery(query)).rows);
  let known = memory;

  guardConnections(async (run) => {
    // As of now: a mark may be made while this one is read.
    const { id, ticks } = known;
    const [mark] = await run(selectTicks(db, id).compile());
    if (!isSameDatabase(identity, read(await run(query))) || ticksOf(mark) < ticks) {
      throw restored();
    }
  });

  async function mark(): Promise<void> {
    const row = await db
      .updateTable('instanceMark')
      .set((eb) => ({ ticks: eb('ticks', '+', 1), seenAt: clock() }))
      .where('id', '=', known.id)
      .where('ticks', '>=', known.ticks)
      .returning('ticks')
      .executeTakeFirst();
    if (row === undefined) {
      refuseAll(restored());
      ended.abort();
      return;
    }
    known = { ...known, ticks: row.ticks };
    writeMemory(dataDir, known);
  }

  async function goOn(): Promise<void> {
    while (!ended.signal.aborted) {
      await timers.sleep(tickMs, ended.signal);
      // Where the database or the disk is away, the last mark that was made stays the one to compare with.
      await mark().catch(() => {});
    }
  }

  const marking = goOn();
  return async () => {
    ended.abort();
    await marking;
  };
}

function ticksOf(row: unknown): number {
  return typeof row === 'object' && row !== null && 'ticks' in row ? Number(row.ticks) : -1;
}

/** What an instance remembers of a PostgreSQL database, in its data folder, where no restored database changes it. */
interface InstanceMemory {
  /** Names the instance, as long as its folder is there. */
  id: string;
  /** How often the instance had marked the database. */
  ticks: number;
  /** How often the database had been restored or copied. */
  takeovers: number;
}

const memorySchema = z.object({ id: z.string(), ticks: z.number(), takeovers: z.number() });

const explanation =
  'Switchboard uses this file to notice that its database was restored. See "Restore a backup" in docs/operating.md.';

const memoryPath = (folder: string) => join(folder, 'postgres.mark');

/** Returns undefined without a readable file. */
export function readMemory(folder: string): InstanceMemory | undefined {
  try {
    return memorySchema.parse(JSON.parse(readFileSync(memoryPath(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

/** The memory is on the disk when this returns. */
function writeMemory(folder: string, memory: InstanceMemory): void {
  writeDurably(memoryPath(folder), `${JSON.stringify({ ...memory, explanation }, undefined, 2)}\n`);
}
