import { randomUUID } from 'node:crypto';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { beginKeyUse } from '../encryption/key-check.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';

/**
 * The runs of the program on one database. With several, each shows every two seconds that it lives. One that has not for
 * eight seconds may be removed by another, and is dead from then on, to itself too.
 */
export interface Instances {
  /** Names this run of the program. It is another one from when this run was found dead on: see `onDeath`. */
  run(): string;
  /** Whether no other instance can have the database: every other run is dead. */
  readonly isAlone: boolean;
  /** Whether another run lives, this one being no other. */
  isAnotherLiving(run: string): Promise<boolean>;
  /** Returns how many instances take campaigns, this one included unless it is stopping; 1 at least. */
  living(): Promise<number>;
  /**
   * Removes the runs that are dead, and returns how many there were. An instance that was away itself, as the database
   * was, or that has just started, judges no other for eight seconds.
   */
  removeDead(): Promise<number>;
  /** Calls the listener when this run was found dead, with the run that it was: what that held is no longer its own. */
  onDeath(listener: (former: string) => void): void;
  /** From now on this instance is not counted among those that take campaigns. */
  announceStop(): Promise<void>;
  /** This run is over: what it still holds is for others to end. May be called twice. */
  close(): Promise<void>;
}

const heartbeatMs = 2_000;
/** How old the last heartbeat of a run that lives may be. */
const livingMs = 4 * heartbeatMs;

export interface InstancesOptions {
  db: Kysely<Schema>;
  isAlone: boolean;
  /** The milliseconds since 1970, in a statement: by the database's own clock, where several instances share it. */
  now: () => Expression<number>;
  version: string;
  /** The id of the key that this instance encrypts with. */
  keyId: string;
  elapsed: Stopwatch;
  timers: Timers;
  /** Called with an error of a heartbeat. The next one follows. */
  report: (error: unknown) => void;
}

/** Registers this run. Where it is alone, all others are dead from now on. */
export async function openInstances(options: InstancesOptions): Promise<Instances> {
  const { db, isAlone, now, version, keyId, elapsed, timers, report } = options;
  /** By the database's own clock. */
  const present = () => sql<Date>`${now()}`;
  const listeners: ((former: string) => void)[] = [];
  const closing = new AbortController();
  let run: string = randomUUID();
  let stopping = false;
  let lastBeat = elapsed();
  /** Since when no heartbeat was late. */
  let steadySince = lastBeat;

  async function register(): Promise<void> {
    const row = {
      run,
      startedAt: present(),
      heartbeatAt: present(),
      stopping,
      programVersion: version,
      keyId,
    };
    await inTransaction(db, async (transaction) => {
      await transaction.insertInto('instance').values(row).execute();
      await beginKeyUse(transaction, keyId);
    });
  }

  async function beat(): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('instance')
      .set({ heartbeatAt: present() })
      .where('run', '=', run)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      const former = run;
      run = randomUUID();
      for (const listener of listeners) {
        listener(former);
      }
      await register();
    }
    const at = elapsed();
    steadySince = at - lastBeat > livingMs ? at : steadySince;
    lastBeat = at;
  }

  async function beatOn(): Promise<void> {
    while (!closing.signal.aborted) {
      await timers.sleep(heartbeatMs, closing.signal);
      if (!closing.signal.aborted) {
        await beat().catch(report);
      }
    }
  }

  const mayJudge = () => elapsed() - lastBeat <= livingMs && elapsed() - steadySince >= livingMs;

  if (isAlone) {
    await db.deleteFrom('instance').execute();
  }
  await register();
  const beating = isAlone ? Promise.resolve() : beatOn();

  return {
    run: () => run,
    isAlone,

    async living() {
      if (isAlone) {
        return 1;
      }
      const { living } = await db
        .selectFrom('instance')
        .select((eb) => eb.fn.countAll<number>().as('living'))
        .where('stopping', '=', false)
        .where((eb) => eb.not(isOverdue(eb, now())))
        .executeTakeFirstOrThrow();
      return Math.max(1, Number(living));
    },

    async isAnotherLiving(other) {
      const found = await db
        .selectFrom('instance')
        .select('run')
        .where('run', '=', other)
        .where('run', '<>', run)
        .executeTakeFirst();
      return found !== undefined;
    },

    async removeDead() {
      if (isAlone || !mayJudge()) {
        return 0;
      }
      const { numDeletedRows } = await db
        .deleteFrom('instance')
        .where((eb) => isOverdue(eb, now()))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    onDeath: (listener) => void listeners.push(listener),

    async announceStop() {
      stopping = true;
      if (!isAlone) {
        await db.updateTable('instance').set({ stopping }).where('run', '=', run).execute();
      }
    },

    async close() {
      if (closing.signal.aborted || isAlone) {
        return;
      }
      closing.abort();
      await beating;
      // Where the database is gone, it is dead in eight seconds.
      await db.deleteFrom('instance').where('run', '=', run).execute().catch(report);
    },
  };
}

function isOverdue(eb: ExpressionBuilder<Schema, 'instance'>, now: Expression<number>) {
  return eb('heartbeatAt', '<=', sql<Date>`${now} - ${sql.lit(livingMs)}`);
}

/** Whether the run that a column names is dead. */
export function isOfDead(run: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(run)} not in (select living.run from instance as living)`;
}
