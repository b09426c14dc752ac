import type { ModalView } from '@slack/types';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { CommandRequest, User } from '../../middleware/requests.ts';
import { type BulkForm, bulkView } from './form-view.ts';

/** The empty form; `phonebookId`: of the phonebook that is chosen already. */
export function createOpenForm({ services }: Pick<AppContext, 'services'>) {
  const { workspaces, phonebooks } = services;
  return async (
    { workspaceId }: User,
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
    const id = idempotencyKey(workspaceId, requestId, 'campaign');
    return bulkView(form, { id, ...(origin === undefined ? {} : { origin }) }, named);
  };
}

/** `/sms bulk`: the form, as the answer to a command. */
export function createBulkCommand(context: Pick<AppContext, 'services' | 'commandPrefix'>) {
  const openForm = createOpenForm(context);
  return async (call: CommandRequest): Promise<void> => {
    const { user, channelId, requestId } = call;
    if ((await context.services.workspaces.connection(user.workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(user, context.commandPrefix));
      return;
    }
    await call.open(await openForm(user, { requestId, origin: channelId }));
  };
}
