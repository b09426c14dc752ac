import type { BlockElementAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { readFormValues } from '../../block-kit/view-state.ts';
import { isSlackError } from '../../client/slack-errors.ts';
import { errorMessage, errorView } from '../errors.ts';
import { homeWithError, modalWithError } from '../forms/refill-view.ts';
import type { ActionRequest, ReplaceView } from '../requests.ts';
import { openView, type RequestContext, readMetadata, unlessClosed } from './request-context.ts';

/** A button pressed, an option chosen, a text typed: in a message, in a modal or in the Home. */
export function onAction(
  requestContext: RequestContext,
  actionId: string,
  handle: (call: ActionRequest) => Promise<void>,
): void {
  const {
    dispatch,
    authorize,
    trackRequest,
    latestActionGuard,
    rememberFormValues,
    closedForms,
    requestIdOf,
    reportError,
  } = requestContext;
  dispatch.action(actionId, ({ body, action, context, ack, respond, client }) =>
    trackRequest('action', async () => {
      await ack();
      const modal = body.view?.type === 'modal' ? body.view : undefined;
      const values = readFormValues(modal?.state.values ?? {});
      const isLast = latestActionGuard(modal?.id ?? '');
      const replaceView = modal && replacingUnlessOvertaken(client, modal, isLast);
      let opened: { view: ModalView; replace: ReplaceView } | undefined;
      const open = async (method: 'views.open' | 'views.push', content: ModalView) => {
        const replace = await openView(requestContext, client, method, body.trigger_id, content);
        opened = { view: content, replace };
        return replace;
      };
      try {
        await handle({
          user: await authorize(context.teamId, body.user.id),
          value: chosen(action),
          requestId: requestIdOf(body.trigger_id),
          channelId: body.channel?.id,
          view: modal &&
            replaceView && {
              id: modal.id,
              values,
              rememberedValues: () => rememberFormValues(body.user.id, modal.id, values),
              metadata: readMetadata(modal.private_metadata),
              replace: replaceView,
            },
          replaceMessage: async (message) => {
            await respond({ replace_original: true, ...message });
          },
          open: (content) => open('views.open', content),
          async push(content) {
            try {
              return await open('views.push', content);
            } catch (error) {
              // Three modals at most lie over one another (Slack: views.push).
              if (replaceView === undefined || !isSlackError(error, 'view_stack_full')) {
                throw error;
              }
              await replaceView(content);
              return replaceView;
            }
          },
        });
      } catch (error) {
        await reportError(error, async (text) => {
          if (opened !== undefined) {
            if (!(await opened.replace(errorView(text)))) {
              await closedForms.notify(body.user.id, opened.view, text);
            }
            return;
          }
          const above = action.block_id;
          if (modal !== undefined && replaceView !== undefined) {
            // What the person did in it since has its own answer.
            if (!(await replaceView(modalWithError(modal, { text, above }))) && isLast()) {
              await closedForms.notify(body.user.id, modal, text);
            }
            return;
          }
          // Neither takes a trigger, which may be what has expired.
          await (body.view === undefined
            ? respond({ response_type: 'ephemeral', replace_original: false, ...errorMessage(text) })
            : client.views.publish({
                user_id: body.user.id,
                view: homeWithError(body.view, { text, above }),
              }));
        });
      }
    }),
  );
}

/**
 * Replaces a modal until the person types on, or submits: only the answer to the last thing they did there may show. The
 * hash tells that the view has changed since the last replacement, `isLast` that this is what should be in it.
 */
function replacingUnlessOvertaken(
  client: WebClient,
  view: { id: string; hash: string },
  isLast: () => boolean,
): ReplaceView {
  let known: string | undefined = view.hash;
  const update = async (content: ModalView, hash: string | undefined) => {
    const answer = await client.views.update({ view_id: view.id, view: content, ...(hash && { hash }) });
    known = answer.view?.hash;
  };
  return async (content) => {
    if (!isLast()) {
      return false;
    }
    try {
      return await unlessClosed(update(content, known));
    } catch (error) {
      if (!isSlackError(error, 'view_changed')) {
        throw error;
      }
      return isLast() && unlessClosed(update(content, undefined));
    }
  };
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
