import { setImmediate } from 'node:timers/promises';
import { hasOptOutLink, withOptOutToken } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import { readMoney } from '../../../domain/money/money.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { Campaign, ChunkEnding, ClaimedChunk } from '../../../store/campaigns/campaigns.ts';
import { leaseMs } from '../../../store/campaigns/sending/leases.ts';
import { failedMidway } from '../../../store/operations/operation.ts';
import type { Store } from '../../../store/store.ts';
import type { Context } from '../../context.ts';
import { sendMessage } from '../../operations/outcomes.ts';
import {
  classifySendResult,
  createCircuitBreaker,
  type PaceListener,
  type SendClassification,
} from './circuit-breaker.ts';
import type { RequestQuota } from './workspace-quota.ts';

interface ChunkRequestsOptions {
  context: Context;
  quota: RequestQuota;
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
  readonly #context: Context;
  readonly #quota: RequestQuota;
  readonly #onEnded: () => void;
  readonly #sendChunk;
  readonly #latestBalance = createLatestBalance();
  #inFlight = 0;
  #endings: ChunkEnding[] = [];

  constructor(campaign: Campaign, { context, quota, pace, onEnded }: ChunkRequestsOptions) {
    this.#context = context;
    this.#quota = quota;
    this.#onEnded = onEnded;
    this.circuitBreaker = createCircuitBreaker(pace);
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
    return this.#whileClear(this.#quota.available({ inFlight: this.#inFlight, ended: this.#endings.length }));
  }

  /** Whether more may be started, now or when it is the campaign's turn. */
  get haveRoom(): boolean {
    return this.#whileClear(this.#quota.share(this.#inFlight)) > 0;
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
      if (this.#context.time.elapsed() - claimedAt >= leaseMs) {
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
    const { metrics } = this.#context;
    metrics.operation('campaign.chunk', result.ending.state);
    metrics.campaignRecipients(result.ending.state, chunk.digits.length);
    if (result.ending.state !== 'waiting') {
      this.throughput.record(chunk.digits.length);
    }
    this.#onEnded();
  }
}

/** Returns a function that sends one chunk as one request. It never rejects. */
function createSendChunk(campaign: Campaign, { store, report }: Context) {
  const route = routeSchema.parse(campaign.route);
  const sharedText = campaign.text ?? '';
  const sharedUnicode = countPages(sharedText).needsUnicode;
  const personalText = createPersonalText(campaign, store.campaigns);
  return async (account: ProviderAccount, chunk: ClaimedChunk): Promise<SendClassification> => {
    const { digits, text } = chunk;
    let own: string | undefined;
    try {
      own = text !== undefined && hasOptOutLink(text) ? await personalText({ ...chunk, text }) : text;
    } catch (error) {
      report(error);
      // Nothing has left.
      return { ending: { state: 'waiting' }, effect: 'slow_down' };
    }
    try {
      const outcome = await sendMessage(account, {
        to: digits,
        route,
        senderId: campaign.senderId,
        text: own ?? sharedText,
        unicode: own === undefined ? sharedUnicode : countPages(own).needsUnicode,
      });
      return classifySendResult(outcome);
    } catch (error) {
      report(error);
      return { ending: { state: 'unconfirmed', error: failedMidway }, effect: 'unclear' };
    }
  };
}

/** Returns what puts the recipient's own opt-out link into their text. What makes the links is read once. */
function createPersonalText(
  { workspaceId, id }: Campaign,
  { optOutTokens }: Store['campaigns'],
): (chunk: ClaimedChunk & { text: string }) => Promise<string> {
  let reading: ReturnType<typeof optOutTokens> | undefined;
  return async ({ number, digits, text }) => {
    reading ??= optOutTokens(workspaceId, id);
    const makeToken = await reading.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    const [recipient, ...others] = digits;
    if (makeToken === undefined || recipient === undefined || others.length > 0) {
      throw new Error('An opt-out link needs a campaign, and one recipient');
    }
    return withOptOutToken(text, makeToken({ chunk: number, number: `+${recipient}` }));
  };
}

/** Measures the messages a second of one campaign. */
export type ThroughputMeter = ReturnType<typeof createThroughputMeter>;

const windowSeconds = 30;

/** Keeps one count for each second of the window, so memory does not grow with the messages. */
function createThroughputMeter(elapsed: Stopwatch) {
  const startedAt = elapsed();
  const counts = new Map<number, number>();
  const secondsSinceStart = () => (elapsed() - startedAt) / 1000;

  function dropOld(): void {
    const oldest = Math.floor(secondsSinceStart()) - windowSeconds;
    for (const second of counts.keys()) {
      if (second <= oldest) {
        counts.delete(second);
      }
    }
  }

  return {
    record(messages: number): void {
      const second = Math.floor(secondsSinceStart());
      counts.set(second, (counts.get(second) ?? 0) + messages);
      dropOld();
    },
    /** Returns the messages a second, averaged over the last 30 seconds. */
    perSecond(): number {
      dropOld();
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return total / Math.min(windowSeconds, Math.max(1, secondsSinceStart()));
    },
  };
}

/**
 * Follows the balance through responses that arrive in another order than the provider wrote them.
 *
 * A response to a request that left after the latest balance arrived is later. Of two requests that were in flight
 * together, the one with the lower balance was served later, as each send costs something.
 */
export function createLatestBalance() {
  let responses = 0;
  let latest: { balance: string; response: number } | undefined;
  return {
    /** Called when a request leaves; returns what to pass with its response. */
    requestStarted: () => responses,
    /** Takes the balance of a response, and returns the latest known one. */
    record(balance: string, request: number): string {
      responses += 1;
      if (latest === undefined || request >= latest.response || isLower(balance, latest.balance)) {
        latest = { balance, response: responses };
      }
      return latest.balance;
    },
  };
}

/** True also where one of them is no plain number. */
function isLower(one: string, other: string): boolean {
  const [first, second] = [readMoney(one), readMoney(other)];
  return first === undefined || second === undefined || first.nanos < second.nanos;
}
