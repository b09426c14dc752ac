import type { JsonObject } from '../../lib/json.ts';
import type { SlackState } from '../slack.ts';
import type { Arguments } from './arguments.ts';

/** One method of the Web API. */
export interface Method {
  /** The scope the bot's token needs. Several: any one of them is enough. */
  scopes?: string[];
  /** Whose token it takes; the bot's unless it says otherwise. */
  token?: 'app' | 'none';
  /** What is answered beside `ok: true`; throws ApiError. */
  run: (slack: SlackState, args: Arguments) => JsonObject;
}

export type Methods = Record<string, Method>;
