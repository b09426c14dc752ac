import { setImmediate } from 'node:timers/promises';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import { traced } from '../../../lib/tracing/tracing.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type {
  Campaign,
  CampaignState,
  ChunkEnding,
  ClaimedChunk,
} from '../../../store/campaigns/campaigns.ts';
import type { OperationError } from '../../../store/operations/operation-error.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { createLatestBalance } from './latest-balance.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createSendChunk, type SendChunk } from './send-chunk.ts';
import { createThroughputMeter, type ThroughputMeter } from './throughput-meter.ts';

/** A campaign's part of the requests that its workspace may have in flight. */
export interface RequestQuota {
  /** Returns how many more requests the campaign may start, when it has `ownRequests` in flight. */
  available(ownRequests: number): number;
  reserve(requests: number): void;
  release(requests: number): void;
}

export interface CampaignWorkerContext {
  campaigns: CampaignRepository;
  account: () => Promise<ProviderAccount | undefined>;
  rateLimiter: RateLimiter;
  quota: RequestQuota;
  timers: Timers;
  /** Called with the campaign after each settle and claim, in order. */
  onChange: (campaign: Campaign) => void;
  /** Called with the state in which each chunk ended, and its recipients. */
  onChunkEnded: (state: ChunkEnding['state'], recipients: number) => void;
  report: (error: unknown) => void;
}

/**
 * In milliseconds between two settle and claim transactions, as each costs a write to the disk; chunks that end meanwhile
 * are settled together. Chunks that are claimed together end at about the same time, and so seldom wait for this.
 */
const settleIntervalMs = 4;
/** Requests started before the event loop runs other work, such as a slash command. */
const requestsPerTick = 4;
/** After a failed transaction. */
const retryAfterMs = 2_000;

const notConnected: OperationError = { reason: 'not_connected' };

/** Sends one campaign until it ends, is paused, or the program stops. */
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
  /** As of the last transaction. */
  #state: CampaignState;
  /** Requests. */
  #inFlight = 0;
  /** Endings that are not stored yet. */
  #endings: ChunkEnding[] = [];
  /** Whether the last transaction left a chunk that waits. */
  #hasWaitingChunks = true;
  #stopping = false;
  #settledAt = Number.NEGATIVE_INFINITY;
  #settleTimer = new AbortController();
  #wakeUp = () => {};

  constructor(campaign: Campaign, context: CampaignWorkerContext) {
    this.#campaign = campaign;
    this.#context = context;
    this.#state = campaign.state;
    this.#chunkSize = chunkSize(campaign);
    this.#circuitBreaker = createCircuitBreaker(context.rateLimiter);
    this.#sendChunk = createSendChunk(campaign, context.report);
    this.throughput = createThroughputMeter(context.timers.elapsed);
    this.finished = this.#run();
  }

  lastProblem(): OperationError | undefined {
    return this.#circuitBreaker.lastProblem();
  }

  /** Has the worker check at once whether the campaign was paused, resumed or cancelled, or may send more. */
  wake(): void {
    this.#wakeUp();
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
      const mayClaim = campaign.state === 'running' && !this.#stopping;
      if (!mayClaim && this.#inFlight === 0 && this.#endings.length === 0) {
        return;
      }
      await this.#untilWork(mayClaim);
    }
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
    const { quota, rateLimiter } = this.#context;
    const reserved = this.#startableChunks();
    // Reserved before the first await: no two campaigns count on the same requests, or on the same messages.
    quota.reserve(reserved);
    rateLimiter.consume(reserved * this.#chunkSize);
    let started = { requests: 0, messages: 0 };
    try {
      const account = reserved > 0 ? await this.#context.account() : undefined;
      if (reserved > 0 && account === undefined) {
        this.#circuitBreaker.trip({ by: 'program', error: notConnected });
      }
      const count = account === undefined ? 0 : reserved;
      const settled = await this.#settleAndClaim(count);
      // Called before anything else happens to the campaign, so that changes are seen in order.
      if (settled !== undefined) {
        this.#context.onChange(settled.campaign);
      }
      this.#hasWaitingChunks = settled !== undefined && settled.claimed.length >= count;
      if (account !== undefined && settled !== undefined) {
        started = { requests: settled.claimed.length, messages: recipientsOf(settled.claimed) };
        await this.#start(account, settled.claimed);
      }
      this.#state = settled?.campaign.state ?? this.#state;
      return settled?.campaign;
    } finally {
      quota.release(reserved - started.requests);
      rateLimiter.consume(started.messages - reserved * this.#chunkSize);
    }
  }

  #startableChunks(): number {
    return this.#stopping || this.#state !== 'running'
      ? 0
      : Math.min(this.#availableRequests(), this.#context.rateLimiter.availableChunks(this.#chunkSize));
  }

  /** While results are unclear, one request at a time. */
  #availableRequests(): number {
    const available = this.#context.quota.available(this.#inFlight);
    return this.#circuitBreaker.isProbing()
      ? Math.max(0, Math.min(available, 1 - this.#inFlight))
      : available;
  }

  async #settleAndClaim(count: number) {
    const endings = this.#endings;
    this.#endings = [];
    this.#settledAt = this.#context.timers.elapsed();
    this.#settleTimer.abort();
    try {
      return await this.#context.campaigns.settleAndClaim(this.#campaign, endings, count);
    } catch (error) {
      // Nothing was claimed, and the endings are still to be stored.
      this.#endings = [...endings, ...this.#endings];
      throw error;
    }
  }

  async #start(account: ProviderAccount, chunks: readonly ClaimedChunk[]): Promise<void> {
    for (const [index, chunk] of chunks.entries()) {
      this.#inFlight += 1;
      void this.#send(account, chunk);
      if ((index + 1) % requestsPerTick === 0) {
        await setImmediate();
      }
    }
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
    const { rateLimiter, timers } = this.#context;
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wakeUp = resolve;
    if (this.#circuitBreaker.isTripped() || (this.#inFlight === 0 && this.#endings.length > 0)) {
      return;
    }
    if (this.#endings.length > 0) {
      this.#settleLater();
    }
    if (!mayClaim || !this.#hasWaitingChunks || this.#availableRequests() === 0) {
      return woken;
    }
    const claimTimer = new AbortController();
    await Promise.race([woken, timers.sleep(rateLimiter.msUntilAvailable(), claimTimer.signal)]);
    claimTimer.abort();
  }
}

function recipientsOf(chunks: readonly ClaimedChunk[]): number {
  return chunks.reduce((sum, { digits }) => sum + digits.length, 0);
}
