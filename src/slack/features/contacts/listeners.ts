import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { notConnectedMessage } from '../../middleware/not-performed.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand, unknownSubcommand } from '../../middleware/unknown-subcommand.ts';
import { addContactView } from './add-view.ts';
import { registerContactChanges } from './change-listeners.ts';
import { contactsHelp, contactsRule, readContactsCommand } from './command.ts';
import { createContactsView } from './contacts-view.ts';
import { registerContactList } from './list-listeners.ts';
import { startOfList } from './list-position.ts';
import { loadingContacts } from './list-view.ts';
import { registerPhonebooks } from './phonebooks/listeners.ts';
import { namePhonebookView, noPhonebooksMessage, phonebooksView } from './phonebooks/views.ts';
import { registerContactUploads } from './upload/listeners.ts';
import { uploadView } from './upload/views.ts';

/** Other words search for a phonebook. */
const subcommands = ['add …', 'upload', 'phonebooks', 'help'];

/** `/contacts`: the contacts of the workspace's phonebooks. */
export function registerContacts(router: Router, context: AppContext): void {
  const {
    services,
    settings: { commandPrefix },
  } = context;
  const { workspaces } = services;
  const contactsView = createContactsView(context);

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId, permissions } = call.user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    const command = readContactsCommand(call.text);
    const phonebooks = await services.phonebooks.list(workspaceId);
    if (command.kind === 'phonebooks') {
      await call.open(phonebooksView(phonebooks));
      return;
    }
    const [first] = phonebooks;
    if (first === undefined) {
      await (permissions.has('administer')
        ? call.open(namePhonebookView(services.phonebooks.canChoose))
        : call.reply(noPhonebooksMessage(commandPrefix)));
      return;
    }
    const form = {
      phonebooks,
      position: startOfList(first.id, call.channelId),
      key: idempotencyKey(workspaceId, call.requestId),
      country: (await workspaces.defaults(workspaceId)).country,
    };
    if (command.kind === 'add') {
      await call.open(addContactView({ ...form, number: command.number }));
      return;
    }
    if (command.kind === 'upload') {
      await call.open(uploadView(form));
      return;
    }
    const query = command.phonebook.toLowerCase();
    const found = phonebooks.find(({ name }) => name.toLowerCase().includes(query));
    if (found === undefined && findMeantSubcommand(call.text, subcommands) !== undefined) {
      await call.reply(unknownSubcommand(`/${commandPrefix}contacts`, call.text, subcommands));
      return;
    }
    if (found === undefined) {
      const names = phonebooks.map(({ name }) => mrkdwn`• ${name}`);
      throw new UserError(
        mrkdwn`No phonebook named “${command.phonebook}”. Phonebooks:\n${names}\nFor help, type \`/${commandPrefix}contacts help\`.`,
      );
    }
    const replace = await call.open(loadingContacts());
    await replace(await contactsView(call.user, startOfList(found.id, call.channelId), replace));
  }

  router.command('contacts', contactsRule, handle, () => contactsHelp(commandPrefix));
  registerContactList(router, context);
  registerContactChanges(router, context);
  registerContactUploads(router, context);
  registerPhonebooks(router, context);
}
