import type {
  AllMiddlewareArgs,
  BlockAction,
  BlockElementAction,
  SlackActionMiddlewareArgs,
} from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import { readMenuOption } from '../../block-kit/build.ts';
import { forReaders, message } from '../../block-kit/message.ts';
import type { Markup } from '../../block-kit/text.ts';
import { readChange, readEntered } from '../../block-kit/view-state.ts';
import { readersOf } from '../../client/posting.ts';
import { isSlackError } from '../../client/slack-errors.ts';
import { errorMessage, errorView } from '../errors.ts';
import { homeWithError, modalAsFilledIn, modalWithError, modalWithLine } from '../forms/refill-view.ts';
import type { ActionRequest, ReplaceView, ShowModal } from '../requests.ts';
import type { RequestContext } from './request-context.ts';
import { openView, readMetadata, replaceWhileLatest, sendResponse } from './views.ts';

type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;

/** A button pressed, an option chosen or a text typed: in a message, in a modal or in the Home. */
export function onAction(
  requestContext: RequestContext,
  actionId: string,
  needed: Permission,
  handle: (request: ActionRequest) => Promise<void>,
): void {
  const { dispatch, authorize, trackRequest, rememberFormValues, requestIdOf, reportError } = requestContext;
  dispatch.action(actionId, (args) =>
    trackRequest('action', async () => {
      const { body, action, context, respond } = args;
      await args.ack();
      const modals = createActionModals(requestContext, args);
      const { modal, open, show, push } = modals;
      try {
        const user = await authorize(context.teamId, body.user.id, needed);
        await handle({
          user,
          value: actionValue(action),
          blockId: action.block_id,
          requestId: requestIdOf(body.trigger_id),
          clickedAt: Number(action.action_ts) * 1_000,
          channelId: body.channel?.id,
          view: modal && {
            id: modal.id,
            values: modal.values,
            rememberedValues: () => rememberFormValues(user, modal.id, modal.values),
            metadata: modal.metadata,
            replace: modal.replace,
          },
          replaceMessage: async (message) => {
            const readers =
              body.container.is_ephemeral === true ? 'person' : readersOf(body.channel?.id ?? '');
            await sendResponse(respond, { replace_original: true, ...forReaders(readers, message) });
          },
          showLine: (text) => showLine(args, modals, text),
          open,
          show,
          push,
        });
        await modals.checkChannel();
      } catch (error) {
        const user = { workspaceId: context.teamId, userId: body.user.id };
        await reportError(error, (text) => showError(requestContext, args, modals, text), {
          ...user,
          maySend: true,
        });
      }
    }),
  );
}

type ActionModals = ReturnType<typeof createActionModals>;

/** The modal that the user acted in, if any, and those that the action opens. */
function createActionModals(requestContext: RequestContext, { body, action, context }: ActionArgs) {
  const { latestActions, channelCheck, log } = requestContext;
  const workspaceId = context.teamId ?? '';
  const entered = body.view?.type === 'modal' ? readEntered(body.view) : undefined;
  const view = entered?.view;
  const isLatest =
    view === undefined ? () => true : latestActions.acted(workspaceId, view.id, action.action_ts);
  const modal = view && {
    id: view.id,
    values: entered.values,
    metadata: readMetadata(view.private_metadata),
    replace: noting(replaceWhileLatest(requestContext, workspaceId, view, isLatest)),
  };
  /** What the handler showed last. */
  let shown: { content: ModalView; replace: ReplaceView } | undefined;
  let opened: { view: ModalView; replace: ReplaceView } | undefined;

  /** Adds the known facts about its channel to each content. */
  function noting(replace: ReplaceView): ReplaceView {
    const replaceWithNote: ReplaceView = async (content) => {
      const noted = channelCheck.withNote(workspaceId, content);
      const isShown = await replace(noted);
      if (isShown) {
        shown = { content: noted, replace: replaceWithNote };
      }
      return isShown;
    };
    return replaceWithNote;
  }

  async function openWith(method: 'views.open' | 'views.push', content: ModalView): Promise<ReplaceView> {
    const noted = channelCheck.withNote(workspaceId, content);
    const replace = noting(await openView(requestContext, workspaceId, method, body.trigger_id, noted));
    opened = { view: content, replace };
    shown = { content: noted, replace };
    return replace;
  }

  const open: ShowModal = (content) => openWith('views.open', content);

  async function show(content: ModalView): Promise<ReplaceView> {
    if (modal === undefined) {
      return open(content);
    }
    await modal.replace(content);
    return modal.replace;
  }

  async function push(content: ModalView): Promise<ReplaceView> {
    if (modal === undefined) {
      return open(content);
    }
    try {
      return await openWith('views.push', content);
    } catch (error) {
      if (!isSlackError(error, 'view_stack_full')) {
        throw error;
      }
      return show(content);
    }
  }

  /** Checks the channel in the modal that is shown now. Without the check the form is whole, so a failure is logged. */
  async function checkChannel(): Promise<void> {
    const { content, replace } =
      shown ?? (view && modal && { content: modalAsFilledIn(view), replace: modal.replace }) ?? {};
    try {
      const noted = content && (await channelCheck.recheck(workspaceId, content));
      if (noted !== undefined) {
        await replace?.(noted);
      }
    } catch (error) {
      log.warn({ err: error }, 'whether Switchboard can post in a channel could not be shown');
    }
  }

  return { view, modal, isLatest, opened: () => opened, open, show, push, checkChannel };
}

async function showLine(
  { action, respond }: ActionArgs,
  { view, modal }: ActionModals,
  text: Markup,
): Promise<void> {
  if (view !== undefined && modal !== undefined) {
    await modal.replace(modalWithLine(view, { text, above: action.block_id }));
  } else {
    await respond({
      response_type: 'ephemeral',
      replace_original: false,
      ...forReaders('person', message(text)),
    });
  }
}

/** Shows an error in the modal that the action opened, if any, or else where the user acted. */
async function showError(
  { clients, closedForms }: RequestContext,
  { body, action, respond, context }: ActionArgs,
  { view, modal, isLatest, opened }: ActionModals,
  text: Markup,
): Promise<void> {
  const owner = { workspaceId: context.teamId ?? '', userId: body.user.id };
  const above = action.block_id;
  const last = opened();
  if (last !== undefined) {
    if (!(await last.replace(errorView(text)))) {
      await closedForms.notify(owner, last.view, text);
    }
  } else if (view !== undefined && modal !== undefined) {
    // A later action in the modal shows its own outcome.
    if (!(await modal.replace(modalWithError(view, { text, above }))) && isLatest()) {
      await closedForms.notify(owner, view, text);
    }
    // Neither of these takes a trigger, which may be what has expired.
  } else if (body.view === undefined) {
    await respond({
      response_type: 'ephemeral',
      replace_original: false,
      ...forReaders('person', errorMessage(text)),
    });
  } else {
    const client = await clients.for(owner.workspaceId);
    await client.views.publish({
      user_id: owner.userId,
      view: homeWithError(readEntered(body.view).view, { text, above }),
    });
  }
}

function actionValue(action: BlockElementAction): string {
  const value = readChange(action);
  return action.type === 'overflow' ? readMenuOption(value).value : value;
}
