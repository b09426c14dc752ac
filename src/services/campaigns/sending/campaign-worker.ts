import { setImmediate } from 'node:timers/promises';
import { quickCountryOf } from '../../../domain/limits/number-country.ts';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import { traced } from '../../../lib/tracing/tracing.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { Campaign, CampaignState, ClaimedChunk } from '../../../store/campaigns/campaigns.ts';
import type { Lease } from '../../../store/campaigns/sending/leases.ts';
import type { TurnResult } from '../../../store/campaigns/sending/turns.ts';
import type { OperationError } from '../../../store/operations/operation.ts';
import type { Context } from '../../context.ts';
import { ChunkRequests, type ThroughputMeter } from './chunk-requests.ts';
import { createPaceSignals } from './circuit-breaker.ts';
import type { RequestQuota } from './workspace-quota.ts';

/**
 * Maximum requests in flight, across instances, until the first is accepted: a refused account then wastes
 * few requests.
 */
const maxUnproven = 3;

/** After a failed transaction. */
const retryAfterMs = 2_000;
/** How long a campaign that shares the pace waits after a claim, so that the others come first. */
const turnTakingMs = 2;
/** Poll interval of a campaign without waiting chunks. Another worker may release some. */
const idleMs = 1_000;

const notConnected: OperationError = { reason: 'not_connected' };

/** What the sending of one campaign uses. */
export interface CampaignWorkerOptions {
  context: Context;
  /** Under which it is sent. */
  lease: Lease;
  account: () => Promise<ProviderAccount | undefined>;
  quota: RequestQuota;
  /** Milliseconds since 1970 by the clock of the timers. */
  paceClock: Stopwatch;
  /** Called with the campaign after each settle and claim, in order. */
  onChange: (campaign: Campaign) => void;
}

/** Sends one campaign until it ends, is paused, or the program stops; or until the lease is lost, as another sends it. */
export class CampaignWorker {
  /** Resolves when nothing of the campaign is in flight and every ending is stored. */
  readonly finished: Promise<void>;
  readonly #campaign: Campaign;
  readonly #context: Context;
  readonly #options: CampaignWorkerOptions;
  readonly #requests: ChunkRequests;
  readonly #chunkSize: number;
  readonly #paceSignals = createPaceSignals();
  /** As of the last transaction. */
  #state: CampaignState;
  /** Whether the last transaction left a chunk that waits. */
  #hasWaitingChunks = true;
  /** When the pace allows the next chunk, and when the back-off is over: by the timers' clock. */
  #nextClaimAt = 0;
  #backOffUntil = 0;
  #stopping = false;
  #isLeaseLost = false;
  #isSettlingSoon = false;
  #wakeUp = () => {};

