import { neededFor } from '../../../domain/access/ownership.ts';
import { compareSeen } from '../../../domain/limits/seen.ts';
import { coalesce } from '../../../lib/coalesce.ts';
import { withoutLogFields } from '../../../lib/log-fields.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import { startInterval } from '../../../lib/time/interval.ts';
import { changedPause, withheldPause } from '../../../store/campaigns/campaign-moves.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, CampaignPatch, SendableCampaign } from '../../../store/campaigns/campaigns.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';
import type { Context } from '../../context.ts';
import { ifRefused } from '../../refusal.ts';
import { isTooLate } from '../catch-up.ts';
import {
  type CampaignShare,
  type CampaignThroughput,
  createCampaignShare,
  type NamedCampaign,
  nameOf,
  type OnCampaignChange,
  RunningCampaigns,
  type SendingDeps,
} from './running-campaigns.ts';

/** Due times are polled rather than computed ahead, as the clock may be set and the machine may sleep. */
const pollMs = 1_000;

/** How often leases are renewed: several times within `leaseMs`. */
const renewMs = 1_000;

/** How long a start waits for the provider's list of sender IDs, which has several pages that may each be slow. */
const longestLoadMs = 60_000;

/** Scheduled and background work has no user, even if a user triggered it. */
const inBackground = (work: () => Promise<void>): Promise<void> =>
  withOrigin({ surface: 'background' }, () => withoutLogFields(work));

/** Sends the campaigns of all workspaces: starts a worker for each that is running, and starts those that are due. */
export class CampaignScheduler {
  readonly #context: Context;
  readonly #deps: SendingDeps;
  readonly #onChange: OnCampaignChange;
  readonly #running: RunningCampaigns;
  readonly #shares: CampaignShare;
  /** Wakes may be many, and overlap polls. */
  readonly #share = coalesce(() => this.#sendRunning());
  /** The names of campaigns whose lease is being taken: by a poll, or as one is woken. */
  readonly #taking = new Set<string>();
  /** By workspace: due campaigns that are being started. */
  readonly #starting = new Map<string, Promise<void>>();
  #stopPolling: (() => Promise<void>) | undefined;
  readonly #stopping = new AbortController();

  constructor(context: Context, deps: SendingDeps, onChange: OnCampaignChange) {
    this.#context = context;
    this.#deps = deps;
    this.#onChange = onChange;
    const { timers, store } = context;
    this.#running = new RunningCampaigns(context, deps, onChange);
    this.#shares = createCampaignShare(timers.elapsed);
    // What this run held is for others to end now: its workers claim nothing more.
    store.instances.onDeath(() => this.#running.stop());
  }

  /** Starts to send. Campaigns that a stop or a crash interrupted go on with their next chunk. */
  start(): void {
    const { timers, report } = this.#context;
    const { campaigns, instances } = this.#context.store;
    const every = (ms: number, run: () => Promise<void>) =>
      startInterval({ ms, run, onError: report, timers });
    const stopSending = every(pollMs, () => inBackground(() => this.#sendDue()));
    // Apart from the other, which may wait for Slack.
    const stopRenewing = instances.isAlone ? undefined : every(renewMs, campaigns.leases.renew);
    this.#stopPolling = async () => {
      await Promise.all([stopSending(), stopRenewing?.()]);
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

  /** Stops claiming, and leaves the rest to other instances. Resolves once nothing is in flight and all ends are stored. */
  async stop(): Promise<void> {
    const { report } = this.#context;
    const { campaigns, instances } = this.#context.store;
    this.#stopping.abort();
    await this.#stopPolling?.();
    await Promise.all(this.#starting.values());
    this.#running.stop();
    await instances.announceStop().catch(report);
    await campaigns.leases.releaseAll().catch(report);
    await this.#running.ended();
  }

  stopWorkspace(workspaceId: string): void {
    this.#running.stop(workspaceId);
  }

  async #sendDue(): Promise<void> {
    const { campaigns } = this.#context.store;
    const now = this.#context.time.now();
    const due = (await this.#share()).filter(
      (campaign) => !campaign.isRunning && stateWhenDue(campaign, now) !== undefined,
    );
    const starting = this.#starting;
    for (const [workspaceId, theirs] of Map.groupBy(due, (campaign) => campaign.workspaceId)) {
      // What one waits for keeps no other waiting.
      if (!starting.has(workspaceId)) {
        const start = this.#startDue(workspaceId, theirs).catch(this.#context.report);
        starting.set(
          workspaceId,
          start.finally(() => starting.delete(workspaceId)),
        );
      }
    }
    await campaigns.recordEnded();
  }

  async #startDue(workspaceId: string, due: readonly SendableCampaign[]): Promise<void> {
    const { signal: stopping } = this.#stopping;
    const loaded = new AbortController();
    const loading = this.#deps.senderIds.loadActive(workspaceId).finally(() => loaded.abort());
    // A program that is to stop does not wait for the provider.
    const either = AbortSignal.any([loaded.signal, stopping]);
    await Promise.race([loading, this.#context.timers.bound(longestLoadMs, either)]);
    for (const campaign of due) {
      if (stopping.aborted) {
        return;
      }
      await this.#startIfDue(campaign);
    }
  }

  /** Returns what there is to send, also at its time. */
  async #sendRunning(): Promise<readonly SendableCampaign[]> {
    const sendable = await this.#context.store.campaigns.sendable();
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
    const { campaigns, instances } = this.#context.store;
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
      const campaign = await this.#context.store.campaigns.find(workspaceId, id);
      if (campaign?.state !== 'running') {
        return false;
      }
      this.#send(campaign, lease);
      return true;
    });
  }

  /** Takes the lease of a campaign that this instance does not send yet, and ends it where `begin` resolves with false. */
  async #withLease(campaign: NamedCampaign, begin: (lease: Lease) => Promise<boolean>): Promise<void> {
    const { leases } = this.#context.store.campaigns;
    const name = nameOf(campaign);
    if (
      this.#stopping.signal.aborted ||
      this.#taking.has(name) ||
      this.#running.find(campaign) !== undefined
    ) {
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
    const { campaigns } = this.#context.store;
    const now = this.#context.time.now();
    // One instance starts it, and sends it.
    await this.#withLease(sendable, async (lease) => {
      const campaign = await campaigns.find(sendable.workspaceId, sendable.id);
      const state = campaign?.state === 'scheduled' ? stateWhenDue(campaign, now) : undefined;
      // One that is too late is missed together with all others that are, see `createRepeats`.
      if (campaign === undefined || state === undefined || (await isTooLate(campaigns, campaign, now))) {
        return false;
      }
      const started = await startDue(campaign, { now, state }, campaigns, {
        ...this.#deps,
        onChange: this.#onChange,
      });
      if (started !== undefined) {
        this.#send(started, lease);
      }
      return started !== undefined;
    });
  }

