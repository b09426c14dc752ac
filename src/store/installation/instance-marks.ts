import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { StoreError } from '../errors.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { createIdentityReader, isSameDatabase } from '../postgres/identity.ts';
import type { Schema } from '../schema/schema.ts';
import { type InstanceMemory, writeMemory } from './instance-memory.ts';

/** Returns how often an instance has marked the data; undefined where the data knows nothing of it. */
export async function findTicks(transaction: Transaction<Schema>, id: string): Promise<number | undefined> {
  const row = await selectTicks(transaction, id).executeTakeFirst();
  return row?.ticks;
}

function selectTicks(db: Kysely<Schema>, id: string) {
  return db.selectFrom('instanceMark').select('ticks').where('id', '=', id);
}

/** An instance that was away for longer is taken for one that never was: its return counts as a restore. */
const forgottenAfterMs = 400 * 24 * 60 * 60_000;

export async function setTicks(
  transaction: Transaction<Schema>,
  { id, ticks }: InstanceMemory,
  now: Date,
): Promise<void> {
  const columns = { ticks, seenAt: now };
  await transaction
    .deleteFrom('instanceMark')
    .where('seenAt', '<', new Date(now.getTime() - forgottenAfterMs))
    .execute();
  await transaction
    .insertInto('instanceMark')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

const tickMs = 10_000;

const restored = () =>
  new StoreError(
    'data_gone',
    'The PostgreSQL database was restored, copied or replaced while Switchboard runs, so nothing is sent. ' +
      'Start Switchboard again.',
  );

/**
 * Marks the data again and again, in the database and in the data folder, and looks at each new connection: nothing more
 * is read or written where the database is another one than before, or an older state of it.
 *
 * @returns what ends this, with a last mark
 */
export async function keepMarking(
  { db, guardConnections, refuseAll }: PostgresDatabase<Schema>,
  memory: InstanceMemory,
  { dataDir, clock, timers }: { dataDir: string; clock: Clock; timers: Timers },
): Promise<() => Promise<void>> {
  const ended = new AbortController();
  const { query, read } = await createIdentityReader(db, 'installation');
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
