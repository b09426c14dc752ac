import { setImmediate } from 'node:timers/promises';
import { quickCountryOf } from '../../../domain/limits/number-country.ts';
import { hasOptOutLink, withOptOutToken } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import { readMoney } from '../../../domain/money/money.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { Campaign, ChunkEnding, ClaimedChunk } from '../../../store/campaigns/campaigns.ts';
import { type Lease, leaseMs } from '../../../store/campaigns/sending/leases.ts';
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
  /** The lease that the chunks are claimed under. */
  lease: Lease;
  quota: RequestQuota;
  pace: PaceListener;
  /** Called when a request has ended. */
  onEnded: () => void;
}

interface Claim {
  /** Measured by a clock that keeps running while the machine sleeps. */
  at: number;
  /** How often the circuit breaker had tripped when the chunks were claimed. */
  trips: number;
  /** The sender at the time of the claim: it can change while the campaign is paused. */
  senderId: string;
}

/** What the requests of a claim have in common. */
interface Sending extends Pick<Claim, 'senderId'> {
  /** Called just before a request leaves. */
  mayLeave: () => boolean;
}

/** Requests started before the event loop runs other work, such as a slash command. */
const requestsPerTick = 4;

/** The requests of one campaign that are in flight, and the endings that are not stored yet. */
export class ChunkRequests {
  readonly circuitBreaker;
  readonly throughput: ThroughputMeter;
  readonly #campaign: Campaign;
  readonly #context: Context;
  readonly #lease: Lease;
  readonly #quota: RequestQuota;
  readonly #pace: PaceListener;
  readonly #onEnded: () => void;
  readonly #sendChunk;
  readonly #latestBalance = createLatestBalance();
  #inFlight = 0;
  /** How many chunks are being retried country by country to find which one is refused. */
  #countrySearches = 0;
  /**
   * Countries of an unconfirmed request that was refused for an inactive country. Each is sent on its own
   * until one of its requests is accepted.
   */
  readonly #suspects = new Set<string>();
  #endings: ChunkEnding[] = [];

