import type { Outcome, Reason } from '../../../provider/errors.ts';
import { concernOf } from '../../../provider/response/refusals.ts';
import type { SendResult } from '../../../provider/response/send-result.ts';
import type { CampaignPause, ChunkEnding } from '../../../store/campaigns/campaigns.ts';
import type { PaceSignals } from '../../../store/campaigns/sending/pace.ts';
import type { OperationError } from '../../../store/operations/operation.ts';
import { toEnding } from '../../operations/outcomes.ts';

/** What a response means for the chunk that was sent, and for the campaign. */
export interface SendClassification {
  ending: Omit<ChunkEnding, 'number'>;
  /**
   * - `continue`: no problem;
   * - `held_back`: not sent, because the campaign is about to pause; the chunk waits;
   * - `slow_down`: not accepted, but a later request may be; the chunk waits;
   * - `pause`: every other chunk would be refused too; this one waits, unless it may have been accepted;
   * - `country`: other recipients in that country would be refused too; the chunk waits, unless it may have
   *   been accepted;
   * - `rejected`, `unclear`: the campaign continues, unless there are too many in a row.
   */
  effect: 'continue' | 'held_back' | 'slow_down' | 'pause' | 'country' | 'rejected' | 'unclear';
  /** The milliseconds that the provider asks to wait. */
  retryAfterMs?: number | undefined;
}

/**
 * Reasons that affect every recipient until a person fixes them, though the provider didn't refuse anything.
 */
const faultsOfAll: ReadonlySet<Reason> = new Set(['not_configured', 'input', 'redirected', 'untrusted']);

/** Returns what a reason means for other requests, or undefined if it concerns only these recipients. */
function effectOfReason(reason: Reason): 'pause' | 'country' | undefined {
  switch (concernOf(reason)) {
    case 'account':
    case 'route':
    case 'sender':
    case 'device':
      return 'pause';
    case 'country':
      return 'country';
    default:
      return faultsOfAll.has(reason) ? 'pause' : undefined;
  }
}

export function classifySendResult(outcome: Outcome<SendResult>): SendClassification {
  const { providerId, receiptId, balance, error } = toEnding(outcome, ({ messageId, ...result }) => ({
    providerId: messageId,
    balance: result.balance,
  }));
  if (outcome.kind === 'accepted') {
    return { ending: { state: 'accepted', providerId, balance }, effect: 'continue' };
  }
  const { reason, retryAfter: retryAfterMs } = outcome.error;
  if (outcome.kind === 'unconfirmed') {
    const effect = effectOfReason(reason) ?? 'unclear';
    return { ending: { state: 'unconfirmed', receiptId, error }, effect, retryAfterMs };
  }
  // Only `mayLeave` cancels a request before it leaves.
  if (reason === 'cancelled') {
    return { ending: { state: 'waiting' }, effect: 'held_back' };
  }
  const effect = outcome.error.retryable ? 'slow_down' : (effectOfReason(reason) ?? 'rejected');
  const state = effect === 'rejected' ? 'rejected' : 'waiting';
  return { ending: { state, error }, effect, retryAfterMs };
}

/** This many in a row are not the recipients' fault: the campaign pauses rather than lose everyone the same way. */
const maxUnclearInARow = 5;
const maxRejectedInARow = 20;

const unclearPause: OperationError = { reason: 'unclear_answers' };

/** Learns from responses how fast to send. */
export interface PaceListener {
  recordSuccess(): void;
  /** `retryAfterMs` is the wait that the provider asks for, if it does. */
  backOff(retryAfterMs: number | undefined): void;
}

/** Decides by the results of a campaign's requests how fast it continues, and when it pauses. */
export function createCircuitBreaker(pace: PaceListener) {
  let unclearInARow = 0;
  let rejectedInARow = 0;
  let requests = 0;
  /** The number of requests when an unclear result was last counted. */
  let requestsAtUnclear = 0;
  let pause: CampaignPause | undefined;
  let trips = 0;
  let lastProblem: OperationError | undefined;

  /** Has the campaign pause. Ignored when it is already about to. */
  function trip(reason: CampaignPause): void {
    if (pause === undefined) {
      pause = reason;
      trips += 1;
    }
  }

  function countUnclear(isUnclear: boolean, request: number): void {
    if (!isUnclear) {
      unclearInARow = 0;
    } else if (unclearInARow === 0 || request >= requestsAtUnclear) {
      // Requests in flight together fail together: they count once.
      unclearInARow += 1;
      requestsAtUnclear = requests;
    }
  }

  return {
    /** Records a request that leaves. Returns its sequence number, for `record`. */
    requestStarted(): number {
      requests += 1;
      return requests - 1;
    },
    record({ ending: { error }, effect, retryAfterMs }: SendClassification, request: number): void {
      countUnclear(effect === 'unclear', request);
      rejectedInARow = effect === 'rejected' ? rejectedInARow + 1 : 0;
      if (effect === 'continue') {
        pace.recordSuccess();
      }
      if (effect === 'slow_down' || error?.reason === 'rate_limited') {
        pace.backOff(retryAfterMs);
      }
      if (error === undefined) {
        return;
      }
      lastProblem = error;
      if (effect === 'pause' || rejectedInARow >= maxRejectedInARow) {
        trip({ by: 'provider', error });
      } else if (unclearInARow >= maxUnclearInARow) {
        trip({ by: 'program', error: unclearPause });
      }
    },
    /** Whether the last result was unclear: the campaign then continues with one request at a time. */
    isProbing: () => unclearInARow > 0,
    trip,
    isTripped: () => pause !== undefined,
    /** How often the circuit breaker has tripped. */
    get trips() {
      return trips;
    },
    /** Returns why the campaign pauses and resets the breaker; undefined when it is not tripped. */
    takePause(): CampaignPause | undefined {
      const taken = pause;
      if (taken !== undefined) {
        pause = undefined;
        unclearInARow = 0;
        rejectedInARow = 0;
      }
      return taken;
    },
    lastProblem: () => lastProblem,
  };
}

/** Collects the responses' effects on the pace until they are stored. */
export function createPaceSignals() {
  let successes = 0;
  let backOff: PaceSignals['backOff'];

  /** Of two waits that the provider asks for, the longer one counts. */
  function addBackOff({ retryAfterMs }: NonNullable<PaceSignals['backOff']>): void {
    const waits = [retryAfterMs, backOff?.retryAfterMs].filter((wait) => wait !== undefined);
    backOff = { retryAfterMs: waits.length === 0 ? undefined : Math.max(...waits) };
  }

  return {
    recordSuccess(): void {
      successes += 1;
    },
    backOff: (retryAfterMs: number | undefined) => addBackOff({ retryAfterMs }),
    /** Returns the gathered signals, and forgets them. */
    take(): PaceSignals {
      const taken = { successes, backOff };
      successes = 0;
      backOff = undefined;
      return taken;
    },
    /** Puts back what could not be stored. */
    putBack(signals: PaceSignals): void {
      successes += signals.successes;
      if (signals.backOff !== undefined) {
        addBackOff(signals.backOff);
      }
    },
  };
}
