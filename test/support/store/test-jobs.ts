import pg from 'pg';
import { type Broadcast, noOthers } from '../../../src/lib/broadcast.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createRetryWrite } from '../../../src/store/engine/database.ts';
import type { Jobs } from '../../../src/store/engine/jobs/jobs.ts';
import { createPostgresJobs } from '../../../src/store/engine/jobs/postgres-jobs.ts';
import { createTableJobs } from '../../../src/store/engine/jobs/table-jobs.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { valuesPlugin } from '../../../src/store/engine/values.ts';
import type { Schema } from '../../../src/store/schema/schema.ts';
import { steppedTimers } from '../stepped-timers.ts';
import { temporaryDatabase } from '../temporary-database.ts';
import { stoppedClock } from '../time/test-clock.ts';
import { createPostgresDatabase, type DatabaseName } from './databases.ts';

/** Instances of the program on one database, as far as their jobs go. Clocks and timers are the test's. */
export interface TestJobs {
  /** Adds an instance, which is not started yet. On SQLite there is one at a time. */
  instance(): Promise<Jobs & { broadcast: Broadcast }>;
  /** Lets time pass for all of them. */
  pass(ms: number): Promise<void>;
  /** Has what is put off, or due within an hour, due now. */
  makeDue(): Promise<void>;
  /** Runs a statement. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>;
  log(): string;
}

export async function temporaryJobs(
  test: { after(end: () => void | Promise<void>): void },
  database: DatabaseName,
): Promise<TestJobs> {
  let log = '';
  const logger = createLog('info', {
    write(line: string) {
      log += line;
    },
  });
  const { clock, pass } = stoppedClock();
  const timers = steppedTimers();
  const shared = { clock: clock.now, timers, log: logger };
  const passTime = async (ms: number) => {
    pass(ms);
    await timers.advance(ms);
  };

  if (database === 'sqlite') {
    const { db, close } = await temporaryDatabase<Schema>({ after: () => {} });
    await migrate(db);
    const instances: Jobs[] = [];
    test.after(async () => {
      await Promise.all(instances.map((jobs) => jobs.stop()));
      await close();
    });
    return {
      async instance() {
        const jobs = createTableJobs({ ...shared, db: db.withPlugin(valuesPlugin) });
        instances.push(jobs);
        return { ...jobs, broadcast: noOthers };
      },
      pass: passTime,
      makeDue: () => passTime(60 * 60_000),
      async query() {
        throw new TypeError('only on PostgreSQL');
      },
      log: () => log,
    };
  }

  const { url, drop } = await createPostgresDatabase({ empty: true });
  const ends: (() => Promise<void>)[] = [];
  test.after(async () => {
    await Promise.all(ends.map((end) => end()));
    await drop();
  });
  const config = { connectionString: url.reveal(), max: 4 };
  const poolOf = () => {
    const pool = new pg.Pool(config);
    pool.on('error', () => {});
    return pool;
  };
  const own = poolOf();
  ends.push(() => own.end());
  return {
    async instance() {
      const pool = poolOf();
      const closing = new AbortController();
      const retryWrite = createRetryWrite(timers, closing.signal);
      const { jobs, broadcast } = createPostgresJobs({ ...shared, retryWrite }, { pool, config });
      ends.push(async () => {
        closing.abort();
        await jobs.stop();
        await pool.end();
      });
      return { ...jobs, broadcast };
    },
    pass: passTime,
    async makeDue() {
      await own.query(
        `update pgboss.job set start_after = now() where start_after < now() + interval '61 minutes'`,
      );
    },
    query: async (statement) => (await own.query(statement)).rows,
    log: () => log,
  };
}

/** A list that a test waits on. */
export interface Seen<Value> {
  readonly values: readonly Value[];
  add(value: Value): void;
  /** Resolves when it has this many. */
  reaches(count: number): Promise<void>;
}

export function createSeen<Value>(): Seen<Value> {
  const values: Value[] = [];
  let changed = Promise.withResolvers<void>();
  return {
    values,
    add(value) {
      values.push(value);
      changed.resolve();
      changed = Promise.withResolvers<void>();
    },
    async reaches(count) {
      while (values.length < count) {
        await changed.promise;
      }
    },
  };
}
