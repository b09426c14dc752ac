import type { Timers } from '../../../lib/time/timers.ts';
import type { ClaimTurn, RequestQuota } from './worker-context.ts';

/**
 * What the campaigns of one workspace that this instance sends share: its requests in flight, and its pace. Where these do not
 * suffice for all, they stand in line: if each asked by itself, all would ask at the same moment, and few would get anything.
 */
export class WorkspaceQuota {
  readonly #maxRequests: number;
  readonly #timers: Timers;
  /** The ids of the campaigns. The one whose last reservation is oldest comes first, and is first in line. */
  readonly #campaigns = new Set<string>();
  /** Of those that stand in line, by campaign id: gives it its turn. */
  readonly #line = new Map<string, () => void>();
  /** The ids of campaigns that have a turn from the line, and have not ended it. */
  readonly #turns = new Set<string>();
  #inFlight = 0;
  /** When the pace allows the next chunk, by the timers' clock; and whether it made the last turn wait. */
  #paceAllowsAt = 0;
  #isPaced = false;
  #paceTimer = new AbortController();

  constructor({ maxRequests }: { maxRequests: number }, timers: Timers) {
    this.#maxRequests = maxRequests;
    this.#timers = timers;
  }

  add(campaignId: string): void {
    this.#campaigns.add(campaignId);
  }

  remove(campaignId: string): void {
    this.#campaigns.delete(campaignId);
    this.#line.delete(campaignId);
    this.#turns.delete(campaignId);
    this.#giveTurns();
  }

  of(campaignId: string): RequestQuota {
    return {
      share: (ownRequests) => Math.max(0, this.#share() - ownRequests),
      available: (ownRequests) => this.#available(campaignId, ownRequests),
      isShared: () => this.#campaigns.size > 1,
      isScarce: () => this.#isScarce(),
      standInLine: () => this.#standInLine(campaignId),
      reserve: (requests) => this.#reserve(campaignId, requests),
      release: (requests) => this.#release(requests),
      turnEnded: (waitMs) => this.#turnEnded(campaignId, waitMs),
    };
  }

  /** Each running campaign has an equal share; what is left over by the division stays unused. */
  #share(): number {
    return Math.max(1, Math.floor(this.#maxRequests / Math.max(1, this.#campaigns.size)));
  }

  #available(campaignId: string, ownRequests: number): number {
    if (this.#line.size > 0 && !this.#turns.has(campaignId)) {
      return 0;
    }
    return Math.max(0, Math.min(this.#share() - ownRequests, this.#maxRequests - this.#inFlight));
  }

  #isScarce(): boolean {
    const isPaceSpent = this.#paceAllowsAt > this.#timers.elapsed();
    return (
      this.#campaigns.size > 1 && (this.#line.size > 0 || isPaceSpent || this.#inFlight >= this.#maxRequests)
    );
  }

  #standInLine(campaignId: string): ClaimTurn {
    const { promise: come, resolve } = Promise.withResolvers<void>();
    this.#line.set(campaignId, resolve);
    this.#giveTurns();
    return { come, leave: () => void this.#line.delete(campaignId) };
  }

  #reserve(campaignId: string, requests: number): void {
    this.#inFlight += requests;
    // Moves it to the end, so that the others get the next free request first.
    if (requests > 0 && this.#campaigns.delete(campaignId)) {
      this.#campaigns.add(campaignId);
    }
  }

  #release(requests: number): void {
    this.#inFlight -= requests;
    this.#giveTurns();
  }

  #turnEnded(campaignId: string, waitMs: number | undefined): void {
    this.#turns.delete(campaignId);
    if (waitMs !== undefined) {
      this.#isPaced = waitMs > 0;
      this.#paceAllowsAt = this.#timers.elapsed() + waitMs;
    }
    this.#giveTurns();
  }

  /** Gives turns to the first in line: one after the other where the pace has them wait, else as many as there are requests. */
  #giveTurns(): void {
    this.#paceTimer.abort();
    for (const campaignId of this.#campaigns) {
      const free = this.#maxRequests - this.#inFlight - this.#turns.size;
      if (this.#line.size === 0 || free <= 0 || (this.#isPaced && this.#turns.size > 0)) {
        return;
      }
      const waitMs = this.#paceAllowsAt - this.#timers.elapsed();
      if (waitMs > 0) {
        this.#giveTurnsIn(waitMs);
        return;
      }
      const giveTurn = this.#line.get(campaignId);
      if (giveTurn !== undefined) {
        this.#line.delete(campaignId);
        this.#turns.add(campaignId);
        giveTurn();
      }
    }
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
