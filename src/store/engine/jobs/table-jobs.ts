import type { ExpressionBuilder, Kysely } from 'kysely';
import { startInterval } from '../../../lib/time/interval.ts';
import { retryDelayMs, retryDelays } from '../../../lib/time/retry-delays.ts';
import type { StoreContext } from '../../context.ts';
import type { Row, Schema } from '../../schema/schema.ts';
import { type JobHandler, type Jobs, maxJobAttempts, type PeriodicWork } from './jobs.ts';

/** In milliseconds: due times are looked at this often, as the clock may be set meanwhile. */
const lookMs = 60_000;

/** 1970: due at once. */
const atOnce = new Date(0);

type JobRow = Row<'job'>;

/** The jobs of the one process that has the database: it runs them itself, from a table. */
export function createTableJobs({
  db,
  clock,
  timers,
  log,
}: Pick<StoreContext, 'db' | 'clock' | 'timers' | 'log'>): Jobs {
  const periodic: PeriodicWork[] = [];
  const topics = new Map<string, Topic>();
  const stopping = new AbortController();
  /** What was started, each with what stops it and waits for it. */
  const stops: (() => Promise<void>)[] = [];

  async function add(topic: string, key: string, dueAt: Date): Promise<void> {
    await db
      .insertInto('job')
      .values({ topic, key, dueAt, nextAt: dueAt })
      .onConflict((conflict) =>
        conflict
          .columns(['topic', 'key', 'dueAt'])
          .doUpdateSet((eb) => ({ times: eb('job.times', '+', 1), attempts: 0, nextAt: dueAt })),
      )
      .execute();
    topics.get(topic)?.look();
  }

  async function run(topic: Topic, job: JobRow): Promise<void> {
    try {
      await topic.handler(job.key, stopping.signal);
      await removeJob(db, job);
    } catch (error) {
      const isLast = job.attempts + 1 >= maxJobAttempts;
      log.error({ err: error, topic: topic.name, isLast }, 'a job failed');
      if (isLast) {
        await removeJob(db, job);
        return;
      }
      const delayMs = retryDelayMs(retryDelays.job, job.attempts + 1);
      // Does nothing if the job was enqueued again since it was read.
      await db
        .updateTable('job')
        .set({ attempts: job.attempts + 1, nextAt: new Date(clock().getTime() + delayMs) })
        .where(isUnchanged(job))
        .execute();
    }
  }

  /** Runs due jobs, one after the other. Resolves with the time until the next one, in milliseconds. */
  async function runDue(topic: Topic): Promise<number> {
    for (;;) {
      const job = await db
        .selectFrom('job')
        .selectAll()
        .where('topic', '=', topic.name)
        .orderBy('nextAt')
        .limit(1)
        .executeTakeFirst();
      const waitMs = job === undefined ? lookMs : Math.min(lookMs, job.nextAt.getTime() - clock().getTime());
      if (job === undefined || waitMs > 0 || stopping.signal.aborted) {
        return waitMs;
      }
      await run(topic, job);
    }
  }

  async function work(topic: Topic): Promise<void> {
    while (!stopping.signal.aborted) {
      const looked = topic.untilLooked();
      const waitMs = await runDue(topic).catch((error: unknown) => {
        log.error({ err: error, topic: topic.name }, 'jobs could not be read or stored');
        return lookMs;
      });
      await timers.sleep(waitMs, looked);
    }
  }

  return {
    every: (name, ms, work) => void periodic.push({ name, ms, work }),
    handle: (name, handler) => void topics.set(name, createTopic(name, handler)),
    enqueue: (topic, key) => add(topic, key, atOnce),
    at: (time, topic, key) => add(topic, key, time),
    async start() {
      for (const { name, ms, work } of periodic) {
        const onError = (error: unknown) => log.error({ err: error, job: name }, 'periodic work failed');
        stops.push(startInterval({ ms, run: work, onError, timers }));
      }
      for (const topic of topics.values()) {
        const ended = work(topic);
        stops.push(() => {
          topic.look();
          return ended;
        });
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

interface Topic {
  name: string;
  handler: JobHandler;
  /** Returns a signal that is aborted by the next `look`. */
  untilLooked(): AbortSignal;
  look(): void;
}

function createTopic(name: string, handler: JobHandler): Topic {
  let looked = new AbortController();
  return {
    name,
    handler,
    untilLooked() {
      looked = new AbortController();
      return looked.signal;
    },
    look: () => looked.abort(),
  };
}

/** Does nothing if the job was enqueued again since it was read. */
async function removeJob(db: Kysely<Schema>, job: JobRow): Promise<void> {
  await db.deleteFrom('job').where(isUnchanged(job)).execute();
}

function isUnchanged({ topic, key, dueAt, times }: JobRow) {
  return (eb: ExpressionBuilder<Schema, 'job'>) => eb.and({ topic, key, dueAt, times });
}
