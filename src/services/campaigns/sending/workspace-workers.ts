import type { CampaignWorker } from './campaign-worker.ts';
import type { RequestQuota } from './worker-context.ts';

export interface CampaignLimits {
  /** Requests in flight of one workspace's campaigns together, of this instance. */
  maxRequests: number;
  /** Messages a second of one workspace's campaigns together, of all instances. */
  messagesPerSecond: number;
}

/** The campaigns of one workspace that this instance sends: they share its requests in flight. */
export class WorkspaceWorkers {
  readonly #maxRequests: number;
  /** By campaign id. The one whose last reservation is oldest comes first, and is woken first. */
  readonly #workers = new Map<string, CampaignWorker>();
  #inFlight = 0;

  constructor({ maxRequests }: Pick<CampaignLimits, 'maxRequests'>) {
    this.#maxRequests = maxRequests;
  }

  find(campaignId: string): CampaignWorker | undefined {
    return this.#workers.get(campaignId);
  }

  /** By campaign id. */
  entries(): [string, CampaignWorker][] {
    return [...this.#workers];
  }

  all(): CampaignWorker[] {
    return [...this.#workers.values()];
  }

  add(campaignId: string, worker: CampaignWorker): void {
    this.#workers.set(campaignId, worker);
  }

  remove(campaignId: string): void {
    this.#workers.delete(campaignId);
  }

  wake(): void {
    for (const worker of this.all()) {
      worker.wake();
    }
  }

  quotaOf(campaignId: string): RequestQuota {
    return {
      available: (ownRequests) => this.#available(ownRequests),
      isShared: () => this.#workers.size > 1,
      reserve: (requests) => this.#reserve(campaignId, requests),
      release: (requests) => this.#release(requests),
    };
  }

  /** Each running campaign has an equal share; what is left over by the division stays unused. */
  #available(ownRequests: number): number {
    const share = Math.max(1, Math.floor(this.#maxRequests / Math.max(1, this.#workers.size)));
    return Math.max(0, Math.min(share - ownRequests, this.#maxRequests - this.#inFlight));
  }

  #reserve(campaignId: string, requests: number): void {
    this.#inFlight += requests;
    const worker = this.#workers.get(campaignId);
    if (requests > 0 && worker !== undefined) {
      // Moves it to the end, so that the others are offered the next free request first.
      this.#workers.delete(campaignId);
      this.#workers.set(campaignId, worker);
    }
  }

  #release(requests: number): void {
    const wasFull = this.#inFlight >= this.#maxRequests;
    this.#inFlight -= requests;
    // The others may be waiting for a free request.
    if (requests > 0 && wasFull && this.#workers.size > 1) {
      this.wake();
    }
  }
}
