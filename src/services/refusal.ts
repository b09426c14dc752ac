import type { ReachedLimit } from '../domain/limits/reached-limit.ts';
import type { Outcome, ProviderError } from '../provider/errors.ts';
import type { Campaign } from '../store/campaigns/campaigns.ts';

/** Why a request was refused. Nothing was sent, bought or stored. */
export type RefusalReason =
  | { kind: 'not_connected' }
  /** A limit was reached. The same request can be made again. */
  | { kind: 'limited'; limit: ReachedLimit }
  /** The provider didn't answer, or its answer wasn't usable. */
  | { kind: 'failed'; error: ProviderError }
  /** The user cancelled it before it started. `of`: the kind of operation. It is never performed. */
  | { kind: 'cancelled'; of: string }
  /** It has expired, or belongs to another person. `link`: an opt-out link. */
  | {
      kind: 'gone';
      what: 'draft' | 'upload' | 'link' | 'campaign' | 'review' | 'plan' | 'entry' | 'thread' | 'message';
    }
  /** The campaign has changed since the user saw it. */
  | { kind: 'changed'; shownVersion: string; campaign: Pick<Campaign, 'version'> }
  /** All recipients of the campaign were removed. */
  | { kind: 'nobody_left'; campaign: Pick<Campaign, 'counts'> }
  /** The draft has a fault, see `findFaults`. */
  | { kind: 'incomplete' }
  /** An admin has switched off buying eSIMs. */
  | { kind: 'purchases_off' }
  /** This workspace no longer sends codes by email. */
  | { kind: 'no_email_configuration' }
  /** Slack didn't confirm that the person who asked for approval still has permission. */
  | { kind: 'person_unknown' }
  /** The provider didn't confirm that the price is still the one that approval was requested for. */
  | { kind: 'unavailable' }
  /** The provider didn't return the current price. */
  | { kind: 'price_unknown'; error: ProviderError };

type ReasonOf<Kind> = Extract<RefusalReason, { kind: Kind }>;

/** Thrown if a request is refused. The screen explains it, see `explainRefusal`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;
  readonly nothingDone: string;

  /** @param nothingDone what didn't happen, if known: *Nothing was sent.* */
  constructor(reason: RefusalReason, nothingDone = '') {
    super(reason.kind);
    this.reason = reason;
    this.nothingDone = nothingDone;
  }
}

/** Returns `found`. Throws a Refusal if it is undefined. */
export function orGone<T>(found: T | undefined, what: ReasonOf<'gone'>['what']): T {
  if (found === undefined) {
    throw new Refusal({ kind: 'gone', what });
  }
  return found;
}

/** Returns the provider's answer. Throws a Refusal if the request wasn't accepted. */
export function accepted<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'accepted') {
    throw new Refusal({ kind: 'failed', error: outcome.error });
  }
  return outcome.value;
}

/** Returns a `catch` handler that handles these kinds of refusal and rethrows everything else. */
export function ifRefused<Kind extends RefusalReason['kind'], T>(
  kinds: readonly Kind[],
  answer: (reason: ReasonOf<Kind>) => T,
): (error: unknown) => T {
  const isMeant = (reason: RefusalReason): reason is ReasonOf<Kind> =>
    kinds.some((kind) => kind === reason.kind);
  return (error) => {
    if (error instanceof Refusal && isMeant(error.reason)) {
      return answer(error.reason);
    }
    throw error;
  };
}