  #send(campaign: Campaign, lease: Lease): void {
    if (!this.#stopping.signal.aborted) {
      this.#running.send(campaign, lease);
    }
  }
}

/** Returns the state that a scheduled campaign moves to at this moment; undefined while it is not due. */
function stateWhenDue(
  { startAt, latestStart }: Pick<Campaign, 'startAt' | 'latestStart'>,
  now: Date,
): 'running' | 'missed' | undefined {
  if (startAt !== undefined && startAt > now) {
    return undefined;
  }
  return latestStart !== undefined && latestStart < now ? 'missed' : 'running';
}

/**
 * Starts a campaign that is due, or marks it as missed, or holds it if its creator or a limit no longer allows it. Returns it
 * only if it runs.
 */
async function startDue(
  campaign: Campaign,
  { now, state }: { now: Date; state: 'running' | 'missed' },
  campaigns: CampaignRepository,
  { access, limits, campaignApprovals, onChange }: SendingDeps & { onChange: OnCampaignChange },
): Promise<Campaign | undefined> {
  // One that was emptied before that ended it.
  const to = campaign.counts.recipients === 0 ? 'cancelled' : state;
  const { workspaceId, id } = campaign;
  // Not where it was moved to another time, or another took its place, since it was read.
  const end = async (into: 'cancelled' | 'missed' | 'paused', patch: CampaignPatch) => {
    const moved = await campaigns.move(workspaceId, id, ['scheduled'], into, patch, { checked: campaign });
    if (moved !== undefined) {
      onChange(moved);
    }
    return undefined;
  };
  if (to !== 'running') {
    return end(to, {});
  }
  switch (await access.permissionState(workspaceId, campaign.createdBy, neededFor(campaign))) {
    case 'unknown':
      // It starts once that is known, or misses its time.
      return undefined;
    case 'denied':
      return end('paused', { pause: withheldPause });
    case 'allowed':
      break;
  }
  // Nobody is here to review the change, so the campaign waits for its user.
  const unchanged = compareSeen(campaign.seen ?? {}, await campaignApprovals.factsAt(campaign, now));
  if (unchanged.kind === 'not_as_shown') {
    return end('paused', { pause: changedPause(unchanged.changes) });
  }
  const target = { userId: campaign.createdBy, to, unchanged };
  const patch = { startedAt: campaign.startedAt ?? now };
  const started = await limits.campaigns
    .move(campaign, target, (reserve) =>
      campaigns.move(workspaceId, id, ['scheduled'], 'running', patch, { checked: campaign, reserve }),
    )
    .catch(
      ifRefused(['limited'], ({ limit }) =>
        end('paused', { pause: { by: 'program', error: { reason: limit.reason.rule } } }),
      ),
    );
  if (started !== undefined) {
    onChange(started);
  }
  return started;
}