  constructor(campaign: Campaign, { context, lease, quota, pace, onEnded }: ChunkRequestsOptions) {
    this.#campaign = campaign;
    this.#context = context;
    this.#lease = lease;
    this.#quota = quota;
    this.#pace = pace;
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

  /** Whether a chunk has an ending other than waiting that isn't stored yet. */
  isSettled(chunk: number): boolean {
    return this.#endings.some(({ number, state }) => number === chunk && state !== 'waiting');
  }

  /** How many more may be started now. */
  available(): number {
    return this.#whileClear(this.#quota.available({ inFlight: this.#inFlight, ended: this.#endings.length }));
  }

  /** Whether more may be started, now or when it is the campaign's turn. */
  get haveRoom(): boolean {
    return this.#whileClear(this.#quota.share(this.#inFlight)) > 0;
  }

  /**
   * Limits requests to one at a time while results are unclear, and to none while searching for the refused
   * country.
   */
  #whileClear(requests: number): number {
    if (this.#countrySearches > 0) {
      return 0;
    }
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

  /** Returns unsent chunks to the queue. */
  giveBack(chunks: readonly ClaimedChunk[]): void {
    this.#endings.push(...chunks.map(({ number }) => ({ number, state: 'waiting' as const })));
  }

  /**
   * Starts the requests of claimed chunks, and returns how many. The rest wait again if the campaign is about
   * to pause, or if the process stood still for so long that another instance may have taken the campaign.
   */
  async start(account: ProviderAccount, chunks: readonly ClaimedChunk[], claim: Claim): Promise<number> {
    let started = 0;
    for (const chunk of chunks) {
      const isTripped = this.circuitBreaker.trips !== claim.trips;
      if (isTripped || this.#context.time.elapsed() - claim.at >= leaseMs) {
        this.giveBack([chunk]);
        continue;
      }
      this.#inFlight += 1;
      started += 1;
      void this.#send(account, chunk, claim);
      if (started % requestsPerTick === 0) {
        await setImmediate();
      }
    }
    return started;
  }

  async #send(account: ProviderAccount, chunk: ClaimedChunk, { trips, senderId }: Claim): Promise<void> {
    // The request may wait for a connection, and the campaign may be paused and resumed meanwhile.
    const from = { senderId, mayLeave: () => this.circuitBreaker.trips === trips };
    const countries = countriesOf(this.#suspects.size > 0 ? chunk.digits : []);
    if (countries.length > 1 && countries.some((country) => this.#suspects.has(country))) {
      await this.#findCountries(account, chunk, { ending: { state: 'waiting' }, from });
    } else {
      const { effect, ending } = await this.#request(account, chunk, from);
      if (effect === 'country') {
        await this.#findCountries(account, chunk, { ending, from });
      } else {
        this.#end(chunk, ending);
      }
    }
    this.#inFlight -= 1;
    this.#onEnded();
  }

  /** Sends a chunk, and acts on the response. */
  async #request(account: ProviderAccount, chunk: ClaimedChunk, from: Sending): Promise<SendClassification> {
    const request = this.circuitBreaker.requestStarted();
    const balanceRequest = this.#latestBalance.requestStarted();
    const result = await this.#sendChunk(account, chunk, from);
    this.circuitBreaker.record(result, request);
    const { ending } = result;
    if (ending.state === 'accepted' && this.#suspects.size > 0) {
      for (const country of countriesOf(chunk.digits)) {
        this.#suspects.delete(country);
      }
    }
    return ending.balance === undefined
      ? result
      : {
          ...result,
          ending: { ...ending, balance: this.#latestBalance.record(ending.balance, balanceRequest) },
        };
  }

  #end(chunk: ClaimedChunk, ending: SendClassification['ending']): void {
    this.#endings.push({ ...ending, number: chunk.number });
    const { metrics } = this.#context;
    metrics.operation('campaign.chunk', ending.state);
    metrics.campaignRecipients(ending.state, chunk.digits.length);
    if (ending.state !== 'waiting') {
      this.throughput.record(chunk.digits.length);
    }
  }

  /**
   * Pauses the campaign for the country where a chunk was refused. With several countries, sends one request
   * per country to find which one, and starts nothing else meanwhile. A chunk that may have been accepted
   * isn't sent again, so later chunks find out.
   */
  async #findCountries(
    account: ProviderAccount,
    chunk: ClaimedChunk,
    { ending, from }: { ending: SendClassification['ending']; from: Sending },
  ): Promise<void> {
    const pause = (refused: readonly string[]) => {
      // The recipients are counted when the campaign pauses.
      const counts = Object.fromEntries(refused.map((country) => [country, 0]));
      this.circuitBreaker.trip({ by: 'provider', error: { reason: 'country_inactive' }, countries: counts });
    };
    const countries = countriesOf(chunk.digits);
    const isOne = countries.length === 1;
    if (isOne || ending.state !== 'waiting') {
      this.#end(chunk, ending);
      if (isOne) {
        pause(countries);
      } else {
        for (const country of countries) {
          this.#suspects.add(country);
        }
      }
      return;
    }
    if (!from.mayLeave()) {
      this.#end(chunk, ending);
      return;
    }
    this.#countrySearches += 1;
    const { time, store, report } = this.#context;
    const claimedAt = time.elapsed();
    const parts = await store.campaigns
      .splitByCountry(this.#campaign, this.#lease, chunk.number)
      .catch((error: unknown) => {
        report(error);
        this.#pace.backOff(undefined);
        return [];
      });
    if (parts.length === 0) {
      this.#end(chunk, ending);
    }
    this.#quota.reserve(Math.max(0, parts.length - 1));
    const refused: string[] = [];
    for (const part of parts) {
      if (!from.mayLeave() || time.elapsed() - claimedAt >= leaseMs) {
        this.giveBack([part]);
        continue;
      }
      const asked = await this.#request(account, part, from);
      this.#end(part, asked.ending);
      refused.push(...(asked.effect === 'country' ? countriesOf(part.digits) : []));
    }
    if (refused.length > 0) {
      pause(refused);
    }
    this.#countrySearches -= 1;
  }
}

const countriesOf = (all: readonly string[]) => [
  ...new Set(all.map((digits): string => quickCountryOf(`+${digits}`))),
];

/** Returns a function that sends one chunk as one request. It never rejects. */
function createSendChunk(campaign: Campaign, { store, report }: Context) {
  const route = routeSchema.parse(campaign.route);
  const sharedText = campaign.text ?? '';
  const sharedUnicode = countPages(sharedText).needsUnicode;
  const personalText = createPersonalText(campaign, store.campaigns);
  return async (
    account: ProviderAccount,
    chunk: ClaimedChunk,
    { senderId, mayLeave }: Sending,
  ): Promise<SendClassification> => {
    const { digits, text } = chunk;
    let personal: string | undefined;
    try {
      personal = text !== undefined && hasOptOutLink(text) ? await personalText({ ...chunk, text }) : text;
    } catch (error) {
      report(error);
      // Nothing has left.
      return { ending: { state: 'waiting' }, effect: 'slow_down' };
    }
    try {
      const message = {
        to: digits,
        route,
        senderId,
        text: personal ?? sharedText,
        unicode: personal === undefined ? sharedUnicode : countPages(personal).needsUnicode,
      };
      const outcome = await sendMessage(account, message, { mayLeave });
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
      const [money, before] = [readMoney(balance), readMoney(latest?.balance ?? '')];
      // Also if one of them isn't a plain number.
      const isLower = money === undefined || before === undefined || money.nanos < before.nanos;
      if (latest === undefined || request >= latest.response || isLower) {
        latest = { balance, response: responses };
      }
      return latest.balance;
    },
  };
}
