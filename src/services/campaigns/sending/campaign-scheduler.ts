import { coalesce } from '../../../lib/coalesce.ts';
import { withoutLogFields } from '../../../lib/log-fields.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import { startInterval } from '../../../lib/time/interval.ts';
import type { Campaign, SendableCampaign } from '../../../store/campaigns/campaigns.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';
import { type CampaignShare, createCampaignShare, type NamedCampaign, nameOf } from './campaign-share.ts';
import { stateWhenDue } from './is-due.ts';
import { type CampaignThroughput, RunningCampaigns } from './running-campaigns.ts';
import type { CampaignSchedulerContext } from './scheduler-context.ts';
import { startDue } from './start-due.ts';

/** Due times are polled rather than computed ahead, as the clock may be set and the machine may sleep. */
const pollMs = 1_000;

/** How often leases are renewed: several times within `leaseMs`. */
const renewMs = 1_000;

/** What is done by the clock, and by a worker, is done by no user, also where one woke it. */
const inBackground = (work: () => Promise<void>): Promise<void> =>
  withOrigin({ surface: 'background' }, () => withoutLogFields(work));

/** Sends the campaigns of all workspaces: starts a worker for each that is running, and starts those that are due. */
export class CampaignScheduler {
  readonly #context: CampaignSchedulerContext;
  readonly #running: RunningCampaigns;
  readonly #shares: CampaignShare;
  /** Wakes may be many, and overlap polls. */
  readonly #share = coalesce(() => this.#sendRunning());
  /** The names of campaigns whose lease is being taken: by a poll, or as one is woken. */
  readonly #taking = new Set<string>();
  #stopPolling: (() => Promise<void>) | undefined;
  #stopping = false;

  constructor(context: CampaignSchedulerContext) {
    this.#context = context;
    const { timers, instances } = context;
    this.#running = new RunningCampaigns(context);
    this.#shares = createCampaignShare(timers.elapsed);
    // What this run held is for others to end now: its workers claim nothing more.
    instances.onDeath(() => this.#running.stop());
  }

  /** Starts to send. Campaigns that a stop or a crash interrupted go on with their next chunk. */
  start(): void {
    const { campaigns, instances, timers, report } = this.#context;
    const stops = [
      startInterval({ ms: pollMs, run: () => inBackground(() => this.#sendDue()), onError: report, timers }),
      // Apart from the other, which may wait for Slack.
      ...(instances.isAlone
        ? []
        : [startInterval({ ms: renewMs, run: campaigns.leases.renew, onError: report, timers })]),
    ];
    this.#stopPolling = async () => {
      await Promise.all(stops.map((stop) => stop()));
    };
  }

  /**
   * Checks at once what there is to do, as a campaign was started, paused, resumed or cancelled; without its
   * name, as any may have been. Never rejects.
   */
  async wake(name?: string): Promise<void> {
    if (this.#stopPolling === undefined) {
      return;
    }
    this.#running.wake(name);
    // The campaign's change is stored, and the next poll finds it: an error is not the caller's.
    await inBackground(async () => void (await this.#share())).catch(this.#context.report);
  }

  throughput(campaign: Campaign): CampaignThroughput {
    return this.#running.throughput(campaign);
  }

  /** Claims nothing more, and leaves the rest to other instances. Resolves when nothing is in flight and every ending is stored. */
  async stop(): Promise<void> {
    const { instances, campaigns, report } = this.#context;
    this.#stopping = true;
    await this.#stopPolling?.();
    this.#running.stop();
    await instances.announceStop().catch(report);
    await campaigns.leases.releaseAll().catch(report);
    await this.#running.ended();
  }

  stopWorkspace(workspaceId: string): void {
    this.#running.stop(workspaceId);
  }

  async #sendDue(): Promise<void> {
    const { campaigns } = this.#context;
    for (const campaign of await this.#share()) {
      if (this.#stopping) {
        return;
      }
      if (!campaign.isRunning) {
        await this.#startIfDue(campaign);
      }
    }
    await campaigns.recordEnded();
  }

  /** Returns what there is to send, also at its time. */
  async #sendRunning(): Promise<readonly SendableCampaign[]> {
    const sendable = await this.#context.campaigns.sendable();
    const running = sendable.filter(({ isRunning }) => isRunning);
    this.#wakeStopped(running);
    await this.#takeShare(running);
    return sendable;
  }

  /** Another instance may have paused campaigns, whose workers see it at their next claim, or now. */
  #wakeStopped(running: readonly NamedCampaign[]): void {
    const known = new Set(running.map(nameOf));
    for (const [campaign, worker] of this.#running.entries()) {
      if (!known.has(nameOf(campaign))) {
        worker.wakeIfRunning();
      }
    }
  }

  /** Starts workers for campaigns that nobody sends, and leaves some to instances that send fewer. */
  async #takeShare(running: readonly NamedCampaign[]): Promise<void> {
    const { campaigns, instances } = this.#context;
    const workers = running.map((campaign) => ({ campaign, worker: this.#running.find(campaign) }));
    const sent = workers.filter(({ worker }) => worker?.isStopping === false).map(({ campaign }) => campaign);
    const isAllHere = workers.every(({ worker }) => worker !== undefined);
    if (isAllHere && (instances.isAlone || sent.length <= 1)) {
      return;
    }
    const free = isAllHere ? [] : await campaigns.leases.free();
    const { take, leave } = this.#shares.choose({
      running,
      sent,
      free: free.filter((campaign) => this.#running.find(campaign) === undefined),
      living: await instances.living(),
    });
    for (const campaign of take) {
      await this.#takeAndSend(campaign);
    }
    if (leave !== undefined) {
      this.#running.find(leave)?.stop();
    }
  }

  #takeAndSend({ workspaceId, id }: NamedCampaign): Promise<void> {
    return this.#withLease({ workspaceId, id }, async (lease) => {
      const campaign = await this.#context.campaigns.find(workspaceId, id);
      if (campaign?.state === 'running') {
        this.#send(campaign, lease);
      }
      return campaign?.state === 'running';
    });
  }

  /** Takes the lease of a campaign that this instance does not send yet, and ends it where `begin` resolves with false. */
  async #withLease(campaign: NamedCampaign, begin: (lease: Lease) => Promise<boolean>): Promise<void> {
    const { leases } = this.#context.campaigns;
    const name = nameOf(campaign);
    if (this.#stopping || this.#taking.has(name) || this.#running.find(campaign) !== undefined) {
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

  async #startIfDue(sendable: SendableCampaign): Promise<void> {
    const { time, campaigns } = this.#context;
    const now = time.now();
    if (stateWhenDue(sendable, now) === undefined) {
      return;
    }
    // One instance starts it, and sends it.
    await this.#withLease(sendable, async (lease) => {
      const campaign = await campaigns.find(sendable.workspaceId, sendable.id);
      const state = campaign?.state === 'scheduled' ? stateWhenDue(campaign, now) : undefined;
      if (campaign === undefined || state === undefined) {
        return false;
      }
      const started = await startDue(campaign, { now, state }, this.#context);
      if (started !== undefined) {
        this.#send(started, lease);
      }
      return started !== undefined;
    });
  }

  #send(campaign: Campaign, lease: Lease): void {
    if (!this.#stopping) {
      this.#running.send(campaign, lease);
    }
  }
}
