import type { RespondFn } from '@slack/bolt';
import type { Message } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { CommandCall, Replace } from './calls.ts';
import { Refusal, troubleMessage, troubleView } from './errors.ts';
import { openView, type Reception } from './reception.ts';

/** In characters. A thousand numbers fit. */
const maxTyped = 20_000;

/** A slash command. Its `help` is the acknowledgement itself where the person is known already. */
export function onCommand(
  reception: Reception,
  name: string,
  handle: (call: CommandCall) => Promise<void>,
  help: () => Message,
): void {
  const { dispatch, people, commandPrefix, admit, take, requestIdOf, tellTrouble } = reception;
  const helpMessage = help();
  dispatch.command(`/${commandPrefix}${name}`, ({ command, context, ack, respond, client }) =>
    take('command', async () => {
      const wantsHelp = command.text.trim().toLowerCase() === 'help';
      if (wantsHelp && people.known(command.user_id)?.allowed) {
        await ack({ response_type: 'ephemeral', ...helpMessage });
        return;
      }
      await ack();
      const reply = replaceable(respond);
      let replace: Replace | undefined;
      try {
        const asker = await admit(context.teamId, command.user_id);
        if (wantsHelp) {
          await reply(helpMessage);
          return;
        }
        if (command.text.length > maxTyped) {
          throw new Refusal(
            mrkdwn`This is too long for a command: up to ${maxTyped.toLocaleString('en')} characters. Nothing was done.`,
          );
        }
        await handle({
          asker,
          text: command.text,
          channelId: command.channel_id,
          requestId: requestIdOf(command.trigger_id),
          reply,
          open: async (view) => {
            replace = await openView(reception, client, 'views.open', command.trigger_id, view);
            return replace;
          },
        });
      } catch (error) {
        await tellTrouble(error, async (text) => {
          const isShown = await replace?.(troubleView(text));
          if (!isShown) {
            await reply(troubleMessage(text));
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
): (message: Message) => Promise<void> {
  let replied = false;
  return async (message) => {
    await respond({ response_type: 'ephemeral', replace_original: replied, ...thread, ...message });
    replied = true;
  };
}
