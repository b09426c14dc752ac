import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand, unknownSubcommand } from '../../middleware/unknown-subcommand.ts';
import { addContactView, registerContact } from './contact.ts';
import { contactsAt, registerContactList } from './list-listeners.ts';
import { loadingContacts, startOfList } from './list-view.ts';
import { namePhonebookView, noPhonebooksMessage, phonebooksView, registerPhonebooks } from './phonebooks.ts';
import { registerContactUploads, uploadView } from './upload.ts';

/** Other words search for a phonebook. */
const subcommands = ['add …', 'upload', 'phonebooks', 'help'];

/** `/contacts`: the contacts of the workspace's phonebooks. */
export function registerContacts(router: Router, context: AppContext): void {
  router.command(
    'contacts',
    contactsRule,
    whenConnected(context, (call) => onContactsCommand(context, call)),
    () => contactsHelp(context.settings.commandPrefix),
  );
  registerContactList(router, context);
  registerContact(router, context);
  registerContactUploads(router, context);
  registerPhonebooks(router, context);
}

async function onContactsCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const { services, settings } = context;
  const { workspaceId, permissions } = call.user;
  const command = readContactsCommand(call.text);
  const phonebooks = await services.phonebooks.list(workspaceId);
  const [first] = phonebooks;
  if (command.kind === 'phonebooks') {
    await call.open(phonebooksView(phonebooks));
  } else if (first === undefined) {
    await (permissions.has('administer')
      ? call.open(namePhonebookView(services.phonebooks.canChoose))
      : call.reply(noPhonebooksMessage(settings.commandPrefix)));
  } else if (command.kind === 'list') {
    await openList(context, call, phonebooks, command.phonebook);
  } else {
    const { country } = await services.workspaces.defaults(workspaceId);
    const key = idempotencyKey(workspaceId, call.requestId);
    const form = { phonebooks, position: startOfList(first.id, call.channelId), key, country };
    await call.open(
      command.kind === 'add' ? addContactView({ ...form, number: command.number }) : uploadView(form),
    );
  }
}

/** Opens the phonebook with the text in its name. */
async function openList(
  context: AppContext,
  call: CommandRequest,
  phonebooks: readonly NamedPhonebook[],
  text: string,
): Promise<void> {
  const { commandPrefix } = context.settings;
  const found = phonebooks.find(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  if (found !== undefined) {
    const replace = await call.open(loadingContacts());
    await replace(await contactsAt(context, call.user, startOfList(found.id, call.channelId), replace));
  } else if (findMeantSubcommand(call.text, subcommands) !== undefined) {
    await call.reply(unknownSubcommand(`/${commandPrefix}contacts`, call.text, subcommands));
  } else {
    const names = phonebooks.map(({ name }) => mrkdwn`• ${name}`);
    throw new UserError(
      mrkdwn`No phonebook named “${text}”. Phonebooks:\n${names}\nFor help, type \`/${commandPrefix}contacts help\`.`,
    );
  }
}

type ContactsCommand =
  | { kind: 'add'; number: string }
  | { kind: 'upload' }
  | { kind: 'phonebooks' }
  /** `phonebook` is a part of its name; empty for the first one. */
  | { kind: 'list'; phonebook: string };

/** `/contacts` · `/contacts loyal` · `/contacts add 0803…` · `/contacts upload` · `/contacts phonebooks` */
export function readContactsCommand(text: string): ContactsCommand {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  switch (first.toLowerCase()) {
    case 'add':
      return { kind: 'add', number: rest.join(' ') };
    case 'upload':
    case 'phonebooks':
      return rest.length === 0
        ? { kind: first.toLowerCase() === 'upload' ? 'upload' : 'phonebooks' }
        : { kind: 'list', phonebook: text.trim() };
    default:
      return { kind: 'list', phonebook: text.trim() };
  }
}

const needed: Readonly<Record<ContactsCommand['kind'], Permission>> = {
  add: 'campaign',
  upload: 'campaign',
  phonebooks: 'administer',
  list: 'look_up',
};

function contactsRule(text: string): Permission {
  return needed[readContactsCommand(text).kind];
}

function contactsHelp(prefix: string): SlackMessage {
  const name = `/${prefix}contacts`;
  return helpMessage(
    mrkdwn`How to work with contacts with ${name}`,
    mrkdwn`*Contacts in your phonebooks*: search, add, upload and send an SMS.`,
    [
      mrkdwn`\`${name}\` lists the contacts of a phonebook. \`${name} loyal\` lists the phonebook with *loyal* in the name.`,
      mrkdwn`\`${name} add 0803 123 4567\` adds a contact.`,
      mrkdwn`\`${name} upload\` uploads a CSV file, after a preview.`,
      mrkdwn`\`${name} phonebooks\`, for admins: adds and removes phonebooks.`,
    ],
    mrkdwn`Only you see the phone numbers.`,
  );
}
