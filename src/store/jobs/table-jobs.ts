import type { Kysely } from 'kysely';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { startInterval } from '../../lib/time/interval.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Schema } from '../schema.ts';
import { addJob, type JobRow, nextJob, putOffJob, removeJob } from './job-rows.ts';
import {
  type JobHandler,
  type Jobs,
  jobRetryDelaySeconds,
  maxJobAttempts,
  type PeriodicWork,
} from './jobs.ts';

interface TableJobsOptions {
  db: Kysely<Schema>;
  clock: Clock;
  timers: Timers;
  log: Pick<Log, 'error'>;
}

/** In milliseconds: due times are looked at this often, as the clock may be set meanwhile. */
const lookMs = 60_000;

/** The jobs of the one process that has the database: it runs them itself, from a table. */
export function createTableJobs({ db, clock, timers, log }: TableJobsOptions): Jobs {
  const periodic: PeriodicWork[] = [];
  const topics = new Map<string, Topic>();
  const stopping = new AbortController();
  /** What was started, each with what stops it and waits for it. */
  const stops: (() => Promise<void>)[] = [];

  async function add(topic: string, key: string, due_at: number): Promise<void> {
    await addJob(db, { topic, key, due_at });
    topics.get(topic)?.look();
  }

  async function run(topic: Topic, job: JobRow): Promise<void> {
    try {
      await topic.handler(job.key, stopping.signal);
      await removeJob(db, job);
    } catch (error) {
      const isLast = job.attempts + 1 >= maxJobAttempts;
      log.error({ err: error, topic: topic.name, isLast }, 'a job failed');
      const delayMs = jobRetryDelaySeconds * 1000 * 2 ** job.attempts;
      await (isLast ? removeJob(db, job) : putOffJob(db, job, clock().getTime() + delayMs));
    }
  }

  /** Runs what is due, one after the other. Resolves with how long nothing will be, in milliseconds. */
  async function runDue(topic: Topic): Promise<number> {
    for (;;) {
      const job = await nextJob(db, topic.name);
      const waitMs = job === undefined ? lookMs : Math.min(lookMs, job.next_at - clock().getTime());
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
    onWake: (name, handler) => void topics.set(name, createTopic(name, handler)),
    wake: (topic, key) => add(topic, key, 0),
    at: (time, topic, key) => add(topic, key, time.getTime()),
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
