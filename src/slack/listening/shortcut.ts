import type { MessageShortcut } from '@slack/bolt';
import { troubleMessage } from '../errors.ts';
import { readableText } from '../message-text.ts';
import type { ShortcutCall } from './calls.ts';
import { replaceable } from './command.ts';
import { opened, type Reception } from './reception.ts';

/** A message shortcut. Unlike commands, these work in threads. */
export function onShortcut(
  { app, admit, take, tellTrouble }: Reception,
  callbackId: string,
  handle: (call: ShortcutCall) => Promise<void>,
): void {
  app.shortcut<MessageShortcut>(
    { type: 'message_action', callback_id: callbackId },
    ({ shortcut, context, ack, respond, client }) =>
      take('shortcut', async () => {
        await ack();
        const threadTs: unknown = shortcut.message.thread_ts;
        const reply = replaceable(respond, typeof threadTs === 'string' ? { thread_ts: threadTs } : {});
        try {
          await handle({
            asker: await admit(context.teamId, shortcut.user),
            text: readableText(shortcut.message),
            channelId: shortcut.channel.id,
            requestId: shortcut.trigger_id,
            reply,
            open: (view) => opened(client, client.views.open({ trigger_id: shortcut.trigger_id, view })),
          });
        } catch (error) {
          await tellTrouble(error, (text) => reply(troubleMessage(text)));
        }
      }),
  );
}
