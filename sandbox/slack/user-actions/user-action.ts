import type { UserAction, UserActions } from '../protocol.ts';
import type { AppAnswer, AppResponse } from '../transport/transport.ts';

/** Thrown for what a person could not do: press a button that is not there, write where they are not. */
export class DeedError extends Error {
  override readonly name = 'DeedError';
}

/** A deed that the app is to be told of. */
interface Telling {
  delivery: AppResponse;
  /** Does what Slack does with the app's answer; what it says is the trouble it shows. */
  settle: (answer: AppAnswer) => string | undefined;
}

/** What comes of a deed: a request to the app, or nothing for it to know. */
export type Prepared = Telling | UserActions;

/** The deed of one name. */
export type DeedOf<Name extends UserAction['do']> = Extract<UserAction, { do: Name }>;

/** The outcome of a deed that the app was not told of. */
export function notTold(trouble?: string): UserActions {
  return { status: 0, answer: null, milliseconds: 0, ...(trouble !== undefined && { trouble }) };
}
