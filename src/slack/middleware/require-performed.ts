import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { describeReached } from '../block-kit/descriptions/reached-limit.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { UserError } from './errors.ts';
import { notConnectedError } from './not-connected.ts';

/** Says which limit was reached. The same may be asked for again once it is free. */
export function limitedError(limit: ReachedLimit, nothingDone: string): UserError {
  return new UserError(describeReached(limit, nothingDone));
}

/**
 * Asserts that an operation was performed.
 *
 * @param nothingDone says what did not happen: *Nothing was bought.*
 * @throws UserError if the user cancelled it, a limit was reached, or the workspace has no provider key any more
 */
export function requirePerformed(
  result: { kind: 'performed' | 'cancelled' | 'not_connected' } | { kind: 'limited'; limit: ReachedLimit },
  nothingDone: string,
): asserts result is { kind: 'performed' } {
  if (result.kind === 'not_connected') {
    throw notConnectedError(nothingDone);
  }
  if (result.kind === 'limited') {
    throw limitedError(result.limit, nothingDone);
  }
  if (result.kind === 'cancelled') {
    throw new UserError(mrkdwn`You cancelled this. ${nothingDone}`, { isFinal: true });
  }
}
