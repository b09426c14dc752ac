import type { CampaignPause } from '../../../store/campaigns/campaigns.ts';
import type { SendClassification } from './classify-send-result.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** What the answers to a campaign's requests mean together: how fast it goes on, and when it pauses. */
export interface CircuitBreaker {
  /** A request leaves. Gives its place among all of them, for `answered`. */
  left(): number;
  answered(verdict: SendClassification, place: number): void;
  /** Whether the latest answer was not clear: then it is tried with one request at a time. */
  isUnclear(): boolean;
  /** Has it pause, unless there is a reason to already. */
  pauseFor(pause: CampaignPause): void;
  isPausing(): boolean;
  /** Gives why it is to pause, once; what was in a row until then is forgotten. */
  takePause(): CampaignPause | undefined;
  /** Why it waits, or waited last; for a person. */
  trouble(): string | undefined;
}

/** So many in a row, and it is not the recipients': it pauses, rather than lose all of them the same way. */
const mostUnclear = 5;
const mostRefused = 20;

const unclearPause = {
  reason: 'unclear_answers',
  message:
    `The provider gave no clear answer ${mostUnclear} times in a row, so the campaign waits. What it was sent is ` +
    'unconfirmed and will not be sent again by itself. See whether the provider is well, then resume.',
};

export function createCircuitBreaker(pace: RateLimiter): CircuitBreaker {
  const inARow = { unclear: 0, refused: 0 };
  /** Requests so far, and how many of them when an unclear answer was last counted. */
  let sent = 0;
  let sentAtUnclear = 0;
  let pausing: CampaignPause | undefined;
  let trouble: string | undefined;

  function pauseFor(pause: CampaignPause): void {
    pausing ??= pause;
  }

  return {
    left() {
      sent += 1;
      return sent - 1;
    },
    answered({ ending: { error }, next, pause, trouble: found }, place) {
      if (next !== 'unclear') {
        inARow.unclear = 0;
      } else if (inARow.unclear === 0 || place >= sentAtUnclear) {
        // Those in flight together are cut off together: that is one trouble.
        inARow.unclear += 1;
        sentAtUnclear = sent;
      }
      inARow.refused = next === 'refused' ? inARow.refused + 1 : 0;
      if (next === 'on') {
        pace.wentWell();
      }
      if (next === 'slower' || error?.reason === 'rate_limited') {
        pace.slowDown(pause);
      }
      if (error === undefined) {
        return;
      }
      trouble = found ?? error.message;
      if (next === 'stop' || inARow.refused >= mostRefused) {
        pauseFor({ by: 'provider', error: { ...error, message: trouble } });
      } else if (inARow.unclear >= mostUnclear) {
        pauseFor({ by: 'program', error: unclearPause });
      }
    },
    isUnclear: () => inARow.unclear > 0,
    pauseFor,
    isPausing: () => pausing !== undefined,
    takePause() {
      const pause = pausing;
      if (pause === undefined) {
        return undefined;
      }
      pausing = undefined;
      inARow.unclear = 0;
      inARow.refused = 0;
      return pause;
    },
    trouble: () => trouble,
  };
}
