import type { Timers } from '../../../../lib/time/timers.ts';

/**
 * In milliseconds between two turns of a workspace. Slack: chat.update is tier 3, about 50 calls a minute of the app in a
 * workspace, and chat.postMessage takes one a second in a channel. A turn makes one call of each at most.
 */
const interval = 1_500;
/**
 * Turns that may follow one another at once: with those of a minute there are 48. Several instances share both, and each has
 * one: of ten there are 50.
 */
const burst = 8;

/** Has the messages of all campaigns of a workspace updated one after the other, as often as Slack takes it. */
export interface UpdateTurns<Item> {
  /** Has `begin` called with the item in a turn of its workspace, at once if one is free. Ignored while it waits. */
  wait(workspaceId: string, item: Item): void;
  /** Says how many instances share Slack's limits from now on. */
  shareWith(instances: number): void;
  /** Begins nothing more. */
  stop(): void;
}

/** @param isBefore whether an item is to have the next turn rather than another one */
export function createUpdateTurns<Item>({
  isBefore,
  begin,
  timers,
}: {
  isBefore: (item: Item, other: Item) => boolean;
  begin: (item: Item) => void;
  timers: Timers;
}): UpdateTurns<Item> {
  const { elapsed } = timers;
  const lanes = new Map<string, Lane<Item>>();
  const stopping = new AbortController();
  let [own, ownBurst] = [interval, burst];

  function laneOf(workspaceId: string): Lane<Item> {
    const lane = lanes.get(workspaceId);
    if (lane !== undefined) {
      return lane;
    }
    // Those that have all their turns again are as new ones.
    for (const [id, { paidUntil, waiting }] of lanes) {
      if (paidUntil <= elapsed() && waiting.size === 0) {
        lanes.delete(id);
      }
    }
    const created = { waiting: new Set<Item>(), paidUntil: 0, isTimed: false };
    lanes.set(workspaceId, created);
    return created;
  }

  function takeOf(lane: Lane<Item>): boolean {
    if (freeIn(lane) > 0) {
      return false;
    }
    lane.paidUntil = Math.max(lane.paidUntil, elapsed()) + own;
    return true;
  }

  /** Returns in how many milliseconds there is a turn. */
  const freeIn = ({ paidUntil }: Lane<Item>) => paidUntil - (ownBurst - 1) * own - elapsed();

  function advance(lane: Lane<Item>): void {
    while (lane.waiting.size > 0 && takeOf(lane)) {
      const next = firstOf(lane.waiting, isBefore);
      lane.waiting.delete(next);
      begin(next);
    }
    if (lane.waiting.size > 0 && !lane.isTimed) {
      lane.isTimed = true;
      void timers.sleep(freeIn(lane), stopping.signal).then(() => {
        lane.isTimed = false;
        if (!stopping.signal.aborted) {
          advance(lane);
        }
      });
    }
  }

  return {
    wait(workspaceId, item) {
      const lane = laneOf(workspaceId);
      lane.waiting.add(item);
      advance(lane);
    },
    shareWith(instances) {
      own = interval * instances;
      ownBurst = Math.max(1, Math.floor(burst / instances));
    },
    stop: () => stopping.abort(),
  };
}

interface Lane<Item> {
  waiting: Set<Item>;
  /** Until when the turns that were taken last, one after the other: each for the interval. */
  paidUntil: number;
  /** Whether it is already waited for the next turn. */
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
 * counts, and after a failure with exponential backoff. It is then begun in its turn, see `createUpdateTurns`. All times are
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
