import type { Standing } from '../../../domain/access/decision.ts';
import { withLogFields, withoutLogFields } from '../../../lib/log-fields.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import { startInterval } from '../../../lib/time/interval.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { Time } from '../../../lib/time/trusted-time.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type {
  Campaign,
  CampaignPatch,
  CampaignState,
  ChunkEnding,
} from '../../../store/campaigns/campaigns.ts';
import { withheldPause } from '../../../store/campaigns/hold-campaigns.ts';
import type { Reserve } from '../../../store/campaigns/move-campaign.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';
import type { Instances } from '../../../store/instances/instances.ts';
import type { OperationError } from '../../../store/operations/operation-error.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { LimitCampaigns } from '../limit-campaigns.ts';
import { type CampaignShare, createCampaignShare, type NamedCampaign, nameOf } from './campaign-share.ts';
import { CampaignWorker } from './campaign-worker.ts';
import { stateWhenDue } from './is-due.ts';
import { type CampaignLimits, WorkspaceWorkers } from './workspace-workers.ts';

export interface CampaignThroughput {
  /** Averaged over the last 30 seconds. */
  messagesPerSecond: number;
  /** Estimated; undefined while nothing is sent. */
  remainingMs?: number | undefined;
  /** The end of the back-off, while the provider asks to slow down or is unreachable. */
  waitsUntil?: Date | undefined;
  lastProblem?: OperationError | undefined;
}

export interface CampaignSchedulerContext {
  campaigns: CampaignRepository;
  instances: Pick<Instances, 'isAlone' | 'living' | 'onDeath' | 'announceStop'>;
  workspaces: Workspaces;
  limiter: LimitCampaigns;
  limits: CampaignLimits;
  /** Returns whether a campaign's creator may still start campaigns: `unknown` where that is not known yet. */
  standingOf: (campaign: Campaign) => Promise<Standing>;
  time: Time;
  timers: Timers;
  /** Called with the campaign at each change of its state or counts. */
  onChange: (campaign: Campaign) => void;
  /** Called with the state in which each chunk ended, and its recipients. */
  onChunkEnded: (state: ChunkEnding['state'], recipients: number) => void;
  report: (error: unknown) => void;
}

/** Due times are polled rather than computed ahead, as the clock may be set and the machine may sleep. */
const pollMs = 1_000;

/** How often leases are renewed: several times within `leaseMs`. */
const renewMs = 1_000;
/** Sends the campaigns of all workspaces: starts a worker for each that is running, and starts those that are due. */
export class CampaignScheduler {
  readonly #context: CampaignSchedulerContext;
  readonly #workspaces = new Map<string, WorkspaceWorkers>();
  /** The workers at work, each until what it ended is in the audit. */
  readonly #ending = new Set<Promise<void>>();
  readonly #share: CampaignShare;
  /** The names of campaigns whose lease is being taken: polls may overlap. */
  readonly #taking = new Set<string>();
  readonly #paceClock: () => number;
  #stopPolling: (() => Promise<void>) | undefined;
  #stopping = false;

