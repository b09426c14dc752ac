import { setImmediate } from 'node:timers/promises';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { Campaign, ChunkEnding, ClaimedChunk } from '../../../store/campaigns/campaigns.ts';
import { leaseMs } from '../../../store/campaigns/sending/leases.ts';
import { createCircuitBreaker, type PaceListener } from './circuit-breaker.ts';
import { createLatestBalance } from './latest-balance.ts';
import { createSendChunk, type SendChunk } from './send-chunk.ts';
import { createThroughputMeter, type ThroughputMeter } from './throughput-meter.ts';
import type { CampaignWorkerContext } from './worker-context.ts';

interface ChunkRequestsContext
  extends Pick<
    CampaignWorkerContext,
    'campaigns' | 'quota' | 'timers' | 'elapsed' | 'onChunkEnded' | 'report'
  > {
  pace: PaceListener;
  /** Called when a request has ended. */
  onEnded: () => void;
}

/** Requests started before the event loop runs other work, such as a slash command. */
const requestsPerTick = 4;

/** The requests of one campaign that are in flight, and the endings that are not stored yet. */
export class ChunkRequests {
  readonly circuitBreaker;
  readonly throughput: ThroughputMeter;
  readonly #context: ChunkRequestsContext;
  readonly #sendChunk: SendChunk;
  readonly #latestBalance = createLatestBalance();
  #inFlight = 0;
  #endings: ChunkEnding[] = [];

  constructor(campaign: Campaign, context: ChunkRequestsContext) {
    this.#context = context;
    this.circuitBreaker = createCircuitBreaker(context.pace);
    this.throughput = createThroughputMeter(context.timers.elapsed);
    this.#sendChunk = createSendChunk(campaign, context);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether there are endings to store. */
  get haveEnded(): boolean {
    return this.#endings.length > 0;
  }

  /** How many more may be started now. */
  available(): number {
    const { quota } = this.#context;
    return this.#whileClear(quota.available({ inFlight: this.#inFlight, ended: this.#endings.length }));
  }

  /** Whether more may be started, now or when it is the campaign's turn. */
  get haveRoom(): boolean {
    return this.#whileClear(this.#context.quota.share(this.#inFlight)) > 0;
  }

  /** While results are unclear, one at a time. */
  #whileClear(requests: number): number {
    return this.circuitBreaker.isProbing() ? Math.max(0, Math.min(requests, 1 - this.#inFlight)) : requests;
  }

  /** Returns the endings, to be stored. */
  takeEndings(): ChunkEnding[] {
    const endings = this.#endings;
    this.#endings = [];
    return endings;
  }

  /** Takes back endings that could not be stored. */
  putBack(endings: readonly ChunkEnding[]): void {
    this.#endings = [...endings, ...this.#endings];
  }

  /** Has chunks wait again of which nothing has left. */
  giveBack(chunks: readonly ClaimedChunk[]): void {
    this.#endings.push(...chunks.map(({ number }) => ({ number, state: 'waiting' as const })));
  }

  /**
   * Starts the requests of claimed chunks, and returns how many: after a time in which the machine slept or the program
   * stood still, others may have taken the campaign, so what has not started by then waits again.
   *
   * @param claimedAt by the clock that also counts while the machine sleeps
   */
  async start(account: ProviderAccount, chunks: readonly ClaimedChunk[], claimedAt: number): Promise<number> {
    let started = 0;
    for (const chunk of chunks) {
      if (this.#context.elapsed() - claimedAt >= leaseMs) {
        this.giveBack([chunk]);
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

  async #send(account: ProviderAccount, chunk: ClaimedChunk): Promise<void> {
    const request = this.circuitBreaker.requestStarted();
    const balanceRequest = this.#latestBalance.requestStarted();
    const result = await this.#sendChunk(account, chunk);
    this.circuitBreaker.record(result, request);
    const { balance } = result.ending;
    const latest =
      balance === undefined ? {} : { balance: this.#latestBalance.record(balance, balanceRequest) };
    this.#inFlight -= 1;
    this.#endings.push({ ...result.ending, ...latest, number: chunk.number });
    this.#context.onChunkEnded(result.ending.state, chunk.digits.length);
    if (result.ending.state !== 'waiting') {
      this.throughput.record(chunk.digits.length);
    }
    this.#context.onEnded();
  }
}
