import type { UserAction, UserActionResult } from '../protocol.ts';
import type { AppRequest, AppResponse } from '../transport/transport.ts';

/** Thrown for an action that the person cannot perform, such as a missing button or a channel without them. */
export class UserActionError extends Error {
  override readonly name = 'UserActionError';
}

/** An action with a request to the app. */
interface PreparedRequest {
  request: AppRequest;
  /** Applies the app's answer as Slack does. Returns the message of a failure. */
  settle: (answer: AppResponse) => string | undefined;
}

/** A request to the app, or the result of an action that the app does not see. */
export type PreparedAction = PreparedRequest | UserActionResult;

/** The user action of one kind. */
export type ActionOf<Name extends UserAction['do']> = Extract<UserAction, { do: Name }>;

/** Creates the result of an action that the app does not see. */
export function notDelivered(trouble?: string): UserActionResult {
  return { status: 0, answer: null, milliseconds: 0, ...(trouble !== undefined && { trouble }) };
}
