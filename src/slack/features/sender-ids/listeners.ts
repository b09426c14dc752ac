import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { readSenderIdForm } from '../../../services/sender-ids/sender-id-form.ts';
import type { SenderIdFilter } from '../../../services/sender-ids/sender-id-service.ts';
import { performingView } from '../../block-kit/loading-view.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage, requirePerformed } from '../../middleware/not-performed.ts';
import type { ActionRequest, CommandRequest, ReplaceView, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { isSenderIdSearch, readSenderIdCommand, senderIdHelp, senderIdRule } from './command.ts';
import {
  listMetadata,
  loadingSenderIds,
  nameAction,
  nextSenderIdsAction,
  previousSenderIdsAction,
  readFilter,
  requestAction,
  senderIdListCallback,
  senderIdListView,
  statusAction,
} from './list-view.ts';
import { requestOutcomeView } from './outcome-view.ts';
import { readRequest, requestCallback, requestMetadata, requestView, typedAction } from './request-view.ts';

/** Other words search for a name. */
const subcommands = ['request', 'help'];

const emptyForm = { senderId: '', useCase: '', company: '' };

/** `/sender-id`: the list of sender IDs, and requests for new ones. */
export function registerSenderIds(router: Router, context: AppContext): void {
  const {
    services,
    settings: { commandPrefix },
  } = context;
  const { workspaces, senderIds } = services;

  async function showList(
    replace: ReplaceView,
    { workspaceId, permissions }: User,
    filter: SenderIdFilter,
  ): Promise<void> {
    await replace(senderIdListView(await senderIds.list(workspaceId, filter), filter, permissions));
  }

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId } = call.user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    const command = readSenderIdCommand(call.text);
    if (command.kind === 'request') {
      await call.open(requestView(emptyForm, idempotencyKey(workspaceId, call.requestId)));
      return;
    }
    await showList(await call.open(loadingSenderIds()), call.user, command.filter);
  }

  router.command('sender-id', senderIdRule, handle, () => senderIdHelp(commandPrefix), {
    subcommands,
    accepts: (text) => isSenderIdSearch(text) && findMeantSubcommand(text, subcommands) === undefined,
  });

  router.action(openActions.senderIds, 'look_up', async ({ user, open }: ActionRequest) => {
    await showList(await open(loadingSenderIds()), user, { page: 0 });
  });

  for (const [actionId, step] of [
    [nameAction, undefined],
    [statusAction, undefined],
    [previousSenderIdsAction, -1],
    [nextSenderIdsAction, 1],
  ] as const) {
    router.action(actionId, 'look_up', async ({ user, view }) => {
      if (view !== undefined) {
        const { page } = listMetadata.parse(view.metadata);
        const target = step === undefined ? 0 : Math.max(0, page + step);
        await showList(view.replace, user, readFilter(view.values, target));
      }
    });
  }

  router.submission(senderIdListCallback, 'look_up', async ({ user, values }) => {
    const filter = readFilter(values, 0);
    return {
      view: loadingSenderIds(),
      background: async () =>
        senderIdListView(await senderIds.list(user.workspaceId, filter), filter, user.permissions),
    };
  });
  registerSenderIdRequests(router, context);
}

/** The form for a new sender ID. */
function registerSenderIdRequests(router: Router, { services, notifier }: AppContext): void {
  const { senderIds, operations } = services;

  router.action(requestAction, 'campaign', async ({ user, requestId, push }: ActionRequest) => {
    await push(requestView(emptyForm, idempotencyKey(user.workspaceId, requestId)));
  });

  router.action(typedAction, 'campaign', async ({ view }) => {
    const { key } = requestMetadata.parse(view?.metadata);
    await view?.replace(requestView(readRequest(view.values), key));
  });

  router.submission(requestCallback, 'campaign', async ({ user, values, metadata }) => {
    const { key } = requestMetadata.parse(metadata);
    const read = readSenderIdForm(readRequest(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: performingView('Sender ID', 'Requesting the sender ID…', 'requested'),
      background: async () => {
        const requesting = await senderIds.request({ ...user, key, form: read.form });
        requirePerformed(requesting, 'Nothing was requested.');
        const delivery = await notifier.notify(requesting.operation);
        return requestOutcomeView(requesting.operation, { user, delivery });
      },
    };
  });

  router.closed(requestCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, requestMetadata.parse(metadata).key, user.userId);
  });
}
