import type { RespondFn } from '@slack/bolt';
import type { Permission } from '../../../domain/access/roles.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import { contactsLine } from '../../block-kit/contacts-line.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { errorMessage, errorView, UserError } from '../errors.ts';
import type { CommandRequest, ReplaceView } from '../requests.ts';
import { type CommandSyntax, refuseUnknown } from '../unknown-subcommand.ts';
import type { RequestContext } from './request-context.ts';
import { sendResponse } from './send-response.ts';
import { openView } from './views.ts';

/** What a command needs: the same whatever is typed after it, or by that text. Its help needs `use`. */
export type CommandRule = Permission | ((text: string) => Permission);

/** In characters. A thousand numbers fit. */
const maxLength = 20_000;

/** How long the acknowledgement waits for who asks for help, where the database is slow. Slack waits for 3 s. */
const recallMs = 1_000;

/** A slash command. For a user who is known already, `help` is the acknowledgement itself. */
export function onCommand(
  requestContext: RequestContext,
  name: string,
  rule: CommandRule,
  handle: (request: CommandRequest) => Promise<void>,
  help: () => SlackMessage,
  syntax?: CommandSyntax,
): void {
  const { dispatch, recall, admit, timers, settings, trackRequest, requestIdOf, reportError } =
    requestContext;
  const { text, blocks } = help();
  const helpMessage = { text, blocks: [...blocks, ...contactsLine(settings.contacts)] };
  const typed = `/${settings.commandPrefix}${name}`;
  dispatch.command(typed, ({ command, context, ack, respond }) =>
    trackRequest('command', async () => {
      const wantsHelp = command.text.trim().toLowerCase() === 'help';
      const known = wantsHelp
        ? await withTimeout(recall(context.teamId, command.user_id), recallMs, () => undefined, timers)
        : undefined;
      if (known?.permissions.has('use')) {
        await ack({ response_type: 'ephemeral', ...helpMessage });
        return;
      }
      await ack();
      const reply = createReply(respond);
      let replace: ReplaceView | undefined;
      try {
        await admit(context.teamId, command.user_id, 'use');
        if (wantsHelp) {
          await reply(helpMessage);
          return;
        }
        if (command.text.length > maxLength) {
          throw new UserError(
            mrkdwn`This is too long for a command: up to ${maxLength.toLocaleString('en')} characters.`,
          );
        }
        const refused = syntax && refuseUnknown(typed, command.text, syntax);
        if (refused !== undefined) {
          await reply(refused);
          return;
        }
        const needed = typeof rule === 'function' ? rule(command.text) : rule;
        await handle({
          user: await admit(context.teamId, command.user_id, needed),
          text: command.text,
          channelId: command.channel_id,
          requestId: requestIdOf(command.trigger_id),
          reply,
          open: async (view) => {
            replace = await openView(
              requestContext,
              context.teamId ?? '',
              'views.open',
              command.trigger_id,
              view,
            );
            return replace;
          },
        });
      } catch (error) {
        const show = async (text: Markup) => {
          const isShown = await replace?.(errorView(text));
          if (!isShown) {
            await reply(errorMessage(text));
          }
        };
        await reportError(error, show, { workspaceId: context.teamId, userId: command.user_id });
      }
    }),
  );
}

/** The first reply is shown where the user acted; each further one replaces it, so that the user sees one. */
export function createReply(
  respond: RespondFn,
  thread: { thread_ts?: string } = {},
): (message: SlackMessage) => Promise<void> {
  let replied = false;
  return async (message) => {
    const options = { response_type: 'ephemeral', replace_original: replied, ...thread } as const;
    await sendResponse(respond, { ...options, ...message });
    replied = true;
  };
}
