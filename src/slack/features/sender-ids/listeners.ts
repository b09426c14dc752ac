import { readSenderIdForm, type SenderIdFilter } from '../../../services/sender-ids/sender-id-requests.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, Asker, CommandCall, Listening, Replace } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { readSenderIdCommand, senderIdHelp } from './command.ts';
import { requestOutcomeView } from './outcome-view.ts';
import {
  listCallback,
  listMetadata,
  listView,
  loadingList,
  nameAction,
  nextAction,
  openListAction,
  previousAction,
  readFilter,
  readRequest,
  requestAction,
  requestCallback,
  requestMetadata,
  requestView,
  statusAction,
  typedAction,
} from './views.ts';

const empty = { senderId: '', useCase: '', company: '' };

/** `/sender-id`: the list, and the request for a new one. */
export function listenToSenderIds(listening: Listening, { services, telling, commandPrefix }: Tools): void {
  const { workspaces, senderIdRequests, operations } = services;

  async function fill(replace: Replace, { workspaceId }: Asker, filter: SenderIdFilter): Promise<void> {
    await replace(listView(await senderIdRequests.list(workspaceId, filter), filter));
  }

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId } = call.asker;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
      return;
    }
    const command = readSenderIdCommand(call.text);
    if (command.kind === 'request') {
      await call.open(requestView(empty, requestKey(workspaceId, call.requestId)));
      return;
    }
    await fill(await call.open(loadingList()), call.asker, command.filter);
  }

  listening.command('sender-id', handle, () => senderIdHelp(commandPrefix));

  listening.action(openListAction, async ({ asker, open }: ActionCall) => {
    await fill(await open(loadingList()), asker, { page: 0 });
  });

  for (const [actionId, step] of [
    [nameAction, undefined],
    [statusAction, undefined],
    [previousAction, -1],
    [nextAction, 1],
  ] as const) {
    listening.action(actionId, async ({ asker, view }) => {
      if (view !== undefined) {
        const { page } = listMetadata.parse(view.metadata);
        const wanted = step === undefined ? 0 : Math.max(0, page + step);
        await fill(view.replace, asker, readFilter(view.values, wanted));
      }
    });
  }

  listening.submission(listCallback, async ({ asker, values }) => {
    const filter = readFilter(values, 0);
    return {
      view: loadingList(),
      afterwards: async () => listView(await senderIdRequests.list(asker.workspaceId, filter), filter),
    };
  });

  listening.action(requestAction, async ({ asker, requestId, push }: ActionCall) => {
    await push(requestView(empty, requestKey(asker.workspaceId, requestId)));
  });

  listening.action(typedAction, async ({ view }) => {
    const { key } = requestMetadata.parse(view?.metadata);
    await view?.replace(requestView(readRequest(view.values), key));
  });

  listening.submission(requestCallback, async ({ asker, values, metadata }) => {
    const { key } = requestMetadata.parse(metadata);
    const read = readSenderIdForm(readRequest(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: notice('Sender ID', section(mrkdwn`:hourglass_flowing_sand: Asking the provider…`)),
      afterwards: async () => {
        const requesting = await senderIdRequests.request({ ...asker, key, form: read.form });
        if (requesting.kind === 'not_connected') {
          throw new Refusal(
            mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was requested.`,
          );
        }
        if (requesting.kind === 'cancelled') {
          throw new Refusal(mrkdwn`You cancelled this. Nothing was requested.`, { isFinal: true });
        }
        await telling.tell(requesting.operation);
        return requestOutcomeView(requesting.operation);
      },
    };
  });

  listening.closed(requestCallback, async ({ asker, metadata }) => {
    await operations.cancel(asker.workspaceId, requestMetadata.parse(metadata).key, asker.personId);
  });
}
