import type { BlockAction, BlockElementAction } from '@slack/bolt';
import { troubleMessage, troubleView } from '../errors.ts';
import { readValues } from '../values.ts';
import type { ActionCall } from './calls.ts';
import { overtakenIsFine, type Reception, readMetadata } from './reception.ts';

/** A button pressed, an option chosen, a text typed: in a message or in a modal. */
export function onAction(
  { app, admit, take, tellTrouble }: Reception,
  actionId: string,
  handle: (call: ActionCall) => Promise<void>,
): void {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionId },
    ({ body, action, context, ack, respond, client }) =>
      take('action', async () => {
        await ack();
        const { view } = body;
        try {
          await handle({
            asker: await admit(context.teamId, body.user),
            value: chosen(action),
            requestId: body.trigger_id,
            channelId: body.channel?.id,
            view: view && {
              values: readValues(view.state.values),
              metadata: readMetadata(view.private_metadata),
              replace: (content) =>
                overtakenIsFine(client.views.update({ view_id: view.id, hash: view.hash, view: content })),
            },
            replaceMessage: async (message) => {
              await respond({ replace_original: true, ...message });
            },
            open: async (content) => {
              await client.views.open({ trigger_id: body.trigger_id, view: content });
            },
            push: async (content) => {
              await client.views.push({ trigger_id: body.trigger_id, view: content });
            },
          });
        } catch (error) {
          await tellTrouble(error, (text) =>
            view === undefined
              ? respond({ response_type: 'ephemeral', replace_original: false, ...troubleMessage(text) })
              : client.views.push({ trigger_id: body.trigger_id, view: troubleView(text) }),
          );
        }
      }),
  );
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
