import type { App } from '@slack/bolt';
import type { Log } from '../../../lib/log.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import { channelActions, channelNoteActions } from '../../block-kit/descriptions/channel-note.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { Channels } from '../../client/channels.ts';
import type { Authorizer } from '../authorization/authorize.ts';
import { createChannelCheck } from '../forms/channel-check.ts';
import { createClosedForms, openAgainAction } from '../forms/closed-forms.ts';
import type {
  ActionRequest,
  ClosedRequest,
  CommandRequest,
  HomeRequest,
  OptionsRequest,
  OptionsResponse,
  SubmissionRequest,
  SubmissionResponse,
} from '../requests.ts';
import type { CommandSyntax } from '../unknown-subcommand.ts';
import { onAction } from './action.ts';
import { onClosed } from './closed.ts';
import { onCommand } from './command.ts';
import { onHome } from './home.ts';
import { onOptions } from './options.ts';
import { createRequestContext, type RequestContext, type RequestKind } from './request-context.ts';
import { onShortcut } from './shortcut.ts';
import { onSubmission } from './submission.ts';

/**
 * Routes Slack's requests to the features. Each request is acknowledged before anything slow, its user is authorized, and
 * any error a handler throws is shown to the user where they are.
 */
export interface Router {
  /** @param syntax a text that it does not know is answered without `handle`; by default all texts are handled */
  command(
    name: string,
    handle: (request: CommandRequest) => Promise<void>,
    help: () => SlackMessage,
    syntax?: CommandSyntax,
  ): void;
  submission(callbackId: string, handle: (request: SubmissionRequest) => Promise<SubmissionResponse>): void;
  action(actionId: string, handle: (request: ActionRequest) => Promise<void>): void;
  options(actionId: string, handle: (request: OptionsRequest) => Promise<OptionsResponse>): void;
  /** A message shortcut. */
  shortcut(callbackId: string, handle: (request: CommandRequest) => Promise<void>): void;
  /** Called when a user closes a modal made with `notifyOnClose`. Nothing can be shown to them there. */
  closed(callbackId: string, handle: (request: ClosedRequest) => Promise<void>): void;
  /** Called when a user opens the app's Home. */
  home(handle: (request: HomeRequest) => Promise<void>): void;
  /** Resolves when every request received so far is done. */
  settled(): Promise<void>;
}

export function createRouter(options: {
  app: App;
  authorizer: Authorizer;
  log: Log;
  timers: Timers;
  commandPrefix: string;
  /** Of the data, see `withEpoch`. */
  epoch: string;
  /** Called with each request's kind, for the metrics. */
  count: (kind: RequestKind) => void;
  /** Sends a user a direct message from the app. */
  message: (workspaceId: string, userId: string, content: SlackMessage) => Promise<void>;
  channels: Channels;
}): Router {
  const inFlight = new Set<Promise<void>>();
  const closedForms = createClosedForms(options.message);
  const channelCheck = createChannelCheck(options.channels);
  const context = createRequestContext({ ...options, inFlight, closedForms, channelCheck });
  onAction(context, openAgainAction, closedForms.openAgain);
  registerChannelFields(context, options.channels);
  return {
    command: (name, handle, help, syntax) => onCommand(context, name, handle, help, syntax),
    submission: (callbackId, handle) => onSubmission(context, callbackId, handle),
    action: (actionId, handle) => onAction(context, actionId, handle),
    options: (actionId, handle) => onOptions(context, actionId, handle),
    shortcut: (callbackId, handle) => onShortcut(context, callbackId, handle),
    closed: (callbackId, handle) => onClosed(context, callbackId, handle),
    home: (handle) => onHome(context, handle),
    settled: async () => {
      await Promise.allSettled(inFlight);
    },
  };
}

/** The fields for a channel, of every form: the router checks what was picked after each action in a modal. */
function registerChannelFields(context: RequestContext, channels: Channels): void {
  for (const actionId of Object.values(channelActions)) {
    onAction(context, actionId, async () => {});
  }
  onAction(context, channelNoteActions.invite, ({ user, value }) => channels.join(user.workspaceId, value));
  onAction(context, channelNoteActions.checkAgain, async ({ user, value }) =>
    channels.forget(user.workspaceId, value),
  );
}