  constructor(campaign: Campaign, options: CampaignWorkerOptions) {
    const { context, lease, quota } = options;
    this.#campaign = campaign;
    this.#context = context;
    this.#options = options;
    this.#state = campaign.state;
    this.#chunkSize = chunkSize(campaign);
    this.#requests = new ChunkRequests(campaign, {
      context,
      lease,
      quota,
      pace: this.#paceSignals,
      onEnded: () => this.#settleEnded(),
    });
    this.finished = this.#run();
  }

  get throughput(): ThroughputMeter {
    return this.#requests.throughput;
  }

  lastProblem(): OperationError | undefined {
    return this.#requests.circuitBreaker.lastProblem();
  }

  /** Returns the milliseconds left of the back-off, while the provider asks to slow down or is unreachable. */
  backOffMs(): number {
    return Math.max(0, this.#backOffUntil - this.#context.timers.elapsed());
  }

  /** Has the worker check at once whether the campaign was paused, resumed or cancelled, or may send more. */
  wake(): void {
    this.#wakeUp();
  }

  /** As `wake`, if it was running when the worker last saw it: it may have stopped since. */
  wakeIfRunning(): void {
    if (this.#state === 'running') {
      this.#wakeUp();
    }
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Claims nothing more; requests in flight end and are settled. */
  stop(): void {
    this.#stopping = true;
    this.#wakeUp();
  }

  async #run(): Promise<void> {
    for (;;) {
      let campaign: Campaign | undefined;
      try {
        await this.#pauseIfTripped();
        campaign = await this.#turn();
        if (campaign !== undefined && (await this.#releaseUnknown(campaign))) {
          continue;
        }
      } catch (error) {
        this.#context.report(error);
        if (this.#stopping && this.#requests.inFlight === 0) {
          return;
        }
        await this.#context.timers.sleep(retryAfterMs);
        continue;
      }
      // It is undefined where it was deleted with its workspace.
      const mayClaim = campaign !== undefined && this.#mayClaim(campaign.state);
      if (!mayClaim && this.#requests.inFlight === 0 && !this.#requests.haveEnded) {
        return;
      }
      await this.#untilWork(mayClaim);
    }
  }

  /**
   * Releases chunks claimed by a turn whose answer was lost. Safe because this worker, which alone claims the campaign in
   * this run, has nothing in flight, so none was sent. Returns whether there were any.
   */
  async #releaseUnknown({ inFlight }: Campaign): Promise<boolean> {
    if (inFlight === 0 || this.#requests.inFlight > 0 || this.#requests.haveEnded) {
      return false;
    }
    const released = await this.#context.store.campaigns.releaseClaims(
      this.#campaign,
      this.#options.lease.run,
    );
    this.#hasWaitingChunks ||= released > 0;
    return released > 0;
  }

  #mayClaim(state: CampaignState): boolean {
    return state === 'running' && !this.#stopping && !this.#isLeaseLost;
  }

  async #pauseIfTripped(): Promise<void> {
    const pause = this.#requests.circuitBreaker.takePause();
    if (pause === undefined) {
      return;
    }
    const { workspaceId, id } = this.#campaign;
    try {
      const counted = {
        ...pause,
        ...(pause.countries && { countries: await this.#countIn(pause.countries) }),
      };
      const patch = { pause: counted };
      await this.#context.store.campaigns.move(workspaceId, id, ['running'], 'paused', patch);
    } catch (error) {
      this.#requests.circuitBreaker.trip(pause);
      throw error;
    }
    this.#state = 'paused';
  }

  /** Counts the recipients in these countries who are waiting or in flight, and would be refused as well. */
  async #countIn(countries: Readonly<Record<string, number>>): Promise<Record<string, number>> {
    const counts: Record<string, number> = { ...countries };
    const { workspaceId, id } = this.#campaign;
    const chunks = this.#context.store.campaigns.chunks(workspaceId, id, ['waiting', 'claimed']);
    for await (const { number, to } of chunks) {
      for (const country of this.#requests.isSettled(number) ? [] : to.map(quickCountryOf)) {
        const count = counts[country];
        if (count !== undefined) {
          counts[country] = count + 1;
        }
      }
    }
    return counts;
  }

  /** The requests that a turn starts belong to it in a trace. */
  #turn(): Promise<Campaign | undefined> {
    const attributes = { campaign: this.#campaign.id };
    return traced({ name: 'campaign turn', kind: 'internal', attributes, isRoot: true }, () =>
      this.#settleAndSend(),
    );
  }

  /** Stores what ended, claims what may start, and starts it. */
  async #settleAndSend(): Promise<Campaign | undefined> {
    const { quota } = this.#options;
    const { elapsed } = this.#context.time;
    const reserved = this.#mayClaim(this.#state) ? this.#requests.available() : 0;
    // Reserved before the first await: no two campaigns count on the same requests.
    quota.reserve(reserved);
    let claimed: ClaimedChunk[] = [];
    let started = 0;
    let waitMs: number | undefined;
    try {
      const claim = { at: elapsed(), trips: this.#requests.circuitBreaker.trips };
      // Both at once, as each may take a round trip.
      const [settled, [key]] = await Promise.all([
        this.#settleAndClaim(reserved),
        Promise.allSettled([reserved > 0 ? this.#options.account() : undefined]),
      ]);
      const account = key.status === 'fulfilled' ? key.value : undefined;
      // Called before anything else happens to the campaign, so that changes are seen in order.
      if (settled !== undefined) {
        claimed = settled.claimed;
        waitMs = settled.pace.waitMs;
        this.#options.onChange(settled.campaign);
        this.#noteTurn(settled, reserved);
      }
      this.#state = settled?.campaign.state ?? this.#state;
      if (account !== undefined) {
        const { senderId } = settled?.campaign ?? this.#campaign;
        started = await this.#requests.start(account, claimed, { ...claim, senderId });
      } else {
        this.#requests.giveBack(claimed);
      }
      if (key.status === 'rejected') {
        throw key.reason;
      }
      if (reserved > 0 && account === undefined) {
        this.#requests.circuitBreaker.trip({ by: 'program', error: notConnected });
      }
      return settled?.campaign;
    } finally {
      quota.release(reserved - claimed.length);
      quota.turnEnded({ started, waitMs });
    }
  }

  #noteTurn({ claimed, pace, isLeaseLost }: TurnResult, count: number): void {
    const now = this.#context.timers.elapsed();
    const putOffMs = claimed.length > 0 && this.#options.quota.isShared() ? turnTakingMs : 0;
    this.#nextClaimAt = now + pace.waitMs + putOffMs;
    this.#backOffUntil = now + pace.backOffMs;
    this.#hasWaitingChunks = claimed.length >= Math.min(count, pace.allowed);
    this.#isLeaseLost ||= isLeaseLost;
  }

  async #settleAndClaim(count: number): Promise<TurnResult | undefined> {
    const { lease, paceClock, quota } = this.#options;
    const { campaignMessagesPerSecond: maxRate } = this.#context.settings;
    const endings = this.#requests.takeEndings();
    const signals = this.#paceSignals.take();
    try {
      const pace = { ...signals, maxRate, chunkSize: this.#chunkSize, at: paceClock() };
      const result = await this.#context.store.campaigns.settleAndClaim(this.#campaign, {
        lease,
        endings,
        count,
        maxUnproven,
        pace,
      });
      quota.release(endings.length);
      return result;
    } catch (error) {
      // Nothing was claimed, and the endings are still to be stored.
      this.#requests.putBack(endings);
      this.#paceSignals.putBack(signals);
      throw error;
    }
  }

  #settleEnded(): void {
    // With nothing else in flight there is no other ending to wait for.
    if (this.#requests.inFlight === 0) {
      this.#wakeUp();
    } else {
      this.#settleSoon();
    }
  }

  /** Wakes the worker once the responses that have come together are read: one transaction stores them. */
  #settleSoon(): void {
    if (!this.#isSettlingSoon) {
      this.#isSettlingSoon = true;
      void setImmediate().then(() => {
        this.#isSettlingSoon = false;
        this.#wakeUp();
      });
    }
  }

  /** Resolves when there are endings to store, when chunks may be claimed, or when the worker is woken. */
  async #untilWork(mayClaim: boolean): Promise<void> {
    const { timers } = this.#context;
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wakeUp = resolve;
    if (
      this.#requests.circuitBreaker.isTripped() ||
      (this.#requests.inFlight === 0 && this.#requests.haveEnded)
    ) {
      return;
    }
    if (this.#requests.haveEnded) {
      this.#settleSoon();
    }
    if (!mayClaim || !this.#requests.haveRoom || (!this.#hasWaitingChunks && this.#requests.inFlight > 0)) {
      return woken;
    }
    if (this.#hasWaitingChunks && this.#options.quota.isScarce()) {
      const turn = this.#options.quota.enqueue();
      await Promise.race([woken, turn.entered]);
      turn.leave();
      return;
    }
    const waitMs = this.#hasWaitingChunks ? this.#nextClaimAt - timers.elapsed() : idleMs;
    // Where others share the requests, the timer lets them come first.
    if (waitMs <= 0 && !this.#options.quota.isShared()) {
      await setImmediate();
      return;
    }
    const claimTimer = new AbortController();
    await Promise.race([woken, timers.sleep(waitMs, claimTimer.signal)]);
    claimTimer.abort();
  }
}
