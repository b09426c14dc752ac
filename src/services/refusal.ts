import type { ReachedLimit } from '../domain/limits/reached-limit.ts';
import type { Outcome, ProviderError } from '../provider/errors.ts';

/** Why something was not done. Nothing of it was sent, bought or stored. */
export type RefusalReason =
  /** No provider key is connected. */
  | { kind: 'not_connected' }
  /** A limit was reached. The same can be asked for again. */
  | { kind: 'limited'; limit: ReachedLimit }
  /** The provider did not answer, or not with what was asked for. */
  | { kind: 'failed'; error: ProviderError }
  /** The user cancelled it before it began. `of`: the kind of the operation. It is never performed. */
  | { kind: 'cancelled'; of: string }
  /** It has expired, or is another person's. `link`: to opt out. */
  | { kind: 'gone'; what: 'draft' | 'upload' | 'link' }
  /** The draft has a fault, see `findFaults`. */
  | { kind: 'incomplete' }
  /** Codes are no longer sent by email here. */
  | { kind: 'no_email_configuration' }
  /** Slack did not say whether the person who asked for approval may still do it. */
  | { kind: 'person_unknown' }
  /** The provider did not say whether the price is still what approval was asked for. */
  | { kind: 'unavailable' }
  /** The provider did not say what something costs now. */
  | { kind: 'price_unknown'; error: ProviderError };

type ReasonOf<Kind> = Extract<RefusalReason, { kind: Kind }>;

/** Thrown where a request is refused. Who shows it says why, see `explainRefusal`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;
  readonly nothingDone: string;

  /** @param nothingDone what did not happen, where that is known: *Nothing was sent.* */
  constructor(reason: RefusalReason, nothingDone = '') {
    super(reason.kind);
    this.reason = reason;
    this.nothingDone = nothingDone;
  }
}

/** Returns what the provider answered. Throws a Refusal where it did not accept the request. */
export function accepted<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'accepted') {
    throw new Refusal({ kind: 'failed', error: outcome.error });
  }
  return outcome.value;
}

/** Returns a handler for `catch`, for who goes on in another way after refusals of these kinds. */
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
