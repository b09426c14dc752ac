import { setImmediate } from 'node:timers/promises';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import { traced } from '../../../lib/tracing/tracing.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { CampaignRepository, TurnResult } from '../../../store/campaigns/campaign-repository.ts';
import type {
  Campaign,
  CampaignState,
  ChunkEnding,
  ClaimedChunk,
} from '../../../store/campaigns/campaigns.ts';
import { type Lease, leaseMs } from '../../../store/campaigns/sending/leases.ts';
import type { OperationError } from '../../../store/operations/operation-error.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { createLatestBalance } from './latest-balance.ts';
import { createPaceSignals } from './pace-signals.ts';
import { createSendChunk, type SendChunk } from './send-chunk.ts';
import { createThroughputMeter, type ThroughputMeter } from './throughput-meter.ts';

/** A campaign's part of the requests that its workspace may have in flight. */
export interface RequestQuota {
  /** Returns how many more requests the campaign may start, when it has `ownRequests` in flight. */
  available(ownRequests: number): number;
  /** Whether the workspace has other campaigns that are being sent. */
  isShared(): boolean;
  reserve(requests: number): void;
  release(requests: number): void;
}

export interface CampaignWorkerContext {
  campaigns: Pick<CampaignRepository, 'settleAndClaim' | 'releaseClaims' | 'move'>;
  /** Under which it is sent. */
  lease: Lease;
  account: () => Promise<ProviderAccount | undefined>;
  quota: RequestQuota;
  /** Messages a second of the workspace. */
  messagesPerSecond: number;
  timers: Timers;
  /** Milliseconds by a clock that also counts while the machine sleeps. */
  elapsed: Stopwatch;
  /** Milliseconds since 1970 by the clock of the timers. */
  paceClock: Stopwatch;
  /** Called with the campaign after each settle and claim, in order. */
  onChange: (campaign: Campaign) => void;
  /** Called with the state in which each chunk ended, and its recipients. */
  onChunkEnded: (state: ChunkEnding['state'], recipients: number) => void;
  report: (error: unknown) => void;
}

const settleIntervalMs = Number(process.env.SETTLE ?? 0);
/** Requests started before the event loop runs other work, such as a slash command. */
const requestsPerTick = 4;
/** After a failed transaction. */
const retryAfterMs = 2_000;
/** The start of requests that share the pace is put off by this after a claim, so that the other campaigns come first. */
const turnTakingMs = 2;
/** How often a campaign is looked at of which nothing waits, and nothing of this worker is in flight: others may release chunks. */
const idleMs = 1_000;

const notConnected: OperationError = { reason: 'not_connected' };

/** Sends one campaign until it ends, is paused, or the program stops; or until the lease is lost, as another sends it. */
export class CampaignWorker {
  /** Resolves when nothing of the campaign is in flight and every ending is stored. */
  readonly finished: Promise<void>;
  readonly throughput: ThroughputMeter;
  readonly #campaign: Campaign;
  readonly #context: CampaignWorkerContext;
  readonly #circuitBreaker: CircuitBreaker;
  readonly #sendChunk: SendChunk;
  readonly #chunkSize: number;
  readonly #latestBalance = createLatestBalance();
  readonly #paceSignals = createPaceSignals();
  /** As of the last transaction. */
  #state: CampaignState;
  /** Requests. */
  #inFlight = 0;
  /** Endings that are not stored yet. */
  #endings: ChunkEnding[] = [];
  /** Whether the last transaction left a chunk that waits. */
  #hasWaitingChunks = true;
  /** When the pace allows the next chunk, and when the back-off is over: by the timers' clock. */
  #nextClaimAt = 0;
  #backOffUntil = 0;
  #stopping = false;
  #isLeaseLost = false;
  #settledAt = Number.NEGATIVE_INFINITY;
  #soon = false;
  #settleTimer = new AbortController();
  #wakeUp = () => {};

  constructor(campaign: Campaign, context: CampaignWorkerContext) {
    this.#campaign = campaign;
    this.#context = context;
    this.#state = campaign.state;
    this.#chunkSize = chunkSize(campaign);
    this.#circuitBreaker = createCircuitBreaker(this.#paceSignals);
    this.#sendChunk = createSendChunk(campaign, context.report);
    this.throughput = createThroughputMeter(context.timers.elapsed);
    this.finished = this.#run();
  }

