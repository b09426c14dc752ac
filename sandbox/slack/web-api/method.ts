import type { JsonObject } from '../../lib/json.ts';
import type { SlackState } from '../slack.ts';
import type { Arguments } from './arguments.ts';

/** One method of the Web API. */
export interface Method {
  /** The scopes, of which the bot token needs one. */
  scopes?: string[];
  /** The kind of token. The bot token by default. */
  token?: 'app' | 'none';
  /** Executes the call and returns the answer without `ok`. Throws ApiError. */
  run: (slack: SlackState, args: Arguments) => JsonObject;
}

export type Methods = Record<string, Method>;
