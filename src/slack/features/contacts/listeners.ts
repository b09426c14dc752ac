import { mrkdwn } from '../../block-kit/text.ts';
import type { CommandCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { adminsOnly } from '../../middleware/require-admin.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { addView } from './add-view.ts';
import { listenToChanges } from './change-listeners.ts';
import { contactsHelp, readContactsCommand } from './command.ts';
import { createContactsView, listenToList } from './list-listeners.ts';
import { loadingContacts } from './list-view.ts';
import { listenToPhonebooks } from './phonebook-listeners.ts';
import { namePhonebookView, noPhonebooksMessage, phonebooksView } from './phonebook-views.ts';
import { beginning } from './place.ts';
import { listenToUploads } from './upload-listeners.ts';
import { uploadView } from './upload-views.ts';

/** `/contacts`: the contacts of the workspace's phonebooks. */
export function listenToContacts(listening: Listening, tools: Tools): void {
  const { services, commandPrefix } = tools;
  const { workspaces, phonebooks: phonebookService } = services;
  const contactsView = createContactsView(tools);

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId, role } = call.asker;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
      return;
    }
    const command = readContactsCommand(call.text);
    const phonebooks = await phonebookService.list(workspaceId);
    if (command.kind === 'phonebooks') {
      adminsOnly(call.asker);
      await call.open(phonebooksView(phonebooks));
      return;
    }
    const [first] = phonebooks;
    if (first === undefined) {
      await (role === 'admin'
        ? call.open(namePhonebookView())
        : call.reply(noPhonebooksMessage(commandPrefix)));
      return;
    }
    const form = {
      phonebooks,
      place: beginning(first.id, call.channelId),
      key: requestKey(workspaceId, call.requestId),
      country: (await workspaces.defaults(workspaceId)).country,
    };
    if (command.kind === 'add') {
      await call.open(addView({ ...form, number: command.number }));
      return;
    }
    if (command.kind === 'upload') {
      await call.open(uploadView(form));
      return;
    }
    const wanted = command.phonebook.toLowerCase();
    const found = phonebooks.find(({ name }) => name.toLowerCase().includes(wanted));
    if (found === undefined) {
      const names = phonebooks.map(({ name }) => mrkdwn`• ${name}`);
      throw new Refusal(
        mrkdwn`No phonebook here has *${command.phonebook}* in its name. There are:\n${names}`,
      );
    }
    const replace = await call.open(loadingContacts());
    await replace(await contactsView(call.asker, beginning(found.id, call.channelId)));
  }

  listening.command('contacts', handle, () => contactsHelp(commandPrefix));
  listenToList(listening, tools);
  listenToChanges(listening, tools);
  listenToUploads(listening, tools);
  listenToPhonebooks(listening, tools);
}
