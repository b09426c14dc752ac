import type { HomeView } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import { StoreError } from '../../../store/engine/errors.ts';
import { section } from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { channelActions, channelNoteActions } from '../../block-kit/descriptions/channel-note.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { plain, renderFor } from '../../block-kit/text.ts';
import type { Channels } from '../../client/channels.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { explainError } from '../errors.ts';
import { type ClosedForms, openAgainAction } from '../forms/form-memory.ts';
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
import { type CommandRule, onCommand, onShortcut } from './command.ts';
import { createRequestContext, type RequestContext, type RouterDeps } from './request-context.ts';
import { onSubmission } from './submission.ts';
import { type RoutedTool, routeTool, type Tool } from './tool.ts';
import { readMetadata } from './views.ts';

/**
 * Routes Slack's requests to the features. Each request is acknowledged before anything slow, its user is authorized, and
 * any error a handler throws is shown to the user where they are.
 */
export interface Router {
  /** @param syntax a text that it does not know is answered without `handle`; by default all texts are handled */
  command(
    name: string,
    rule: CommandRule,
    handle: (request: CommandRequest) => Promise<void>,
    help: (permissions: ReadonlySet<Permission>) => SlackMessage,
    syntax?: CommandSyntax,
  ): void;
  submission(
    callbackId: string,
    needed: Permission,
    handle: (request: SubmissionRequest) => Promise<SubmissionResponse>,
  ): void;
  action(actionId: string, needed: Permission, handle: (request: ActionRequest) => Promise<void>): void;
  options(
    actionId: string,
    needed: Permission,
    handle: (request: OptionsRequest) => Promise<OptionsResponse>,
  ): void;
  /** A message shortcut. */
  shortcut(callbackId: string, needed: Permission, handle: (request: CommandRequest) => Promise<void>): void;
  /**
   * Called when a user closes a modal made with `notifyOnClose`. Nothing can be shown to them there, and nobody is refused:
   * it may only end the user's own requests.
   */
  closed(callbackId: string, handle: (request: ClosedRequest) => Promise<void>): void;
  /** Called when a user opens the app's Home. */
  home(needed: Permission, handle: (request: HomeRequest) => Promise<void>): void;
  /** A tool of Slackbot. */
  tool(tool: Tool): void;
  /** Resolves when every request received so far is done. */
  settled(): Promise<void>;
}

/** `tools`: those that were registered, to be called over MCP. */
export function createRouter(
  slack: SlackContext,
  deps: RouterDeps,
): Router & { tools: readonly RoutedTool[] } {
  const context = createRequestContext(slack, deps);
  const tools: RoutedTool[] = [];
  const router = {
    command: (...rest) => onCommand(context, ...rest),
    submission: (...rest) => onSubmission(context, ...rest),
    action: (...rest) => onAction(context, ...rest),
    options: (...rest) => onOptions(context, ...rest),
    shortcut: (...rest) => onShortcut(context, ...rest),
    closed: (...rest) => onClosed(context, ...rest),
    home: (...rest) => onHome(context, ...rest),
    tool: (tool) => void tools.push(routeTool(context, tool)),
    settled: context.settled,
    tools,
  } satisfies Router & { tools: readonly RoutedTool[] };
  registerForms(router, context);
  return router;
}

/**
 * Actions of every form: opening it again after an error, and fields for a channel, whose choice the router checks
 * after each action in a modal.
 */
export function registerForms(
  router: Pick<Router, 'action'>,
  { closedForms, channels }: { closedForms: Pick<ClosedForms, 'openAgain'>; channels: Channels },
): void {
  router.action(openAgainAction, 'use', closedForms.openAgain);
  for (const actionId of Object.values(channelActions)) {
    router.action(actionId, 'use', async () => {});
  }
  router.action(channelNoteActions.invite, 'use', ({ user, value }) =>
    channels.join(user.workspaceId, value),
  );
  router.action(channelNoteActions.checkAgain, 'use', async ({ user, value }) =>
    channels.forget(user.workspaceId, value),
  );
}

/** A user opens the app's Home. Slack: app_home_opened. */
function onHome(
  { app, clients, authorize, trackRequest, reportError }: RequestContext,
  needed: Permission,
  handle: (request: HomeRequest) => Promise<void>,
): void {
  app.event('app_home_opened', ({ event, context }) =>
    trackRequest('home', async () => {
      if (event.tab !== 'home') {
        return;
      }
      const publish = async (view: HomeView) => {
        const client = await clients.for(context.teamId ?? '');
        await client.views.publish({ user_id: event.user, view });
      };
      try {
        await handle({ user: await authorize(context.teamId, event.user, needed), publish });
      } catch (error) {
        await reportError(error, (text) => publish(clampView({ type: 'home', blocks: [section(text)] })), {
          workspaceId: context.teamId,
          userId: event.user,
        });
      }
    }),
  );
}

/** The options of a searched select. It has nowhere to show an error, so it offers none after one. */
function onOptions(
  { dispatch, log, admit, trackRequest }: RequestContext,
  actionId: string,
  needed: Permission,
  handle: (request: OptionsRequest) => Promise<OptionsResponse>,
): void {
  dispatch.options(actionId, ({ body, context, ack }) =>
    trackRequest('options', async () => {
      let response: OptionsResponse = { options: [] };
      try {
        const user = await admit(context.teamId, body.user.id, needed);
        response = await handle({ user, query: body.value });
      } catch (error) {
        explainError(error, log);
      }
      const { options, note } = response;
      const shown = renderFor('person', options);
      await ack(
        note === undefined || shown.length === 0
          ? { options: shown }
          : { option_groups: [{ label: plain(note), options: shown }] },
      );
    }),
  );
}

/**
 * A user closes a modal. Slack: view_closed. Acknowledged at the end, as nobody waits for the answer. The user is not
 * authorized, so that no failure of Slack's keeps a *Cancel* from working: it may only end the user's own requests.
 */
function onClosed(
  { dispatch, log, trackRequest }: RequestContext,
  callbackId: string,
  handle: (request: ClosedRequest) => Promise<void>,
): void {
  dispatch.closed(callbackId, ({ view, body, context, ack }) =>
    trackRequest('closed', async () => {
      try {
        if (context.teamId === undefined) {
          throw new Error('Slack did not say in which workspace');
        }
        await handle({
          user: { workspaceId: context.teamId, userId: body.user.id },
          metadata: readMetadata(view.private_metadata),
        });
      } catch (error) {
        // What was open before the data was restored is void already.
        if (!(error instanceof StoreError) || error.fault !== 'outdated') {
          log.error({ err: error, callbackId }, 'the work of a closed form could not be cancelled');
        }
      }
      await ack();
    }),
  );
}
