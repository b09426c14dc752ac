import type { Timers } from '../../../lib/time/timers.ts';
import type { CampaignWorker } from './campaign-worker.ts';
import type { RequestQuota } from './worker-context.ts';
import { WorkspaceQuota } from './workspace-quota.ts';

export interface CampaignLimits {
  /** Requests in flight of one workspace's campaigns together, of this instance. */
  maxRequests: number;
  /** Messages a second of one workspace's campaigns together, of all instances. */
  messagesPerSecond: number;
}

/** The workers of one workspace's campaigns that this instance sends. */
export class WorkspaceWorkers {
  readonly #quota: WorkspaceQuota;
  /** By campaign id. */
  readonly #workers = new Map<string, CampaignWorker>();

  constructor(limits: CampaignLimits, timers: Timers) {
    this.#quota = new WorkspaceQuota(limits, timers);
  }

  find(campaignId: string): CampaignWorker | undefined {
    return this.#workers.get(campaignId);
  }

  /** By campaign id. */
  entries(): [string, CampaignWorker][] {
    return [...this.#workers];
  }

  add(campaignId: string, startWorker: (quota: RequestQuota) => CampaignWorker): CampaignWorker {
    this.#quota.add(campaignId);
    const worker = startWorker(this.#quota.of(campaignId));
    this.#workers.set(campaignId, worker);
    return worker;
  }

  remove(campaignId: string): void {
    this.#workers.delete(campaignId);
    this.#quota.remove(campaignId);
  }
}
