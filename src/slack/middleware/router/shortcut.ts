import type { Permission } from '../../../domain/access/roles.ts';
import { errorMessage } from '../errors.ts';
import { readableText } from '../readable-text.ts';
import type { CommandRequest } from '../requests.ts';
import { createReply } from './command.ts';
import type { RequestContext } from './request-context.ts';
import { openView } from './views.ts';

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
      const threadTs: unknown = shortcut.message.thread_ts;
      const reply = createReply(respond, typeof threadTs === 'string' ? { thread_ts: threadTs } : {});
      try {
        await handle({
          user: await admit(context.teamId, shortcut.user.id, needed),
          text: readableText(shortcut.message),
          channelId: shortcut.channel.id,
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
