import type { Permission } from '../../../domain/access/roles.ts';
import { channelActions, channelNoteActions } from '../../block-kit/descriptions/channel-note.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { Channels } from '../../client/channels.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { type ClosedForms, openAgainAction } from '../forms/closed-forms.ts';
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
import { type CommandRule, onCommand } from './command.ts';
import { onHome } from './home.ts';
import { onOptions } from './options.ts';
import { createRequestContext, type RouterParts } from './request-context.ts';
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
    rule: CommandRule,
    handle: (request: CommandRequest) => Promise<void>,
    help: () => SlackMessage,
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
   * it ends only what is their own.
   */
  closed(callbackId: string, handle: (request: ClosedRequest) => Promise<void>): void;
  /** Called when a user opens the app's Home. */
  home(needed: Permission, handle: (request: HomeRequest) => Promise<void>): void;
  /** Resolves when every request received so far is done. */
  settled(): Promise<void>;
}

export function createRouter(slack: SlackContext, parts: RouterParts): Router {
  const context = createRequestContext(slack, parts);
  const router: Router = {
    command: (...rest) => onCommand(context, ...rest),
    submission: (...rest) => onSubmission(context, ...rest),
    action: (...rest) => onAction(context, ...rest),
    options: (...rest) => onOptions(context, ...rest),
    shortcut: (...rest) => onShortcut(context, ...rest),
    closed: (...rest) => onClosed(context, ...rest),
    home: (...rest) => onHome(context, ...rest),
    settled: context.settled,
  };
  registerForms(router, context);
  return router;
}

/**
 * What every form has: it is offered again after an error, and has fields for a channel. The router checks what was picked
 * there after each action in a modal.
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
