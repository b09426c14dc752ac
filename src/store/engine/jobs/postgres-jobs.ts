import { createHash } from 'node:crypto';
import { type ClientConfig, DatabaseError, type Pool } from 'pg';
import type { Job, PgBoss, Queue, WorkOptions } from 'pg-boss';
import type { Broadcast } from '../../../lib/broadcast.ts';
import { startInterval } from '../../../lib/time/interval.ts';
import { retryDelays } from '../../../lib/time/retry-delays.ts';
import type { StoreContext } from '../../context.ts';
import { StoreError } from '../errors.ts';
import { createOutage, type Outage, toStoreError } from '../postgres/errors.ts';
import { createListener, type Listener } from '../postgres/listener.ts';
import { type JobHandler, type Jobs, maxJobAttempts, type PeriodicWork } from './jobs.ts';
import { createPostgresBroadcast } from './postgres-broadcast.ts';

interface PostgresConnections {
  pool: Pool;
  config: ClientConfig;
}

type JobsContext = Pick<StoreContext, 'clock' | 'timers' | 'log' | 'retryWrite'>;

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

/** Besides the notifications: for jobs that are due later, and missed notifications. */
const periodicPolling = { notifyPollingIntervalSeconds: 15 } as const satisfies WorkOptions;
const topicPolling = { notifyPollingIntervalSeconds: 5 } as const satisfies WorkOptions;

/** In milliseconds: how long a stop waits for the work in progress. The program has its own limit. */
const stopTimeoutMs = 10 * 60_000;

/** In seconds: how often it is looked, by one instance of all, whether jobs of an instance that died are to be run again. */
const superviseSeconds = 15;

/**
 * The jobs of all instances on one PostgreSQL database, run by pg-boss, and what they tell one another: both come by one
 * connection.
 */
