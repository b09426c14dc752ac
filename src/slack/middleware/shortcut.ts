import { readableText } from '../block-kit/message-text.ts';
import type { CommandCall } from './calls.ts';
import { replaceable } from './command.ts';
import { troubleMessage } from './errors.ts';
import { openView, type Reception } from './reception.ts';

/** A message shortcut. Unlike commands, these work in threads. */
export function onShortcut(
  reception: Reception,
  callbackId: string,
  handle: (call: CommandCall) => Promise<void>,
): void {
  const { dispatch, admit, take, requestIdOf, tellTrouble } = reception;
  dispatch.shortcut(callbackId, ({ shortcut, context, ack, respond, client }) =>
    take('shortcut', async () => {
      await ack();
      const threadTs: unknown = shortcut.message.thread_ts;
      const reply = replaceable(respond, typeof threadTs === 'string' ? { thread_ts: threadTs } : {});
      try {
        await handle({
          asker: await admit(context.teamId, shortcut.user.id),
          text: readableText(shortcut.message),
          channelId: shortcut.channel.id,
          requestId: requestIdOf(shortcut.trigger_id),
          reply,
          open: (view) => openView(reception, client, 'views.open', shortcut.trigger_id, view),
        });
      } catch (error) {
        await tellTrouble(error, (text) => reply(troubleMessage(text)));
      }
    }),
  );
}
