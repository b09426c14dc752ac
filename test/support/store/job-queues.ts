import pg from 'pg';
import { periods } from '../../../src/background-work.ts';
import { createLog } from '../../../src/lib/log.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createRetryWrite } from '../../../src/store/engine/database.ts';
import { jobTopics } from '../../../src/store/engine/jobs/jobs.ts';
import { createPostgresJobs } from '../../../src/store/engine/jobs/postgres-jobs.ts';

/** Creates the tables and the queues of the program's jobs, as its first start does, and leaves no jobs in them. */
export async function createJobQueues(connectionString: string): Promise<void> {
  const config = { connectionString };
  const pool = new pg.Pool(config);
  const closing = new AbortController();
  const context = {
    retryWrite: createRetryWrite(systemTimers, closing.signal),
    clock: () => new Date(),
    timers: systemTimers,
    log: createLog('error', process.stderr),
  };
  const { jobs } = createPostgresJobs(context, { pool, config });
  for (const [name, ms] of Object.entries(periods)) {
    jobs.every(name, ms, async () => {});
  }
  for (const topic of Object.values(jobTopics)) {
    jobs.handle(topic, async () => {});
  }
  await jobs.start();
  await jobs.stop();
  closing.abort();
  await pool.query('delete from pgboss.job');
  await pool.query(
    'update pgboss.queue set monitor_on = null, monitor_claim_on = null, maintain_on = null, retained_on = null, delta_on = null',
  );
  await pool.end();
}
