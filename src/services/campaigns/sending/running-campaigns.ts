import { withLogFields } from '../../../lib/log-fields.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';
import type { OperationError } from '../../../store/operations/operation.ts';
import type { AccessService } from '../../access/access.ts';
import type { Context } from '../../context.ts';
import type { Limits } from '../../limits/limits.ts';
import type { SenderIdService } from '../../sender-ids/sender-id-service.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignApprovals } from '../approval/campaign-approvals.ts';
import { CampaignWorker } from './campaign-worker.ts';
import { type RequestQuota, WorkspaceQuota } from './workspace-quota.ts';

/** What sending uses beside the context. */
export interface SendingDeps {
  workspaces: Workspaces;
  access: AccessService;
  limits: Limits;
  campaignApprovals: Pick<CampaignApprovals, 'factsAt'>;
  senderIds: Pick<SenderIdService, 'loadActive'>;
  /** The most requests in flight of one workspace's campaigns together, of this instance. */
  maxRequests: number;
}

/** Called with the campaign whenever its state or counts change. */
export type OnCampaignChange = (campaign: Campaign) => void;

export interface CampaignThroughput {
  /** Averaged over the last 30 seconds. */
  messagesPerSecond: number;
  /** Estimated; undefined while nothing is sent. */
  remainingMs?: number | undefined;
  /** The end of the back-off, while the provider asks to slow down or is unreachable. */
  waitsUntil?: Date | undefined;
  lastProblem?: OperationError | undefined;
}

/** The campaigns that this instance sends, each with its worker. */
export class RunningCampaigns {
  readonly #context: Context;
  readonly #deps: SendingDeps;
  readonly #onChange: OnCampaignChange;
  readonly #workspaces = new Map<string, WorkspaceWorkers>();
  /** Workers at work, until all their endings are in the audit. */
  readonly #ending = new Set<Promise<void>>();
  readonly #paceClock: Stopwatch;

  constructor(context: Context, deps: SendingDeps, onChange: OnCampaignChange) {
    this.#context = context;
    this.#deps = deps;
    this.#onChange = onChange;
    const { time, timers } = context;
    const begunAt = time.now().getTime() - timers.elapsed();
    this.#paceClock = () => begunAt + timers.elapsed();
  }

  find({ workspaceId, id }: NamedCampaign): CampaignWorker | undefined {
    return this.#workspaces.get(workspaceId)?.find(id);
  }

  *entries(): Iterable<[NamedCampaign, CampaignWorker]> {
    for (const [workspaceId, workers] of this.#workspaces) {
      for (const [id, worker] of workers.entries()) {
        yield [{ workspaceId, id }, worker];
      }
    }
  }

  /** Has the worker of a campaign look at once whether it was changed; without one, each worker. */
  wake(name?: string): void {
    for (const [campaign, worker] of this.entries()) {
      if (name === undefined || nameOf(campaign) === name) {
        worker.wake();
      }
    }
  }

  /** Stops all campaigns, or one workspace's, from claiming more. */
  stop(workspaceId?: string): void {
    for (const [campaign, worker] of this.entries()) {
      if (workspaceId === undefined || campaign.workspaceId === workspaceId) {
        worker.stop();
      }
    }
  }

