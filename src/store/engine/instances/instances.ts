import { randomUUID } from 'node:crypto';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { Schema } from '../../schema/schema.ts';
import { beginKeyUse } from '../encryption/key-check.ts';
import { inTransaction } from '../transaction.ts';

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

export type Instances = Awaited<ReturnType<typeof openInstances>>;

/**
 * The runs of the program on one database. With several, each shows every two seconds that it lives. One that has not for
 * eight seconds may be removed by another, and is dead from then on, to itself too. Registers this run: where it is alone,
 * all others are dead from now on.
 */
export async function openInstances(options: InstancesOptions) {
  const { db, isAlone, now } = options;
  if (isAlone) {
    await db.deleteFrom('instance').execute();
  }
  const { mayJudge, ...own } = await beginRun(options);
  return {
    ...own,

    /** Whether no other instance can have the database: every other run is dead. */
    isAlone,

    /** Returns how many instances take campaigns, this one included unless it is stopping; 1 at least. */
    async living(): Promise<number> {
      if (isAlone) {
        return 1;
      }
      const { living } = await db
        .selectFrom('instance')
        .select((eb) => eb.fn.countAll<number>().as('living'))
        .where('stopping', '=', false)
        .where((eb) => eb.not(isOverdue(eb, now())))
        .executeTakeFirstOrThrow();
      return Math.max(1, living);
    },

    /** Whether another run lives, this one being no other. */
    async isAnotherLiving(other: string): Promise<boolean> {
      const found = await db
        .selectFrom('instance')
        .select('run')
        .where('run', '=', other)
        .where('run', '<>', own.run())
        .executeTakeFirst();
      return found !== undefined;
    },

    /**
     * Removes the runs that are dead, and returns how many there were. An instance that was away itself, as the database
     * was, or that has just started, judges no other for eight seconds.
     */
    async removeDead(): Promise<number> {
      if (isAlone || !mayJudge()) {
        return 0;
      }
      const { numDeletedRows } = await db
        .deleteFrom('instance')
        .where((eb) => isOverdue(eb, now()))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

async function beginRun({ db, isAlone, now, version, keyId, elapsed, timers, report }: InstancesOptions) {
  const listeners: ((previousRun: string) => void)[] = [];
  const closing = new AbortController();
  let run: string = randomUUID();
  let stopping = false;
  let lastBeat = elapsed();
  /** Since when no heartbeat was late. */
  let steadySince = lastBeat;

  async function beat(): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('instance')
      .set({ heartbeatAt: present(now) })
      .where('run', '=', run)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      const previousRun = run;
      run = randomUUID();
      for (const listener of listeners) {
        listener(previousRun);
      }
      await register(db, { run, stopping, version, keyId, now });
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

  await register(db, { run, stopping, version, keyId, now });
  const beating = isAlone ? Promise.resolve() : beatOn();

  return {
    /** The id of this run of the program. It changes if the run was found dead, see `onDeath`. */
    run: () => run,

    mayJudge: () => elapsed() - lastBeat <= livingMs && elapsed() - steadySince >= livingMs,

    /** Calls the listener when this run was found dead, with the run that it was: what that held is no longer its own. */
    onDeath: (listener: (previousRun: string) => void): void => void listeners.push(listener),

    /** Tells the others that this instance takes no further campaigns. */
    async announceStop(): Promise<void> {
      stopping = true;
      if (!isAlone) {
        await db.updateTable('instance').set({ stopping }).where('run', '=', run).execute();
      }
    },

    /** Ends this run: others take over what it still holds. May be called twice. */
    async close(): Promise<void> {
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

async function register(
  db: Kysely<Schema>,
  {
    run,
    stopping,
    version,
    keyId,
    now,
  }: { run: string; stopping: boolean } & Pick<InstancesOptions, 'version' | 'keyId' | 'now'>,
): Promise<void> {
  const at = present(now);
  const row = { run, startedAt: at, heartbeatAt: at, stopping, programVersion: version, keyId };
  await inTransaction(db, async (transaction) => {
    await transaction.insertInto('instance').values(row).execute();
    await beginKeyUse(transaction, keyId);
  });
}

/** By the database's own clock. */
function present(now: InstancesOptions['now']): RawBuilder<Date> {
  return sql<Date>`${now()}`;
}

function isOverdue(eb: ExpressionBuilder<Schema, 'instance'>, now: Expression<number>) {
  return eb('heartbeatAt', '<=', sql<Date>`${now} - ${sql.lit(livingMs)}`);
}

/** Whether the run that a column names is dead. */
export function isOfDead(run: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(run)} not in (select living.run from instance as living)`;
}
