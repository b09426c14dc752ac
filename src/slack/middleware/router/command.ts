import type { AllMiddlewareArgs, RespondFn, SlackCommandMiddlewareArgs } from '@slack/bolt';
import type { Permission } from '../../../domain/access/roles.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import { contactsLine } from '../../block-kit/descriptions/workspace.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { forReaders } from '../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { errorMessage, errorView, UserError } from '../errors.ts';
import { hasCutFile, readableText, typedText, unnamedUsers } from '../message-text.ts';
import type { CommandRequest, ReplaceView } from '../requests.ts';
import { type CommandSyntax, refuseUnknown } from '../unknown-subcommand.ts';
import type { RequestContext } from './request-context.ts';
import { openView, sendResponse } from './views.ts';

/** What a command needs: the same whatever is typed after it, or by that text. Its help needs `use`. */
export type CommandRule = Permission | ((text: string) => Permission);

/** In characters. A thousand numbers fit. */
const maxLength = 20_000;

/** A command that mentions more is data. */
const maxAskedUsers = 20;

/** How long a command waits for a user's permissions or name if the database or Slack is slow. Slack waits for 3 s. */
const recallMs = 1_000;

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;

/** A command that is registered. `name` is as it is typed. */
interface Command {
  name: string;
  rule: CommandRule;
  handle: (request: CommandRequest) => Promise<void>;
  /** What a user with these permissions can do by it. */
  help: (permissions: ReadonlySet<Permission>) => SlackMessage;
  syntax: CommandSyntax | undefined;
}

/** A slash command. For a user who is known already, `help` is the acknowledgement itself. */
export function onCommand(
  requestContext: RequestContext,
  name: string,
  rule: CommandRule,
  handle: (request: CommandRequest) => Promise<void>,
  help: Command['help'],
  syntax?: CommandSyntax,
): void {
  const { dispatch, recall, timers, settings, trackRequest } = requestContext;
  const command: Command = {
    name: `/${settings.commandPrefix}${name}`,
    rule,
    handle,
    help(permissions) {
      const { text, blocks } = help(permissions);
      return { text, blocks: [...blocks, ...contactsLine(settings.contacts)] };
    },
    syntax,
  };
  dispatch.command(command.name, (args) =>
    trackRequest('command', async () => {
      const { ack, context } = args;
      const { user_id } = args.command;
      const known = wantsHelp(args)
        ? await withTimeout(recall(context.teamId, user_id), recallMs, () => undefined, timers)
        : undefined;
      if (known?.permissions.has('use')) {
        const answer = forReaders('person', command.help(known.permissions));
        await ack({ response_type: 'ephemeral', ...answer });
        return;
      }
      await ack();
      await answerCommand(requestContext, args, command);
    }),
  );
}

function wantsHelp({ command }: CommandArgs): boolean {
  return command.text.trim().toLowerCase() === 'help';
}

async function answerCommand(
  requestContext: RequestContext,
  args: CommandArgs,
  { name, rule, handle, help, syntax }: Command,
): Promise<void> {
  const { admit, requestIdOf, reportError, userName, timers } = requestContext;
  const { command, context, respond } = args;
  const { user_id: userId, trigger_id: triggerId } = command;
  const reply = createReply(respond);
  let replace: ReplaceView | undefined;
  try {
    const { permissions } = await admit(context.teamId, userId, 'use');
    const isHelp = wantsHelp(args);
    if (!isHelp && command.text.length > maxLength) {
      throw new UserError(
        mrkdwn`This is too long for a command: up to ${maxLength.toLocaleString('en')} characters.`,
      );
    }
    const named = unnamedUsers(command.text)
      .slice(0, maxAskedUsers)
      .map(async (id) => {
        const asked = userName(context.teamId ?? '', id);
        return [id, await withTimeout(asked, recallMs, () => undefined, timers)] as const;
      });
    const text = typedText(command.text, new Map(await Promise.all(named)));
    const answer = isHelp ? help(permissions) : syntax && refuseUnknown(name, text, syntax);
    if (answer !== undefined) {
      await reply(answer);
      return;
    }
    await handle({
      user: await admit(context.teamId, userId, typeof rule === 'function' ? rule(text) : rule),
      text,
      channelId: command.channel_id,
      requestId: requestIdOf(triggerId),
      reply,
      open: async (view) => {
        replace = await openView(requestContext, context.teamId ?? '', 'views.open', triggerId, view);
        return replace;
      },
    });
  } catch (error) {
    const show = async (markup: Markup) => {
      const isShown = await replace?.(errorView(markup));
      if (!isShown) {
        await reply(errorMessage(markup));
      }
    };
    await reportError(error, show, { workspaceId: context.teamId, userId });
  }
}

/** The first reply is shown where the user acted; each further one replaces it, so that the user sees one. */
function createReply(
  respond: RespondFn,
  thread: { thread_ts?: string } = {},
): (message: SlackMessage) => Promise<void> {
  let replied = false;
  return async (message) => {
    const options = { response_type: 'ephemeral', replace_original: replied, ...thread } as const;
    await sendResponse(respond, { ...options, ...forReaders('person', message) });
    replied = true;
  };
}

/** A message shortcut. Unlike commands, these work in threads. */
export function onShortcut(
  requestContext: RequestContext,
  callbackId: string,
  needed: Permission,
  handle: (request: CommandRequest) => Promise<void>,
): void {
  const { dispatch, admit, trackRequest, requestIdOf, reportError } = requestContext;
  dispatch.shortcut(callbackId, ({ shortcut, context, ack, respond }) =>
    trackRequest('shortcut', async () => {
      await ack();
      const { ts, thread_ts: inThread }: { ts: string; thread_ts?: unknown } = shortcut.message;
      const reply = createReply(respond, typeof inThread === 'string' ? { thread_ts: inThread } : {});
      try {
        await handle({
          user: await admit(context.teamId, shortcut.user.id, needed),
          text: readableText(shortcut.message),
          isCut: hasCutFile(shortcut.message),
          channelId: shortcut.channel.id,
          threadTs: typeof inThread === 'string' ? inThread : ts,
          requestId: requestIdOf(shortcut.trigger_id),
          reply,
          open: (view) =>
            openView(requestContext, context.teamId ?? '', 'views.open', shortcut.trigger_id, view),
        });
      } catch (error) {
        await reportError(error, (text) => reply(errorMessage(text)), {
          workspaceId: context.teamId,
          userId: shortcut.user.id,
        });
      }
    }),
  );
}
