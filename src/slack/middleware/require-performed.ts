import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { describeReached } from '../block-kit/descriptions/reached-limit.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import { UserError } from './errors.ts';

/** Says that the workspace's provider key was removed after the form was opened. `nothingDone` is a sentence. */
export function keyRemovedText(nothingDone = ''): Markup {
  return mrkdwn`No provider key is connected any more. ${nothingDone === '' ? '' : `${nothingDone} `}An admin can connect one.`;
}

export function keyRemovedError(nothingDone?: string): UserError {
  return new UserError(keyRemovedText(nothingDone));
}

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
    throw keyRemovedError(nothingDone);
  }
  if (result.kind === 'limited') {
    throw limitedError(result.limit, nothingDone);
  }
  if (result.kind === 'cancelled') {
    throw new UserError(mrkdwn`You cancelled this. ${nothingDone}`, { isFinal: true });
  }
}
