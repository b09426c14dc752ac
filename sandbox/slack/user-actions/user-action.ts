import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import { UserActionError } from '../errors.ts';
import type { UserAction, UserActionResult } from '../protocol.ts';
import type { AppRequest, AppResponse } from '../transport/transport.ts';

/** An action with a request to the app. */
export interface PreparedRequest {
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

type Fields = Record<string, 'text' | 'text?' | 'flag?' | 'object' | 'object?'>;

const element: Fields = { blockId: 'text', actionId: 'text' };

const FIELDS: Record<UserAction['do'], Fields> = {
  command: { channel: 'text', command: 'text', text: 'text' },
  message: { channel: 'text', text: 'text', threadTs: 'text?' },
  action: { container: 'object', ...element, state: 'object?' },
  fill: { viewId: 'text', ...element, state: 'object' },
  submit: { viewId: 'text' },
  close: { viewId: 'text', all: 'flag?' },
  options: { container: 'object', ...element, query: 'text' },
  shortcut: { callbackId: 'text', message: 'object?', channel: 'text?' },
  home: {},
  tools: {},
  tool: { tool: 'text', input: 'object' },
};

/** Reads an action from the page. Throws UserActionError for anything else. */
export function readUserAction(text: string): UserAction {
  const action = parseJsonText(text);
  if (!isUserAction(action)) {
    throw new UserActionError('The sandbox doesn’t know this action.');
  }
  return action;
}

function isUserAction(value: unknown): value is UserAction {
  const known = isJsonObject(value) && Object.entries(FIELDS).find(([name]) => name === value.do);
  if (!known) {
    return false;
  }
  const fields: Fields = { person: 'text', team: 'text?', ...known[1] };
  return Object.entries(fields).every(([key, kind]) => fits(value[key], kind)) && isContainer(value);
}

function fits(value: unknown, kind: string): boolean {
  if (value === undefined) {
    return kind.endsWith('?');
  }
  if (kind.startsWith('text')) {
    return typeof value === 'string';
  }
  if (kind.startsWith('flag')) {
    return typeof value === 'boolean';
  }
  return isJsonObject(value);
}

function isContainer({ container }: JsonObject): boolean {
  if (!isJsonObject(container)) {
    return container === undefined;
  }
  if (container.type === 'view') {
    return typeof container.viewId === 'string';
  }
  return typeof container.channel === 'string' && typeof container.ts === 'string';
}
