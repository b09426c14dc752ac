/**
 * Work to do repeatedly, later, or after a change, on one or several instances. A job only triggers a look at the database,
 * which decides what to do, so running it twice or again after a crash does no harm. Names, topics and keys lie in the clear:
 * ids, never numbers or texts.
 */
export interface Jobs {
  /**
   * Runs `work` on one instance in each period of `ms` milliseconds, the first time at once. Runs don't overlap. An error is
   * logged, and the next period comes. Called before `start`.
   *
   * @param work its signal is aborted when the instance stops
   * @param options.atStart it runs whenever an instance starts, too: for what that may have left when it ended
   */
  every(
    name: string,
    ms: number,
    work: (signal: AbortSignal) => Promise<void>,
    options?: { atStart: boolean },
  ): void;

  /**
   * Calls a handler of the topic with the key as soon as possible, on one instance: at least once, and again if this is
   * called while it runs. Resolves when the job is stored. Called after `start`, as `at`.
   */
  enqueue(topic: string, key: string): Promise<void>;

  /** As `enqueue`, but not before a time: once for each time that is given. */
  at(time: Date, topic: string, key: string): Promise<void>;

  /**
   * Handles a topic. A handler that throws is called again, later each time; after some attempts the job is dropped and
   * logged. Called before `start`.
   *
   * @param handler its signal is aborted when the instance stops
   */
  handle(topic: string, handler: (key: string, signal: AbortSignal) => Promise<void>): void;

  /**
   * Begins to work.
   *
   * @throws StoreError `bad_schema`, `unreachable` …
   */
  start(): Promise<void>;

  /** Begins nothing more. Resolves when what runs has ended. May be called twice. */
  stop(): Promise<void>;
}

export type JobHandler = Parameters<Jobs['handle']>[1];

/** See `Jobs.every`. */
export interface PeriodicWork {
  name: string;
  ms: number;
  work: (signal: AbortSignal) => Promise<void>;
  atStart?: boolean | undefined;
}

/** The topics that have handlers. */
export const jobTopics = {
  approvals: 'approvals',
  deliveries: 'deliveries',
  notices: 'notices',
  stops: 'stops',
} as const;

/** A job that fails is dropped after this many attempts: whatever it was about is looked at periodically too. */
export const maxJobAttempts = 6;