  /** Resolves when nothing is in flight and every ending is stored. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  throughput(campaign: Campaign): CampaignThroughput {
    const worker = this.find(campaign);
    if (worker === undefined) {
      return { messagesPerSecond: 0 };
    }
    const messagesPerSecond = worker.throughput.perSecond();
    const { recipients, accepted, rejected, unconfirmed } = campaign.counts;
    const unsettled = recipients - accepted - rejected - unconfirmed;
    const backOffMs = worker.backOffMs();
    return {
      messagesPerSecond,
      remainingMs: messagesPerSecond > 0 ? (unsettled / messagesPerSecond) * 1000 : undefined,
      waitsUntil: backOffMs > 0 ? new Date(this.#context.time.now().getTime() + backOffMs) : undefined,
      lastProblem: worker.lastProblem(),
    };
  }

  /** Starts a worker for a campaign, unless there is one. */
  send(campaign: Campaign, lease: Lease): void {
    const { workspaceId, id } = campaign;
    const workers = this.#workersOf(workspaceId);
    if (workers.find(id) !== undefined) {
      return;
    }
    const { store, report } = this.#context;
    const { campaigns } = store;
    const { workspaces } = this.#deps;
    const worker = withLogFields({ campaign: id }, () =>
      workers.add(
        id,
        (quota) =>
          new CampaignWorker(campaign, {
            context: this.#context,
            lease,
            account: () => workspaces.account(workspaceId),
            quota,
            paceClock: this.#paceClock,
            onChange: this.#onChange,
          }),
      ),
    );
    const ended = worker.finished
      .catch(report)
      .finally(() => workers.remove(id))
      .then(() => campaigns.leases.release(campaign, lease))
      .catch(report)
      .then(() => campaigns.recordEnded())
      .catch(report)
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Forgets the workspaces that send nothing any more. */
  #workersOf(workspaceId: string): WorkspaceWorkers {
    const workers =
      this.#workspaces.get(workspaceId) ?? new WorkspaceWorkers(this.#deps.maxRequests, this.#context.timers);
    for (const [id, { isIdle }] of this.#workspaces) {
      if (isIdle) {
        this.#workspaces.delete(id);
      }
    }
    this.#workspaces.set(workspaceId, workers);
    return workers;
  }
}

/** The workers of one workspace's campaigns that this instance sends. */
class WorkspaceWorkers {
  readonly #quota: WorkspaceQuota;
  /** By campaign id. */
  readonly #workers = new Map<string, CampaignWorker>();

  constructor(maxRequests: number, timers: Timers) {
    this.#quota = new WorkspaceQuota(maxRequests, timers);
  }

  find(campaignId: string): CampaignWorker | undefined {
    return this.#workers.get(campaignId);
  }

  /** Whether no campaign is sent, and the pace keeps back none that begins now. */
  get isIdle(): boolean {
    return this.#workers.size === 0 && !this.#quota.isPaceSpent;
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

/** A campaign, by what names it. */
export interface NamedCampaign {
  workspaceId: string;
  id: string;
}

export const nameOf = ({ workspaceId, id }: NamedCampaign): string => JSON.stringify([workspaceId, id]);

/** How long another instance has to take a campaign that is more than this one's share. */
const takenByOthersMs = 1_500;
/** How long an instance sends more than its share before it leaves some: for longer than a dead one counts as living. */
const leaveAfterMs = 10_000;

/** Which of the running campaigns this instance sends: an equal share, and those that nobody takes. */
export interface CampaignShare {
  /**
   * @param state.running the campaigns of all instances, the oldest first
   * @param state.sent those that this instance sends
   * @param state.free those that no instance sends
   * @param state.living how many instances there are
   * @returns those to take, and one to leave to others
   */
  choose<Campaign extends NamedCampaign>(state: {
    running: readonly Campaign[];
    sent: readonly Campaign[];
    free: readonly NamedCampaign[];
    living: number;
  }): { take: Campaign[]; leave?: Campaign | undefined };
}

export function createCampaignShare(elapsed: Stopwatch): CampaignShare {
  /** When it was first seen that nobody sends a campaign, by its name. */
  let freeSince = new Map<string, number>();
  /** Since when this instance sends more than its share. */
  let overSince: number | undefined;

  return {
    choose({ running, sent, free, living }) {
      const share = Math.ceil(running.length / living);
      const now = elapsed();
      freeSince = new Map(free.map(nameOf).map((name) => [name, freeSince.get(name) ?? now]));
      const takeable = running.filter((campaign) => freeSince.has(nameOf(campaign)));
      overSince = sent.length > share ? (overSince ?? now) : undefined;
      const leaves = overSince !== undefined && now - overSince >= leaveAfterMs;
      const room = Math.max(0, share - sent.length);
      const isLeft = (campaign: NamedCampaign) =>
        now - (freeSince.get(nameOf(campaign)) ?? now) >= takenByOthersMs;
      return {
        take: takeable.filter((campaign, index) => index < room || isLeft(campaign)),
        // One at a time: another instance has less than its share, and takes it.
        leave: leaves ? sent.at(-1) : undefined,
      };
    },
  };
}
