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
import type { OperationError } from '../../../store/operations/operation-error.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { type LimitCampaigns, moveReserved } from '../limit-campaigns.ts';
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

/** Sends the campaigns of all workspaces: starts a worker for each that is running, and starts those that are due. */
export class CampaignScheduler {
  readonly #context: CampaignSchedulerContext;
  readonly #workspaces = new Map<string, WorkspaceWorkers>();
  /** The workers at work, each until what it ended is in the audit. */
  readonly #ending = new Set<Promise<void>>();
  #stopPolling: (() => Promise<void>) | undefined;
  #stopping = false;

  constructor(context: CampaignSchedulerContext) {
    this.#context = context;
  }

  /** Starts to send. Campaigns that a stop or a crash interrupted go on with their next chunk. */
  start(): void {
    const { timers, report } = this.#context;
    this.#stopPolling = startInterval({ ms: pollMs, run: () => this.#poll(), onError: report, timers });
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

  throughput({ workspaceId, id, counts }: Campaign): CampaignThroughput {
    const workers = this.#workspaces.get(workspaceId);
    const worker = workers?.find(id);
    if (workers === undefined || worker === undefined) {
      return { messagesPerSecond: 0 };
    }
    const messagesPerSecond = worker.throughput.perSecond();
    const { recipients, accepted, rejected, unconfirmed } = counts;
    const unsettled = recipients - accepted - rejected - unconfirmed;
    const backOffMs = workers.rateLimiter.backOffMs();
    return {
      messagesPerSecond,
      remainingMs: messagesPerSecond > 0 ? (unsettled / messagesPerSecond) * 1000 : undefined,
      waitsUntil: backOffMs > 0 ? new Date(this.#context.time.now().getTime() + backOffMs) : undefined,
      lastProblem: worker.lastProblem(),
    };
  }

  /** Claims nothing more. Resolves when nothing is in flight and every ending is stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#stopPolling?.();
    const workers = [...this.#workspaces.values()].flatMap((workspace) => workspace.all());
    for (const worker of workers) {
      worker.stop();
    }
    await Promise.all(this.#ending);
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
    const active = await this.#context.campaigns.inState(['scheduled', 'running']);
    for (const campaign of active.filter(({ state }) => state === 'running')) {
      this.#send(campaign);
    }
    for (const campaign of active.filter(({ state }) => state === 'scheduled')) {
      if (this.#stopping) {
        return;
      }
      await this.#startIfDue(campaign);
    }
    await this.#context.campaigns.recordEnded();
  }

  async #startIfDue(campaign: Campaign): Promise<void> {
    const { campaigns, limiter, time, standingOf, onChange } = this.#context;
    const now = time.trustedNow();
    const state = now && stateWhenDue(campaign, now);
    if (now === undefined || state === undefined) {
      return;
    }
    // One that was emptied before that ended it.
    const to = campaign.counts.recipients === 0 ? 'cancelled' : state;
    // Not where it was moved to another time since it was read.
    const move = (into: CampaignState, patch: CampaignPatch) =>
      campaigns.move(campaign.workspaceId, campaign.id, ['scheduled'], into, patch, campaign);
    if (to !== 'running') {
      announce(await move(to, {}), onChange);
      return;
    }
    switch (await standingOf(campaign)) {
      case 'unknown':
        // It starts once that is known, or misses its time.
        return;
      case 'denied':
        announce(await move('paused', { pause: withheldPause }), onChange);
        return;
      case 'allowed':
        break;
    }
    const started = await moveReserved(campaign, { userId: campaign.createdBy, limiter }, () =>
      move('running', { startedAt: now }),
    );
    if (started.limit !== undefined) {
      const error = { reason: started.limit.reason.rule };
      announce(await move('paused', { pause: { by: 'program', error } }), onChange);
    } else if (started.moved !== undefined) {
      onChange(started.moved);
      this.#send(started.moved);
    }
  }

  /** Starts a worker for a campaign, unless there is one. */
  #send(campaign: Campaign): void {
    const { workspaceId, id } = campaign;
    const workers = this.#workersOf(workspaceId);
    if (this.#stopping || workers.find(id) !== undefined) {
      return;
    }
    const { campaigns, workspaces, timers, onChange, onChunkEnded, report } = this.#context;
    const worker = withLogFields(
      { campaign: id },
      () =>
        new CampaignWorker(campaign, {
          campaigns,
          account: () => workspaces.account(workspaceId),
          rateLimiter: workers.rateLimiter,
          quota: workers.quotaOf(id),
          timers,
          onChange,
          onChunkEnded,
          report,
        }),
    );
    workers.add(id, worker);
    const ended = worker.finished
      .catch(report)
      .finally(() => workers.remove(id))
      .then(() => campaigns.recordEnded())
      .catch(report)
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #workersOf(workspaceId: string): WorkspaceWorkers {
    const { limits, timers } = this.#context;
    const workers = this.#workspaces.get(workspaceId) ?? new WorkspaceWorkers(limits, timers.elapsed);
    this.#workspaces.set(workspaceId, workers);
    return workers;
  }
}

function announce(moved: Campaign | undefined, onChange: (campaign: Campaign) => void): void {
  if (moved !== undefined) {
    onChange(moved);
  }
}