  constructor(context: CampaignSchedulerContext) {
    this.#context = context;
    const { time, timers, instances } = context;
    this.#share = createCampaignShare(timers.elapsed);
    const begunAt = time.now().getTime() - timers.elapsed();
    this.#paceClock = () => begunAt + timers.elapsed();
    // What this run held is for others to end now: its workers claim nothing more.
    instances.onDeath(() => this.#stopWorkers());
  }

  /** Starts to send. Campaigns that a stop or a crash interrupted go on with their next chunk. */
  start(): void {
    const { campaigns, instances, timers, report } = this.#context;
    const stops = [
      startInterval({ ms: pollMs, run: () => this.#poll(), onError: report, timers }),
      // Apart from the other, which may wait for Slack.
      ...(instances.isAlone
        ? []
        : [startInterval({ ms: renewMs, run: campaigns.leases.renew, onError: report, timers })]),
    ];
    this.#stopPolling = async () => {
      await Promise.all(stops.map((stop) => stop()));
    };
  }

  /** Checks at once what there is to do, as a campaign was started, paused, resumed or cancelled. Never rejects. */
  async wake(): Promise<void> {
    if (this.#stopPolling === undefined) {
      return;
    }
    for (const workers of this.#workspaces.values()) {
      workers.wake();
    }
    // The campaign's change is stored, and the next poll finds it: an error is not the caller's.
    await this.#poll().catch(this.#context.report);
  }

  throughput(campaign: Campaign): CampaignThroughput {
    const worker = this.#workerOf(campaign);
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

  /** Claims nothing more, and leaves the rest to other instances. Resolves when nothing is in flight and every ending is stored. */
  async stop(): Promise<void> {
    const { instances, campaigns, report } = this.#context;
    this.#stopping = true;
    await this.#stopPolling?.();
    this.#stopWorkers();
    await instances.announceStop().catch(report);
    await campaigns.leases.releaseAll().catch(report);
    await Promise.all(this.#ending);
  }

  #stopWorkers(): void {
    for (const worker of this.#workers()) {
      worker.stop();
    }
  }

  #workers(): CampaignWorker[] {
    return [...this.#workspaces.values()].flatMap((workspace) => workspace.all());
  }

  stopWorkspace(workspaceId: string): void {
    for (const worker of this.#workspaces.get(workspaceId)?.all() ?? []) {
      worker.stop();
    }
  }

  /** What is done by the clock, and by a worker, is done by no user, also where one woke it. */
  #poll(): Promise<void> {
    return withOrigin({ surface: 'background' }, () => withoutLogFields(() => this.#sendDue()));
  }

  async #sendDue(): Promise<void> {
    const { campaigns } = this.#context;
    const active = await campaigns.inState(['scheduled', 'running']);
    const running = active.filter(({ state }) => state === 'running');
    this.#wakeStopped(running);
    await this.#takeShare(running);
    for (const campaign of active.filter(({ state }) => state === 'scheduled')) {
      if (this.#stopping) {
        return;
      }
      await this.#startIfDue(campaign);
    }
    await campaigns.recordEnded();
  }

  /** Another instance may have paused campaigns, whose workers see it at their next claim, or now. */
  #wakeStopped(running: readonly Campaign[]): void {
    const known = new Set(running.map(nameOf));
    for (const [workspaceId, workers] of this.#workspaces) {
      for (const [id, worker] of workers.entries()) {
        if (!known.has(nameOf({ workspaceId, id }))) {
          worker.wakeIfRunning();
        }
      }
    }
  }

  /** Starts workers for campaigns that nobody sends, and leaves some to instances that send fewer. */
  async #takeShare(running: readonly Campaign[]): Promise<void> {
    const { campaigns, instances } = this.#context;
    const workers = running.map((campaign) => ({ campaign, worker: this.#workerOf(campaign) }));
    const sent = workers.filter(({ worker }) => worker?.isStopping === false).map(({ campaign }) => campaign);
    const isAllHere = workers.every(({ worker }) => worker !== undefined);
    if (isAllHere && (instances.isAlone || sent.length <= 1)) {
      return;
    }
    const free = isAllHere ? [] : await campaigns.leases.free();
    const { take, leave } = this.#share.choose({
      running,
      sent,
      free: free.filter((campaign) => this.#workerOf(campaign) === undefined),
      living: await instances.living(),
    });
    for (const campaign of take) {
      await this.#takeAndSend(campaign);
    }
    if (leave !== undefined) {
      this.#workerOf(leave)?.stop();
    }
  }

  #workerOf({ workspaceId, id }: NamedCampaign): CampaignWorker | undefined {
    return this.#workspaces.get(workspaceId)?.find(id);
  }

  #takeAndSend(campaign: Campaign): Promise<void> {
    return this.#withLease(campaign, async (lease) => {
      this.#send(campaign, lease);
      return true;
    });
  }

  /** Takes the lease of a campaign that this instance does not send yet, and ends it where `begin` resolves with false. */
  async #withLease(campaign: Campaign, begin: (lease: Lease) => Promise<boolean>): Promise<void> {
    const { leases } = this.#context.campaigns;
    const name = nameOf(campaign);
    if (this.#stopping || this.#taking.has(name) || this.#workerOf(campaign) !== undefined) {
      return;
    }
    this.#taking.add(name);
    try {
      const lease = await leases.take(campaign);
      if (lease !== undefined && !(await begin(lease))) {
        await leases.release(campaign, lease);
      }
    } finally {
      this.#taking.delete(name);
    }
  }

  async #startIfDue(campaign: Campaign): Promise<void> {
    const { time } = this.#context;
    const now = time.trustedNow();
    const state = now && stateWhenDue(campaign, now);
    if (now === undefined || state === undefined) {
      return;
    }
    // One instance starts it, and sends it.
    await this.#withLease(campaign, (lease) => this.#startDue(campaign, { now, state, lease }));
  }

  /** Returns whether the campaign is sent from now on. */
  async #startDue(
    campaign: Campaign,
    { now, state, lease }: { now: Date; state: 'running' | 'missed'; lease: Lease },
  ): Promise<boolean> {
    const { campaigns, limiter, standingOf, onChange } = this.#context;
    // One that was emptied before that ended it.
    const to = campaign.counts.recipients === 0 ? 'cancelled' : state;
    // Not where it was moved to another time since it was read.
    const move = (into: CampaignState, patch: CampaignPatch, reserve?: Reserve) =>
      campaigns.move(campaign.workspaceId, campaign.id, ['scheduled'], into, patch, {
        planned: campaign,
        reserve,
      });
    if (to !== 'running') {
      announce(await move(to, {}), onChange);
      return false;
    }
    switch (await standingOf(campaign)) {
      case 'unknown':
        // It starts once that is known, or misses its time.
        return false;
      case 'denied':
        announce(await move('paused', { pause: withheldPause }), onChange);
        return false;
      case 'allowed':
        break;
    }
    const started = await limiter.moveReserved(campaign, campaign.createdBy, (reserve) =>
      move('running', { startedAt: now }, reserve),
    );
    if (started.limit !== undefined) {
      const error = { reason: started.limit.reason.rule };
      announce(await move('paused', { pause: { by: 'program', error } }), onChange);
      return false;
    }
    if (started.moved === undefined) {
      return false;
    }
    onChange(started.moved);
    this.#send(started.moved, lease);
    return true;
  }

  /** Starts a worker for a campaign, unless there is one. */
  #send(campaign: Campaign, lease: Lease): void {
    const { workspaceId, id } = campaign;
    const workers = this.#workersOf(workspaceId);
    if (this.#stopping || workers.find(id) !== undefined) {
      return;
    }
    const { campaigns, workspaces, limits, time, timers, onChange, onChunkEnded, report } = this.#context;
    const worker = withLogFields(
      { campaign: id },
      () =>
        new CampaignWorker(campaign, {
          campaigns,
          lease,
          account: () => workspaces.account(workspaceId),
          quota: workers.quotaOf(id),
          messagesPerSecond: limits.messagesPerSecond,
          timers,
          elapsed: time.elapsed,
          paceClock: this.#paceClock,
          onChange,
          onChunkEnded,
          report,
        }),
    );
    workers.add(id, worker);
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

  #workersOf(workspaceId: string): WorkspaceWorkers {
    const workers = this.#workspaces.get(workspaceId) ?? new WorkspaceWorkers(this.#context.limits);
    this.#workspaces.set(workspaceId, workers);
    return workers;
  }
}

function announce(moved: Campaign | undefined, onChange: (campaign: Campaign) => void): void {
  if (moved !== undefined) {
    onChange(moved);
  }
}
