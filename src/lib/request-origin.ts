import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Where something is done from. `slack`: Slack itself says so, by an event. `install`: the pages of an installation. `link`: the
 * page of an opt-out link. `reply`: a message that came in. `slackbot`: a tool.
 * `background`: the program, without a request. `terminal`: a command of an operator.
 */
export const requestSurfaces = [
  'command',
  'modal',
  'button',
  'shortcut',
  'home',
  'options',
  'slackbot',
  'slack',
  'install',
  'link',
  'reply',
  'background',
  'terminal',
] as const;
export type RequestSurface = (typeof requestSurfaces)[number];

export interface RequestOrigin {
  surface: RequestSurface;
  /** The Slack user who caused it. */
  userId?: string | undefined;
  /** The Slack channel of the command or of the message, where there is one. */
  channelId?: string | undefined;
}

const origins = new AsyncLocalStorage<RequestOrigin>();

/** Calls `work`. Everything that it does, however late, comes from this origin, unless a nested call says another. */
export function withOrigin<Result>(origin: RequestOrigin, work: () => Result): Result {
  return origins.run(origin, work);
}

/** Returns where the current work comes from: outside of `withOrigin`, from the background. */
export function currentOrigin(): RequestOrigin {
  return origins.getStore() ?? { surface: 'background' };
}
