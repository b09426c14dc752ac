import type { UserAction, UserActionResult } from '../protocol.ts';
import type { AppRequest, AppResponse } from '../transport/transport.ts';

/** Thrown for what a person could not do: press a button that is not there, write where they are not. */
export class UserActionError extends Error {
  override readonly name = 'UserActionError';
}

/** A action that the app is to be told of. */
interface Telling {
  request: AppRequest;
  /** Does what Slack does with the app's answer; what it says is the trouble it shows. */
  settle: (answer: AppResponse) => string | undefined;
}

/** What comes of a action: a request to the app, or nothing for it to know. */
export type PreparedAction = Telling | UserActionResult;

/** The action of one name. */
export type ActionOf<Name extends UserAction['do']> = Extract<UserAction, { do: Name }>;

/** The outcome of a action that the app was not told of. */
export function notDelivered(trouble?: string): UserActionResult {
  return { status: 0, answer: null, milliseconds: 0, ...(trouble !== undefined && { trouble }) };
}
