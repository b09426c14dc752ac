import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { message } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { defineCommand, unknown } from '../../kit/command.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createNewContact, registerContactCard } from './contact.ts';
import { type ListPosition, registerContactList, showContacts, startOfList } from './list.ts';
import { createPhonebookForm, noPhonebooks, phonebooksView, registerPhonebooks } from './phonebooks.ts';
import { createUpload } from './upload.ts';

/** `/contacts`: the contacts of the workspace's phonebooks. */
export function registerContacts(router: Router, context: AppContext): void {
  const newContact = createNewContact(context);
  const upload = createUpload(context);
  const newPhonebook = createPhonebookForm(context);
  defineContacts(context, { newContact, upload, newPhonebook }).register(router);
  registerContactList(router, context);
  registerContactCard(router, context, newContact);
  upload.register(router);
  registerPhonebooks(router, context, newPhonebook);
}

interface Forms {
  newContact: ReturnType<typeof createNewContact>;
  upload: ReturnType<typeof createUpload>;
  newPhonebook: ReturnType<typeof createPhonebookForm>;
}

function defineContacts(context: AppContext, forms: Forms) {
  const { phonebooks } = context.services;
  const withPhonebooks = openWithPhonebooks(context, forms.newPhonebook);
  const command = defineCommand(context, {
    name: 'contacts',
    title: 'How to work with contacts',
    purpose: mrkdwn`*Contacts in your phonebooks*: search, add, upload and send an SMS.`,
    note: mrkdwn`Only you see the phone numbers.`,
    connected: true,
    words: {
      'add …': {
        needs: 'campaign',
        help: (name) => mrkdwn`\`${name} add 0803 123 4567\` adds a contact.`,
        run: withPhonebooks(async (call, { position }, number) =>
          call.open(await forms.newContact.begin(call, position, { initial: { number } })),
        ),
      },
      upload: {
        needs: 'campaign',
        help: (name) => mrkdwn`\`${name} upload\` uploads a CSV file. You review it first.`,
        run: withPhonebooks(async (call, { position }) =>
          call.open(await forms.upload.begin(call, position)),
        ),
      },
      phonebooks: {
        needs: 'administer',
        help: (name) => mrkdwn`\`${name} phonebooks\` adds and removes phonebooks.`,
        run: async (call) => call.open(phonebooksView(await phonebooks.list(call.user.workspaceId))),
      },
    },
    otherwise: {
      needs: 'look_up',
      help: (name) =>
        mrkdwn`\`${name}\` lists the contacts of a phonebook. \`${name} loyal\` opens the phonebook with *loyal* in its name.`,
      accepts: () => true,
      run: withPhonebooks(async (call, { position, named }, text) => {
        const found = named.find(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
        if (found !== undefined) {
          return showContacts(context, call.open, call.user, { ...position, phonebookId: found.id });
        }
        if (command.isMisspelt(text)) {
          return unknown;
        }
        const names = named.map(({ name }) => mrkdwn`• ${name}`);
        throw new UserError(
          mrkdwn`No phonebook named “${text}”. Phonebooks:\n${names}\nFor help, type \`/${context.settings.commandPrefix}contacts help\`.`,
        );
      }),
    },
  });
  return command;
}

/** What a command opens over the phonebooks, and the position of the first one. */
type Open = (
  call: CommandRequest,
  at: { position: ListPosition; named: readonly NamedPhonebook[] },
  text: string,
) => Promise<unknown>;

/** Where there is no phonebook yet, an admin gets the form for the first one, and others are told. */
function openWithPhonebooks(context: AppContext, newPhonebook: Forms['newPhonebook']) {
  const none = mrkdwn`${noPhonebooks} Ask an admin to add one with \`/${context.settings.commandPrefix}contacts\`.`;
  return (open: Open) =>
    async (call: CommandRequest, text: string): Promise<unknown> => {
      const named = await context.services.phonebooks.list(call.user.workspaceId);
      const [first] = named;
      if (first !== undefined) {
        return open(call, { position: startOfList(first.id, call.channelId), named }, text);
      }
      return call.user.permissions.has('administer')
        ? call.open(await newPhonebook.view(call.user, undefined))
        : call.reply(message(none));
    };
}
