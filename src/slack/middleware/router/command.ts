import type { RespondFn } from '@slack/bolt';
import type { SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { errorMessage, errorView, UserError } from '../errors.ts';
import type { CommandRequest, ReplaceView } from '../requests.ts';
import { openView, type RequestContext } from './request-context.ts';

/** In characters. A thousand numbers fit. */
const maxTyped = 20_000;

/** A slash command. Its `help` is the acknowledgement itself where the person is known already. */
export function onCommand(
  requestContext: RequestContext,
  name: string,
  handle: (call: CommandRequest) => Promise<void>,
  help: () => SlackMessage,
): void {
  const { dispatch, authorizer, commandPrefix, authorize, trackRequest, requestIdOf, reportError } =
    requestContext;
  const helpMessage = help();
  dispatch.command(`/${commandPrefix}${name}`, ({ command, context, ack, respond, client }) =>
    trackRequest('command', async () => {
      const wantsHelp = command.text.trim().toLowerCase() === 'help';
      if (wantsHelp && authorizer.cached(command.user_id)?.allowed) {
        await ack({ response_type: 'ephemeral', ...helpMessage });
        return;
      }
      await ack();
      const reply = replaceable(respond);
      let replace: ReplaceView | undefined;
      try {
        const user = await authorize(context.teamId, command.user_id);
        if (wantsHelp) {
          await reply(helpMessage);
          return;
        }
        if (command.text.length > maxTyped) {
          throw new UserError(
            mrkdwn`This is too long for a command: up to ${maxTyped.toLocaleString('en')} characters. Nothing was done.`,
          );
        }
        await handle({
          user,
          text: command.text,
          channelId: command.channel_id,
          requestId: requestIdOf(command.trigger_id),
          reply,
          open: async (view) => {
            replace = await openView(requestContext, client, 'views.open', command.trigger_id, view);
            return replace;
          },
        });
      } catch (error) {
        await reportError(error, async (text) => {
          const isShown = await replace?.(errorView(text));
          if (!isShown) {
            await reply(errorMessage(text));
          }
        });
      }
    }),
  );
}

/** The first reply stands where the person acted; the next ones take its place, so that the person sees one. */
export function replaceable(
  respond: RespondFn,
  thread: { thread_ts?: string } = {},
): (message: SlackMessage) => Promise<void> {
  let replied = false;
  return async (message) => {
    await respond({ response_type: 'ephemeral', replace_original: replied, ...thread, ...message });
    replied = true;
  };
}