export function createPostgresJobs(
  context: JobsContext,
  connections: PostgresConnections,
): { jobs: Jobs; broadcast: Broadcast } {
  const { timers, log } = context;
  const { pool, config } = connections;
  const periodic: PeriodicWork[] = [];
  const topics = new Map<string, JobHandler>();
  const outage = createOutage(log);
  const listener = createListener({ config, timers, outage });
  const broadcast = createPostgresBroadcast(context, { pool, listener });
  const stopping = new AbortController();
  const intervals: (() => Promise<void>)[] = [];
  let boss: PgBoss | undefined;
  /** Resolves when every queue is there: a request may ask for a job before that. */
  const started = Promise.withResolvers<PgBoss>();
  started.promise.catch(() => {});

  const jobs: Jobs = {
    every: (name, ms, run, { atStart } = { atStart: false }) =>
      void periodic.push({ name, ms, work: run, atStart }),
    handle: (topic, handler) => void topics.set(topic, handler),
    async enqueue(topic, key) {
      await (await started.promise).send(topicQueue(topic), { key }, { singletonKey: key });
    },
    async at(time, topic, key) {
      // Beside a job of the same key that is due at once, which would otherwise be done in its place.
      const singletonKey = `${time.getTime()} ${key}`;
      await (await started.promise).send(topicQueue(topic), { key }, { singletonKey, startAfter: time });
    },
    async start() {
      boss = await createBoss(connections, { listener, outage, log });
      try {
        await boss.start();
        const existing = new Set((await boss.getQueues()).map(({ name }) => name));
        const worker = { ...context, boss, existing, outage, stopping: stopping.signal };
        for (const each of periodic) {
          intervals.push(await startPeriodic(worker, each));
        }
        for (const [topic, handler] of topics) {
          await startTopic(worker, topic, handler);
        }
        started.resolve(boss);
      } catch (error) {
        started.reject(error);
        const cause = toStoreError(error);
        throw cause instanceof DatabaseError
          ? new StoreError(
              'bad_schema',
              `The tables of pg-boss, in the schema pgboss of the database, could not be made or used: ${cause.message}. ` +
                'Allow the user of DATABASE_URL to create in the database, or give it that schema.',
              { cause },
            )
          : cause;
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

/** A pg-boss that has started, with what its work needs. */
interface Worker extends JobsContext {
  boss: PgBoss;
  /** The queues that were there at the start: to create one takes a lock. */
  existing: ReadonlySet<string>;
  outage: Outage;
  stopping: AbortSignal;
}

async function work(
  { boss, existing }: Worker,
  { name, ...options }: Queue,
  polling: WorkOptions,
  run: (job: Job<{ key: string }>) => Promise<void>,
): Promise<void> {
  if (!existing.has(name)) {
    await boss.createQueue(name, { ...shared, ...options });
  }
  const id = await boss.work<{ key: string }>(name, polling, async (jobs: Job<{ key: string }>[]) => {
    // The next one is looked for when this ends, not only when the next poll is due.
    boss.notifyWorker(id);
    for (const job of jobs) {
      await run(job);
    }
  });
}

/** Returns what ends the offers of further periods. */
async function startPeriodic(
  worker: Worker,
  { name, ms, ...each }: PeriodicWork,
): Promise<() => Promise<void>> {
  const { boss, clock, timers, log, outage, stopping } = worker;
  const onError = (error: unknown) => log.error({ err: error, job: name }, 'periodic work failed');
  const queue: Queue = {
    name: `every.${name}`,
    deleteAfterSeconds: Math.max(keptSeconds, (2 * ms) / 1000),
  };
  await work(worker, queue, periodicPolling, ({ signal }) =>
    each.work(AbortSignal.any([signal, stopping])).catch(onError),
  );
  let isStart = each.atStart === true;
  return startInterval({
    ms,
    timers,
    async run() {
      // Every instance offers each period, and the first to do so is heard.
      const period = Math.floor(clock().getTime() / ms);
      await boss.send(queue.name, null, isStart ? {} : { id: uuidOf(name, ms, period) });
      isStart = false;
    },
    onError: (error) => outage.isOn('statements') || onError(error),
  });
}

async function startTopic(worker: Worker, topic: string, handler: JobHandler): Promise<void> {
  const { log, stopping } = worker;
  const queue: Queue = {
    name: topicQueue(topic),
    deleteAfterSeconds: keptSeconds,
    retryLimit: maxJobAttempts - 1,
    retryDelay: retryDelays.job.firstMs / 1000,
    retryBackoff: true,
  };
  await work(worker, queue, topicPolling, async ({ data: { key }, signal }) => {
    try {
      await handler(key, AbortSignal.any([signal, stopping]));
    } catch (error) {
      log.error({ err: error, topic }, 'a job failed');
      throw error;
    }
  });
}

/**
 * Creates pg-boss on connections of the pool, with the tables of its own schema. While the database is away it logs
 * nothing of its own: the outage is logged once.
 */
async function createBoss(
  { pool }: PostgresConnections,
  { listener, outage, log }: { listener: Listener; outage: Outage; log: StoreContext['log'] },
): Promise<PgBoss> {
  // Only here: it takes memory that a program on SQLite has no use for.
  const { PgBoss: Boss } = await import('pg-boss');
  const boss = new Boss({
    db: {
      async executeSql(text, values) {
        try {
          const result = await pool.query(text, values);
          outage.ended('statements');
          return result;
        } catch (error) {
          const cause = toStoreError(error);
          if (cause instanceof StoreError && cause.fault === 'unreachable') {
            outage.began('statements', cause);
          }
          throw error;
        }
      },
      async listen(channel, hear, connected) {
        listener.listen(channel, { hear, connected, lost: () => {} });
        return { close: async () => {} };
      },
    },
    useListenNotify: true,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', (error) => {
    if (!outage.isOn('statements')) {
      log.error({ err: error }, 'pg-boss failed');
    }
  });
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'pg-boss warns'));
  return boss;
}

function topicQueue(topic: string): string {
  return `topic.${topic}`;
}

/** Returns the same id on every instance: a job of an id is stored once. */
function uuidOf(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
