import type { Timers } from '../../../../lib/time/timers.ts';

/**
 * In milliseconds between two updates in a workspace. Slack: chat.update is tier 3, about 50 calls a minute of the app in a
 * workspace, and chat.postMessage takes one a second in a channel. An update makes one call of each at most.
 */
const interval = 1_500;
/**
 * Updates that may follow one another at once. With the 40 of a minute that makes 48. Several instances share burst and rate,
 * and each has a burst of at least one: ten instances make 50.
 */
const burst = 8;

/** Has the messages of all campaigns of a workspace updated one after the other, as often as Slack takes it. */
export class UpdateQueue<Item> {
  readonly #isBefore: (item: Item, other: Item) => boolean;
  readonly #begin: (item: Item) => void;
  readonly #timers: Timers;
  readonly #lanes = new Map<string, Lane<Item>>();
  readonly #stopping = new AbortController();
  #interval = interval;
  #burst = burst;

  /** @param context.isBefore whether an item comes before another one */
  constructor(context: {
    isBefore: (item: Item, other: Item) => boolean;
    begin: (item: Item) => void;
    timers: Timers;
  }) {
    this.#isBefore = context.isBefore;
    this.#begin = context.begin;
    this.#timers = context.timers;
  }

  /** Calls `begin` with the item once its workspace may have another update. Ignored while the item waits. */
  add(workspaceId: string, item: Item): void {
    const lane = this.#laneOf(workspaceId);
    lane.waiting.add(item);
    this.#advance(lane);
  }

  /** Says how many instances share Slack's limits from now on. */
  shareWith(instances: number): void {
    this.#interval = interval * instances;
    this.#burst = Math.max(1, Math.floor(burst / instances));
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopping.abort();
  }

  #laneOf(workspaceId: string): Lane<Item> {
    const lane = this.#lanes.get(workspaceId);
    if (lane !== undefined) {
      return lane;
    }
    // A lane that may have the whole burst again is as a new one.
    for (const [id, { paidUntil, waiting }] of this.#lanes) {
      if (paidUntil <= this.#timers.elapsed() && waiting.size === 0) {
        this.#lanes.delete(id);
      }
    }
    const created = { waiting: new Set<Item>(), paidUntil: 0, isTimed: false };
    this.#lanes.set(workspaceId, created);
    return created;
  }

  /** Returns in how many milliseconds the next update may begin. */
  #freeIn({ paidUntil }: Lane<Item>): number {
    return paidUntil - (this.#burst - 1) * this.#interval - this.#timers.elapsed();
  }

  #advance(lane: Lane<Item>): void {
    while (lane.waiting.size > 0 && this.#freeIn(lane) <= 0) {
      lane.paidUntil = Math.max(lane.paidUntil, this.#timers.elapsed()) + this.#interval;
      const next = firstOf(lane.waiting, this.#isBefore);
      lane.waiting.delete(next);
      this.#begin(next);
    }
    if (lane.waiting.size > 0 && !lane.isTimed) {
      lane.isTimed = true;
      void this.#timers.sleep(this.#freeIn(lane), this.#stopping.signal).then(() => {
        lane.isTimed = false;
        if (!this.#stopping.signal.aborted) {
          this.#advance(lane);
        }
      });
    }
  }
}

interface Lane<Item> {
  waiting: Set<Item>;
  /** When the interval of the last update ends, if each had begun after the one before. */
  paidUntil: number;
  /** Whether a timer for the next update runs. */
  isTimed: boolean;
}

function firstOf<Item>(items: ReadonlySet<Item>, isBefore: (item: Item, other: Item) => boolean): Item {
  return [...items].reduce((first, item) => (isBefore(item, first) ? item : first));
}

/** Minimum time between two updates of one message, in milliseconds. */
const minInterval = 3_000;
const firstRetryDelay = 2_000;
const maxRetryDelay = 60_000;
/** Changes within this time are shown together. */
const batchMs = 100;

/**
 * Returns when an update of a campaign's message is due: at once when its state has changed, every three seconds for its
 * counts, and after a failure with exponential backoff. It then waits in the queue, see `UpdateQueue`. All times are
 * in milliseconds of one stopwatch.
 */
export function nextUpdateAt(
  {
    stateChanged,
    shownAt,
    failures,
  }: { stateChanged: boolean /** When the last update began. */; shownAt: number; failures: number },
  {
    now,
    notBefore,
  }: {
    now: number;
    /** Until when Slack's rate limit lasts. */
    notBefore: number;
  },
): number {
  return Math.max(allowedAt(), notBefore, now + batchMs);

  function allowedAt(): number {
    if (failures > 0) {
      return shownAt + Math.min(maxRetryDelay, firstRetryDelay * 2 ** (failures - 1));
    }
    return stateChanged ? 0 : shownAt + minInterval;
  }
}
