import { type Json, type JsonObject, parseJsonText } from '../../lib/json.ts';
import { ApiError } from '../errors.ts';
import type { Installation } from '../installations/installations.ts';
import type { Slack, SlackState } from '../slack.ts';
import { findView } from '../workspace/views.ts';

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

/** The arguments of a method call: from a form, as texts, or from a JSON body. */
export class Arguments {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    this.#values = values;
  }

  /** All arguments, for the request log. */
  get values(): JsonObject {
    return this.#values;
  }

  /** Returns undefined for a missing or empty argument. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null || value === '') {
      return undefined;
    }
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** Throws `invalid_arguments` for a missing argument. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) {
      throw missing(name);
    }
    return value;
  }

  flag(name: string): boolean {
    return this.text(name) === 'true' || this.text(name) === '1';
  }

  /** Returns a structured argument. Throws `code` for text that is not JSON. */
  json(name: string, code = 'invalid_arguments'): Json | undefined {
    const value = this.#values[name];
    if (typeof value !== 'string') {
      return value;
    }
    if (value === '') {
      return undefined;
    }
    const parsed = parseJsonText(value);
    if (parsed === undefined) {
      throw new ApiError(code, [`[ERROR] must be valid JSON [json-pointer:/${name}]`]);
    }
    return parsed;
  }
}

export function missing(name: string): ApiError {
  return new ApiError('invalid_arguments', [`[ERROR] missing required field: ${name}`]);
}

/**
 * Returns the workspace that a call is about. A token of an enterprise reaches several: `team_id` chooses, else the channel,
 * view, file, group or person that the call names. Throws `team_access_not_granted` for a workspace that the token does not reach.
 */
export function calledIn(reach: SlackState[], { place }: Installation, args: Arguments): SlackState {
  const [first] = reach;
  if (!first) {
    throw new ApiError('team_not_found');
  }
  const team = args.text('team_id');
  if (place.kind === 'workspace') {
    return first;
  }
  if (team !== undefined && team !== place.id) {
    const chosen = reach.find(({ workspace }) => workspace.team.id === team);
    if (!chosen) {
      throw new ApiError('team_access_not_granted');
    }
    return chosen;
  }
  return reach.find((state) => names(state, args)) ?? homeOf(reach, args) ?? first;
}

function names({ workspace, triggers }: SlackState, args: Arguments): boolean {
  const has = (name: string, isThere: (id: string) => boolean): boolean => {
    const id = args.text(name);
    return id !== undefined && isThere(id);
  };
  return (
    has('channel', (id) => workspace.channel(id) !== undefined) ||
    has('channel_id', (id) => workspace.channel(id) !== undefined) ||
    has('view_id', (id) => findView(workspace, id) !== undefined) ||
    has('trigger_id', (id) => triggers.has(id)) ||
    has('file', (id) => workspace.file(id) !== undefined) ||
    has('usergroup', (id) => workspace.userGroups.some((group) => group.id === id))
  );
}

/** Returns the home workspace of the person that a call names, or any one that they are in. */
function homeOf(reach: SlackState[], args: Arguments): SlackState | undefined {
  const id = args.text('user') ?? args.text('user_id') ?? args.text('users') ?? args.text('channel');
  const theirs = reach.filter(({ workspace }) => workspace.person(id) !== undefined);
  return theirs.find(({ workspace }) => workspace.person(id)?.teamId === workspace.team.id) ?? theirs[0];
}

/** The error of a call whose token has none of the needed scopes. */
export function missingScope(needed: string[], provided: string[]): ApiError {
  return new ApiError('missing_scope', [], { needed: needed.join(','), provided: provided.join(',') });
}
