import type { ModalView } from '@slack/types';
import type { Asker, CommandCall } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { type BulkForm, bulkView } from './form-view.ts';

/** The empty form; `phonebookId`: of the phonebook that is chosen already. */
export function createOpenForm({ services }: Pick<Tools, 'services'>) {
  const { workspaces, phonebooks } = services;
  return async (
    { workspaceId }: Asker,
    opening: { requestId: string; origin?: string | undefined; phonebookId?: string | undefined },
  ): Promise<ModalView> => {
    const { requestId, origin, phonebookId } = opening;
    const [{ route, senderId }, named] = await Promise.all([
      workspaces.defaults(workspaceId),
      phonebooks.list(workspaceId),
    ]);
    const form: BulkForm = {
      source: phonebookId === undefined ? 'file' : 'phonebook',
      phonebookId,
      pasted: '',
      route,
      senderId,
      device: route === 'chatapp' ? senderId : undefined,
      text: '',
    };
    const id = requestKey(workspaceId, requestId, 'campaign');
    return bulkView(form, { id, ...(origin === undefined ? {} : { origin }) }, named);
  };
}

/** `/sms bulk`: the form, as the answer to a command. */
export function createBulkCommand(tools: Pick<Tools, 'services' | 'commandPrefix'>) {
  const openForm = createOpenForm(tools);
  return async (call: CommandCall): Promise<void> => {
    const { asker, channelId, requestId } = call;
    if ((await tools.services.workspaces.connection(asker.workspaceId)) === undefined) {
      await call.reply(notConnected(asker, tools.commandPrefix));
      return;
    }
    await call.open(await openForm(asker, { requestId, origin: channelId }));
  };
}
