import type { BlockElementAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { isSlackError, troubleMessage, troubleView } from '../errors.ts';
import { readValues } from '../values.ts';
import type { ActionCall, Replace } from './calls.ts';
import { closedIsFine, openView, type Reception, readMetadata, replacing } from './reception.ts';

/** A button pressed, an option chosen, a text typed: in a message, in a modal or in the Home. */
export function onAction(
  reception: Reception,
  actionId: string,
  handle: (call: ActionCall) => Promise<void>,
): void {
  const { dispatch, admit, take, arrive, fillIn, requestIdOf, tellTrouble } = reception;
  dispatch.action(actionId, ({ body, action, context, ack, respond, client }) =>
    take('action', async () => {
      await ack();
      const modal = body.view?.type === 'modal' ? body.view : undefined;
      const values = readValues(modal?.state.values ?? {});
      const isLast = arrive(modal?.id ?? '');
      const push = (content: ModalView) =>
        pushView(reception, client, { triggerId: body.trigger_id, from: modal?.id }, content);
      let replace: Replace | undefined;
      try {
        await handle({
          asker: await admit(context.teamId, body.user),
          value: chosen(action),
          requestId: requestIdOf(body.trigger_id),
          channelId: body.channel?.id,
          view: modal && {
            id: modal.id,
            values,
            filledIn: () => fillIn(modal.id, values),
            metadata: readMetadata(modal.private_metadata),
            replace: (content) => replaceUnlessOvertaken(client, modal, content, isLast),
          },
          replaceMessage: async (message) => {
            await respond({ replace_original: true, ...message });
          },
          open: async (content) => {
            replace = await openView(reception, client, 'views.open', body.trigger_id, content);
            return replace;
          },
          push: async (content) => {
            replace = await push(content);
            return replace;
          },
        });
      } catch (error) {
        await tellTrouble(error, (text) => {
          if (replace !== undefined) {
            return replace(troubleView(text));
          }
          if (modal !== undefined) {
            return push(troubleView(text));
          }
          return body.view === undefined
            ? respond({ response_type: 'ephemeral', replace_original: false, ...troubleMessage(text) })
            : client.views.open({ trigger_id: body.trigger_id, view: troubleView(text) });
        });
      }
    }),
  );
}

/** Three modals at most lie over one another: a fourth takes the place of the one it came from. Slack: views.push. */
async function pushView(
  reception: Reception,
  client: WebClient,
  { triggerId, from }: { triggerId: string; from: string | undefined },
  view: ModalView,
): Promise<Replace> {
  try {
    return await openView(reception, client, 'views.push', triggerId, view);
  } catch (error) {
    if (!isSlackError(error, 'push_limit_reached')) {
      throw error;
    }
    const replace = replacing(reception, client, from);
    await replace(view);
    return replace;
  }
}

/**
 * A person types on, or submits, while an answer to what they did before is under way. Only the answer to the last
 * thing they did may show: the hash tells that the view has changed, `isLast` that this is what should be in it.
 */
async function replaceUnlessOvertaken(
  client: WebClient,
  view: { id: string; hash: string },
  content: ModalView,
  isLast: () => boolean,
): Promise<boolean> {
  if (!isLast()) {
    return false;
  }
  try {
    return await closedIsFine(client.views.update({ view_id: view.id, hash: view.hash, view: content }));
  } catch (error) {
    if (!isSlackError(error, 'hash_conflict')) {
      throw error;
    }
    return isLast() && closedIsFine(client.views.update({ view_id: view.id, view: content }));
  }
}

function chosen(action: BlockElementAction): string {
  switch (action.type) {
    case 'button':
    case 'plain_text_input':
      return action.value ?? '';
    case 'radio_buttons':
    case 'static_select':
    case 'external_select':
      return action.selected_option?.value ?? '';
    case 'conversations_select':
      return action.selected_conversation ?? '';
    default:
      return '';
  }
}
