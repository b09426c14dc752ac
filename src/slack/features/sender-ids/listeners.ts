import { readSenderIdForm, type SenderIdFilter } from '../../../services/sender-ids/sender-id-requests.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest, CommandRequest, ReplaceView, Router, User } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { readSenderIdCommand, senderIdHelp } from './command.ts';
import { requestOutcomeView } from './outcome-view.ts';
import {
  listMetadata,
  loadingSenderIds,
  nameAction,
  nextSenderIdsAction,
  previousSenderIdsAction,
  readFilter,
  readRequest,
  requestAction,
  requestCallback,
  requestMetadata,
  requestView,
  senderIdListCallback,
  senderIdListView,
  statusAction,
  typedAction,
} from './views.ts';

const empty = { senderId: '', useCase: '', company: '' };

/** `/sender-id`: the list, and the request for a new one. */
export function registerSenderIds(router: Router, { services, notifier, commandPrefix }: AppContext): void {
  const { workspaces, senderIdRequests, operations } = services;

  async function fill(replace: ReplaceView, { workspaceId }: User, filter: SenderIdFilter): Promise<void> {
    await replace(senderIdListView(await senderIdRequests.list(workspaceId, filter), filter));
  }

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId } = call.user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    const command = readSenderIdCommand(call.text);
    if (command.kind === 'request') {
      await call.open(requestView(empty, idempotencyKey(workspaceId, call.requestId)));
      return;
    }
    await fill(await call.open(loadingSenderIds()), call.user, command.filter);
  }

  router.command('sender-id', handle, () => senderIdHelp(commandPrefix));

  router.action(openActions.senderIds, async ({ user, open }: ActionRequest) => {
    await fill(await open(loadingSenderIds()), user, { page: 0 });
  });

  for (const [actionId, step] of [
    [nameAction, undefined],
    [statusAction, undefined],
    [previousSenderIdsAction, -1],
    [nextSenderIdsAction, 1],
  ] as const) {
    router.action(actionId, async ({ user, view }) => {
      if (view !== undefined) {
        const { page } = listMetadata.parse(view.metadata);
        const wanted = step === undefined ? 0 : Math.max(0, page + step);
        await fill(view.replace, user, readFilter(view.values, wanted));
      }
    });
  }

  router.submission(senderIdListCallback, async ({ user, values }) => {
    const filter = readFilter(values, 0);
    return {
      view: loadingSenderIds(),
      background: async () => senderIdListView(await senderIdRequests.list(user.workspaceId, filter), filter),
    };
  });

  router.action(requestAction, async ({ user, requestId, push }: ActionRequest) => {
    await push(requestView(empty, idempotencyKey(user.workspaceId, requestId)));
  });

  router.action(typedAction, async ({ view }) => {
    const { key } = requestMetadata.parse(view?.metadata);
    await view?.replace(requestView(readRequest(view.values), key));
  });

  router.submission(requestCallback, async ({ user, values, metadata }) => {
    const { key } = requestMetadata.parse(metadata);
    const read = readSenderIdForm(readRequest(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: notice('Sender ID', section(mrkdwn`:hourglass_flowing_sand: Asking the provider…`)),
      background: async () => {
        const requesting = await senderIdRequests.request({ ...user, key, form: read.form });
        if (requesting.kind === 'not_connected') {
          throw new UserError(
            mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was requested.`,
          );
        }
        if (requesting.kind === 'cancelled') {
          throw new UserError(mrkdwn`You cancelled this. Nothing was requested.`, { isFinal: true });
        }
        await notifier.notify(requesting.operation);
        return requestOutcomeView(requesting.operation);
      },
    };
  });

  router.closed(requestCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, requestMetadata.parse(metadata).key, user.userId);
  });
}
