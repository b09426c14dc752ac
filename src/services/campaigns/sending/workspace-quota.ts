import type { Timers } from '../../../lib/time/timers.ts';

/**
 * A campaign's part of the requests that its workspace may have in flight. A request counts until its ending is stored, which
 * limits how many chunks a crash leaves unconfirmed.
 */
export interface RequestQuota {
  /** Returns how many more requests its share has for a campaign that has `ownRequests` in flight. */
  share(ownRequests: number): number;
  /**
   * Returns how many of these it may start in a turn that stores its ended requests; none while others wait and it isn't its
   * turn.
   */
  available(own: OwnRequests): number;
  /** Whether the workspace has other campaigns that are being sent. */
  isShared(): boolean;
  /** Whether they cannot all start a request now. */
  isScarce(): boolean;
  /** Puts the campaign in the queue for a turn to start requests. */
  enqueue(): ClaimTurn;
  reserve(requests: number): void;
  release(requests: number): void;
  /** Called at the end of each turn, queued or not. */
  turnEnded(turn: EndedTurn): void;
}

interface OwnRequests {
  inFlight: number;
  /** Ended requests whose ending is not stored yet. */
  ended: number;
}

interface EndedTurn {
  /** How many requests it started. */
  started: number;
  /** How long the pace delays the next chunk of any campaign; undefined if not known. */
  waitMs: number | undefined;
}

interface ClaimTurn {
  /** Resolves when it is the campaign's turn. */
  entered: Promise<void>;
  leave(): void;
}

/**
 * What this instance's campaigns of one workspace share: requests in flight, and pace. When these are scarce, campaigns
 * queue: without the queue, all would ask at the same moment, and few would get anything.
 */
export class WorkspaceQuota {
  readonly #maxRequests: number;
  readonly #timers: Timers;
  /** By campaign id: grows with each turn that started requests; 0 before the first. */
  readonly #campaigns = new Map<string, number>();
  /** Gives a queued campaign its turn, by campaign id. Whoever has waited longest since its last start is first. */
  readonly #line = new Map<string, () => void>();
  /** Campaigns whose turn from the queue has not ended. */
  readonly #turns = new Set<string>();
  #inFlight = 0;
  #lastStart = 0;
  /** When the pace allows the next chunk, by the timers' clock; and whether it made the last turn wait. */
  #paceAllowsAt = 0;
  #isPaced = false;
  #paceTimer = new AbortController();

  constructor(maxRequests: number, timers: Timers) {
    this.#maxRequests = maxRequests;
    this.#timers = timers;
  }

  add(campaignId: string): void {
    this.#campaigns.set(campaignId, 0);
  }

  remove(campaignId: string): void {
    this.#campaigns.delete(campaignId);
    this.#line.delete(campaignId);
    this.#turns.delete(campaignId);
    this.#giveTurns();
  }

  /** Whether the pace makes the next chunk wait. */
  get isPaceSpent(): boolean {
    return this.#paceAllowsAt > this.#timers.elapsed();
  }

  of(campaignId: string): RequestQuota {
    return {
      share: (ownRequests) => Math.max(0, this.#share() - ownRequests),
      available: (own) => this.#available(campaignId, own),
      isShared: () => this.#campaigns.size > 1,
      isScarce: () => this.#isScarce(),
      enqueue: () => this.#enqueue(campaignId),
      reserve: (requests) => {
        this.#inFlight += requests;
      },
      release: (requests) => this.#release(requests),
      turnEnded: (turn) => this.#turnEnded(campaignId, turn),
    };
  }

  /** Each running campaign has an equal share; the remainder of the division stays unused. */
  #share(): number {
    return Math.max(1, Math.floor(this.#maxRequests / Math.max(1, this.#campaigns.size)));
  }

  #available(campaignId: string, own: OwnRequests): number {
    if (this.#line.size > 0 && !this.#turns.has(campaignId)) {
      return 0;
    }
    return Math.max(
      0,
      Math.min(this.#share() - own.inFlight, this.#maxRequests - this.#inFlight + own.ended),
    );
  }

  #isScarce(): boolean {
    return (
      this.#campaigns.size > 1 &&
      (this.#line.size > 0 || this.isPaceSpent || this.#inFlight >= this.#maxRequests)
    );
  }

  #enqueue(campaignId: string): ClaimTurn {
    const { promise: entered, resolve } = Promise.withResolvers<void>();
    this.#line.set(campaignId, resolve);
    this.#giveTurns();
    return { entered, leave: () => void this.#line.delete(campaignId) };
  }

  #release(requests: number): void {
    this.#inFlight -= requests;
    this.#giveTurns();
  }

  #turnEnded(campaignId: string, { started, waitMs }: EndedTurn): void {
    this.#turns.delete(campaignId);
    if (started > 0 && this.#campaigns.has(campaignId)) {
      this.#lastStart += 1;
      this.#campaigns.set(campaignId, this.#lastStart);
    }
    if (waitMs !== undefined) {
      this.#isPaced = waitMs > 0;
      this.#paceAllowsAt = this.#timers.elapsed() + waitMs;
    }
    this.#giveTurns();
  }

  /** Gives turns to the first in the queue: one at a time while the pace is spent, otherwise one per free request. */
  #giveTurns(): void {
    this.#paceTimer.abort();
    for (;;) {
      const free = this.#maxRequests - this.#inFlight - this.#turns.size;
      const first = this.#firstInLine();
      if (first === undefined || free <= 0 || (this.#isPaced && this.#turns.size > 0)) {
        return;
      }
      const waitMs = this.#paceAllowsAt - this.#timers.elapsed();
      if (waitMs > 0) {
        this.#giveTurnsIn(waitMs);
        return;
      }
      const [campaignId, giveTurn] = first;
      this.#line.delete(campaignId);
      this.#turns.add(campaignId);
      giveTurn();
    }
  }

  #firstInLine(): [campaignId: string, giveTurn: () => void] | undefined {
    const lastStartOf = (campaignId: string) => this.#campaigns.get(campaignId) ?? 0;
    let first: [string, () => void] | undefined;
    for (const each of this.#line) {
      if (first === undefined || lastStartOf(each[0]) < lastStartOf(first[0])) {
        first = each;
      }
    }
    return first;
  }

  #giveTurnsIn(milliseconds: number): void {
    const timer = new AbortController();
    this.#paceTimer = timer;
    void this.#timers.sleep(milliseconds, timer.signal).then(() => {
      if (!timer.signal.aborted) {
        this.#giveTurns();
      }
    });
  }
}
