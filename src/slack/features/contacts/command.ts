import type { Permission } from '../../../domain/access/roles.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';

export type ContactsCommand =
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

export function contactsRule(text: string): Permission {
  return needed[readContactsCommand(text).kind];
}

export function contactsHelp(prefix: string): SlackMessage {
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