  lastProblem(): OperationError | undefined {
    return this.#circuitBreaker.lastProblem();
  }

  /** Returns the milliseconds left of the back-off, while the provider asks to slow down or is unreachable. */
  backOffMs(): number {
    return Math.max(0, this.#backOffUntil - this.#context.timers.elapsed());
  }

  /** Has the worker check at once whether the campaign was paused, resumed or cancelled, or may send more. */
  wake(): void {
    this.#wakeUp();
  }

  /** As `wake`, where it was running when the worker last saw it, and is not any more. */
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
        if (this.#stopping && this.#inFlight === 0) {
          return;
        }
        await this.#context.timers.sleep(retryAfterMs);
        continue;
      }
      // The campaign was deleted with its workspace.
      if (campaign === undefined) {
        return;
      }
      const mayClaim = this.#mayClaim(campaign.state);
      if (!mayClaim && this.#inFlight === 0 && this.#endings.length === 0) {
        return;
      }
      await this.#untilWork(mayClaim);
    }
  }

  /**
   * Releases what was claimed by a turn whose answer was lost, so that nobody has it. Only while this worker, which alone
   * claims the campaign in this run, has nothing: so nothing that is released was sent. Returns whether there was some.
   */
  async #releaseUnknown({ inFlight }: Campaign): Promise<boolean> {
    if (inFlight === 0 || this.#inFlight > 0 || this.#endings.length > 0) {
      return false;
    }
    const released = await this.#context.campaigns.releaseClaims(this.#campaign, this.#context.lease.run);
    this.#hasWaitingChunks ||= released > 0;
    return released > 0;
  }

  #mayClaim(state: CampaignState): boolean {
    return state === 'running' && !this.#stopping && !this.#isLeaseLost;
  }

  async #pauseIfTripped(): Promise<void> {
    const pause = this.#circuitBreaker.takePause();
    if (pause === undefined) {
      return;
    }
    const { workspaceId, id } = this.#campaign;
    try {
      await this.#context.campaigns.move(workspaceId, id, ['running'], 'paused', { pause });
    } catch (error) {
      this.#circuitBreaker.trip(pause);
      throw error;
    }
    this.#state = 'paused';
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
    const { quota, elapsed } = this.#context;
    const reserved = this.#mayClaim(this.#state) ? this.#availableRequests() : 0;
    // Reserved before the first await: no two campaigns count on the same requests.
    quota.reserve(reserved);
    let started = 0;
    try {
      const claimedAt = elapsed();
      // Both at once, as each may take a round trip.
      const [settled, [key]] = await Promise.all([
        this.#settleAndClaim(reserved),
        Promise.allSettled([reserved > 0 ? this.#context.account() : undefined]),
      ]);
      const account = key.status === 'fulfilled' ? key.value : undefined;
      // Called before anything else happens to the campaign, so that changes are seen in order.
      if (settled !== undefined) {
        this.#context.onChange(settled.campaign);
        this.#noteTurn(settled, reserved);
      }
      this.#state = settled?.campaign.state ?? this.#state;
      if (account !== undefined) {
        started = await this.#start(account, settled?.claimed ?? [], claimedAt);
      } else {
        this.#giveBack(settled?.claimed ?? []);
      }
      if (key.status === 'rejected') {
        throw key.reason;
      }
      if (reserved > 0 && account === undefined) {
        this.#circuitBreaker.trip({ by: 'program', error: notConnected });
      }
      return settled?.campaign;
    } finally {
      quota.release(reserved - started);
    }
  }

  #noteTurn({ claimed, pace, isLeaseLost }: TurnResult, count: number): void {
    const now = this.#context.timers.elapsed();
    const putOffMs = claimed.length > 0 && this.#context.quota.isShared() ? turnTakingMs : 0;
    this.#nextClaimAt = now + pace.waitMs + putOffMs;
    this.#backOffUntil = now + pace.backOffMs;
    this.#hasWaitingChunks = claimed.length >= Math.min(count, pace.allowed);
    this.#isLeaseLost ||= isLeaseLost;
  }

  /** While results are unclear, one request at a time. */
  #availableRequests(): number {
    const available = this.#context.quota.available(this.#inFlight);
    return this.#circuitBreaker.isProbing()
      ? Math.max(0, Math.min(available, 1 - this.#inFlight))
      : available;
  }

  async #settleAndClaim(count: number): Promise<TurnResult | undefined> {
    const { campaigns, lease, messagesPerSecond: maxRate, timers, paceClock } = this.#context;
    const endings = this.#endings;
    const signals = this.#paceSignals.take();
    this.#endings = [];
    this.#settledAt = timers.elapsed();
    if (settleIntervalMs > 0) this.#settleTimer.abort();
    try {
      const pace = { ...signals, maxRate, chunkSize: this.#chunkSize, at: paceClock() };
      return await campaigns.settleAndClaim(this.#campaign, { lease, endings, count, pace });
    } catch (error) {
      // Nothing was claimed, and the endings are still to be stored.
      this.#endings = [...endings, ...this.#endings];
      this.#paceSignals.putBack(signals);
      throw error;
    }
  }

  /**
   * Starts the requests of claimed chunks, and returns how many: after a time in which the machine slept or the program
   * stood still, others may have taken the campaign, so what has not started by then waits again.
   */
  async #start(
    account: ProviderAccount,
    chunks: readonly ClaimedChunk[],
    claimedAt: number,
  ): Promise<number> {
    const { elapsed } = this.#context;
    let started = 0;
    for (const chunk of chunks) {
      if (elapsed() - claimedAt >= leaseMs) {
        this.#giveBack([chunk]);
        continue;
      }
      this.#inFlight += 1;
      started += 1;
      void this.#send(account, chunk);
      if (started % requestsPerTick === 0) {
        await setImmediate();
      }
    }
    return started;
  }

  /** Has chunks wait again of which nothing has left. */
  #giveBack(chunks: readonly ClaimedChunk[]): void {
    this.#endings.push(...chunks.map(({ number }) => ({ number, state: 'waiting' as const })));
  }

  async #send(account: ProviderAccount, chunk: ClaimedChunk): Promise<void> {
    const request = this.#circuitBreaker.requestStarted();
    const balanceRequest = this.#latestBalance.requestStarted();
    const result = await this.#sendChunk(account, chunk);
    this.#circuitBreaker.record(result, request);
    const { balance } = result.ending;
    const latest =
      balance === undefined ? {} : { balance: this.#latestBalance.record(balance, balanceRequest) };
    this.#inFlight -= 1;
    this.#context.quota.release(1);
    this.#endings.push({ ...result.ending, ...latest, number: chunk.number });
    this.#context.onChunkEnded(result.ending.state, chunk.digits.length);
    if (result.ending.state !== 'waiting') {
      this.throughput.record(chunk.digits.length);
    }
    // With nothing else in flight there is no other ending to wait for.
    if (this.#inFlight === 0) {
      this.#wakeUp();
    } else if (this.#endings.length === 1) {
      this.#settleLater();
    }
  }

  /** Wakes the worker as soon as `settleIntervalMs` have passed since the last transaction. */
  #settleLater(): void {
    const { timers } = this.#context;
    if (settleIntervalMs === 0) {
      if (!this.#soon) {
        this.#soon = true;
        void setImmediate().then(() => {
          this.#soon = false;
          this.#wakeUp();
        });
      }
      return;
    }
    this.#settleTimer.abort();
    this.#settleTimer = new AbortController();
    const { signal } = this.#settleTimer;
    const waitMs = Math.max(1, this.#settledAt + settleIntervalMs - timers.elapsed());
    void timers.sleep(waitMs, signal).then(() => {
      if (!signal.aborted) {
        this.#wakeUp();
      }
    });
  }

  /** Resolves when there are endings to store, when chunks may be claimed, or when the worker is woken. */
  async #untilWork(mayClaim: boolean): Promise<void> {
    const { timers } = this.#context;
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wakeUp = resolve;
    if (this.#circuitBreaker.isTripped() || (this.#inFlight === 0 && this.#endings.length > 0)) {
      return;
    }
    if (this.#endings.length > 0) {
      this.#settleLater();
    }
    if (!mayClaim || this.#availableRequests() === 0 || (!this.#hasWaitingChunks && this.#inFlight > 0)) {
      return woken;
    }
    const waitMs = this.#hasWaitingChunks ? this.#nextClaimAt - timers.elapsed() : idleMs;
    if (settleIntervalMs === 0 && waitMs <= 0) { await setImmediate(); return; }
    const claimTimer = new AbortController();
    await Promise.race([woken, timers.sleep(Math.max(0, waitMs), claimTimer.signal)]);
    claimTimer.abort();
  }
}
