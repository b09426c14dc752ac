import type { JsonObject } from '../../lib/json.ts';
import type { Installation } from '../installations/installations.ts';
import type { Slack, SlackState } from '../slack.ts';
import type { Arguments } from './arguments.ts';

/** The workspace of a call, and the installation whose token it carries. */
export interface Caller extends SlackState {
  installation: Installation;
  slack: Slack;
}

/** A method that is called with a bot token. */
interface BotMethod {
  token?: undefined;
  /** The scopes, of which the token needs one. */
  scopes?: string[];
  /** Executes the call and returns the answer without `ok`. Throws ApiError. */
  run: (caller: Caller, args: Arguments) => JsonObject;
}

/** A method that is called with the app's own token or with none. */
interface AppMethod {
  token: 'app' | 'none';
  run: (slack: Slack, args: Arguments) => JsonObject;
}

/** One method of the Web API. */
export type Method = BotMethod | AppMethod;
export type Methods = Record<string, Method>;

/** Whether a method is not about a workspace. */
export function isAppMethod(method: Method): method is AppMethod {
  return method.token !== undefined;
}
