import { createHash } from 'node:crypto';
import { type ClientConfig, DatabaseError, type Pool } from 'pg';
import type { Job, PgBoss, Queue, WorkOptions } from 'pg-boss';
import type { Broadcast } from '../../lib/broadcast.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { startInterval } from '../../lib/time/interval.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { StoreError } from '../errors.ts';
import { toStoreError } from '../postgres/errors.ts';
import { createListener } from '../postgres/listener.ts';
import { createOutage } from '../postgres/outage.ts';
import type { RetryWrite } from '../retry-write.ts';
import { createBoss } from './boss.ts';
import {
  type JobHandler,
  type Jobs,
  jobRetryDelaySeconds,
  maxJobAttempts,
  type PeriodicWork,
} from './jobs.ts';
import { createPostgresBroadcast } from './postgres-broadcast.ts';

interface PostgresJobsOptions {
  pool: Pool;
  config: ClientConfig;
  retryWrite: RetryWrite;
  clock: Clock;
  timers: Timers;
  log: Pick<Log, 'error' | 'warn' | 'info'>;
}

/**
 * Of each key one job runs at a time, and one waits. A run goes on for as long as its instance says so, up to the time
 * given.
 */
const shared = {
  policy: 'stately',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 23 * 60 * 60,
} as const satisfies Partial<Queue>;

/** In seconds: how long it is known that a job was done. */
const keptSeconds = 60 * 60;

/** Beside the notifications: for what is due later, and where one was missed. */
const periodicPolling = { notifyPollingIntervalSeconds: 15 } as const satisfies WorkOptions;
const wakePolling = { notifyPollingIntervalSeconds: 5 } as const satisfies WorkOptions;

/** In milliseconds: how long a stop waits for the work in progress. The program has its own limit. */
const stopTimeoutMs = 10 * 60_000;

/**
 * The jobs of all instances on one PostgreSQL database, run by pg-boss, and what they tell one another: both hear of it by
 * one connection.
 */
export function createPostgresJobs(options: PostgresJobsOptions): { jobs: Jobs; broadcast: Broadcast } {
  const { pool, config, retryWrite, clock, timers, log } = options;
  const periodic: PeriodicWork[] = [];
  const topics = new Map<string, JobHandler>();
  const outage = createOutage(log);
  const listener = createListener({ config, timers, outage });
  const broadcast = createPostgresBroadcast({ pool, listener, retryWrite, log });
  const stopping = new AbortController();
  const intervals: (() => Promise<void>)[] = [];
  let boss: PgBoss | undefined;
  /** Resolves when every queue is there: a request may wake a topic before that. */
  const started = Promise.withResolvers<PgBoss>();
  started.promise.catch(() => {});
  /** The queues that were there at the start: to create one takes a lock. */
  let existing: ReadonlySet<string> = new Set();

  /** Every instance offers each period, and the first to do so is heard. */
  async function offer(present: PgBoss, { name, ms }: PeriodicWork, isStart: boolean): Promise<void> {
    const period = Math.floor(clock().getTime() / ms);
    await present.send(periodicQueue(name), null, isStart ? {} : { id: uuidOf(name, ms, period) });
  }

  async function work(
    present: PgBoss,
    queue: Queue,
    polling: WorkOptions,
    run: (job: Job<{ key: string }>) => Promise<void>,
  ): Promise<void> {
    const { name, ...options } = queue;
    if (!existing.has(name)) {
      await present.createQueue(name, { ...shared, ...options });
    }
    const id = await present.work<{ key: string }>(name, polling, async (jobs: Job<{ key: string }>[]) => {
      // The next one is looked for when this ends, not only when the next poll is due.
      present.notifyWorker(id);
      for (const job of jobs) {
        await run(job);
      }
    });
  }

  async function startPeriodic(present: PgBoss, each: PeriodicWork): Promise<void> {
    const { name, ms } = each;
    const onError = (error: unknown) => log.error({ err: error, job: name }, 'periodic work failed');
    const queue: Queue = {
      name: periodicQueue(name),
      deleteAfterSeconds: Math.max(keptSeconds, (2 * ms) / 1000),
    };
    await work(present, queue, periodicPolling, ({ signal }) =>
      each.work(AbortSignal.any([signal, stopping.signal])).catch(onError),
    );
    let isStart = each.atStart === true;
    intervals.push(
      startInterval({
        ms,
        timers,
        async run() {
          await offer(present, each, isStart);
          isStart = false;
        },
        onError: (error) => outage.isOn('statements') || onError(error),
      }),
    );
  }

  async function startTopic(present: PgBoss, topic: string, handler: JobHandler): Promise<void> {
    const queue: Queue = {
      name: topicQueue(topic),
      deleteAfterSeconds: keptSeconds,
      retryLimit: maxJobAttempts - 1,
      retryDelay: jobRetryDelaySeconds,
      retryBackoff: true,
    };
    await work(present, queue, wakePolling, async ({ data: { key }, signal }) => {
      try {
        await handler(key, AbortSignal.any([signal, stopping.signal]));
      } catch (error) {
        log.error({ err: error, topic }, 'a job failed');
        throw error;
      }
    });
  }

  const jobs: Jobs = {
    every: (name, ms, run, { atStart } = { atStart: false }) =>
      void periodic.push({ name, ms, work: run, atStart }),
    onWake: (topic, handler) => void topics.set(topic, handler),
    async wake(topic, key) {
      await (await started.promise).send(topicQueue(topic), { key }, { singletonKey: key });
    },
    async at(time, topic, key) {
      // Beside a wake of the same key, which would otherwise be done in its place.
      const singletonKey = `${time.getTime()} ${key}`;
      await (await started.promise).send(topicQueue(topic), { key }, { singletonKey, startAfter: time });
    },
    async start() {
      boss = await createBoss({ pool, listener, outage, log });
      try {
        await boss.start();
        existing = new Set((await boss.getQueues()).map(({ name }) => name));
        for (const each of periodic) {
          await startPeriodic(boss, each);
        }
        for (const [topic, handler] of topics) {
          await startTopic(boss, topic, handler);
        }
        started.resolve(boss);
      } catch (error) {
        started.reject(error);
        throw toStartError(error);
      }
      listener.start();
    },
    async stop() {
      stopping.abort();
      await Promise.all(intervals.map((stop) => stop()));
      await boss?.stop({ timeout: stopTimeoutMs });
      await listener.close();
    },
  };
  return { jobs, broadcast };
}

function toStartError(error: unknown): unknown {
  const cause = toStoreError(error);
  if (!(cause instanceof DatabaseError)) {
    return cause;
  }
  return new StoreError(
    'bad_schema',
    `The tables of pg-boss, in the schema pgboss of the database, could not be made or used: ${cause.message}. ` +
      'Allow the user of DATABASE_URL to create in the database, or give it that schema.',
    { cause },
  );
}

function periodicQueue(name: string): string {
  return `every.${name}`;
}

function topicQueue(topic: string): string {
  return `wake.${topic}`;
}

/** Returns the same id on every instance: a job of an id is stored once. */
function uuidOf(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
