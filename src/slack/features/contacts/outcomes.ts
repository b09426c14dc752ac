import type { ModalView } from '@slack/types';
import { uploadSummarySchema } from '../../../services/contacts/contact-uploads.ts';
import { contactSummarySchema } from '../../../services/contacts/contacts.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions } from '../../block-kit/build.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { defineOutcome } from '../../kit/outcome.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { User } from '../../middleware/requests.ts';
import { backButton, type ListPosition } from './list.ts';

const defineChange = (spec: {
  /** *Added*. */
  done: string;
  /** What was changed, as it follows *Added:*. */
  object(operation: Operation): Markup;
  /** The same at the beginning of a sentence. */
  subject?(operation: Operation): Markup;
  /** What follows an accepted change. */
  next?: Markup;
  line(operation: Operation): Markup;
}) => {
  const { object, subject = object, next = mrkdwn`` } = spec;
  const done = spec.done.toLowerCase();
  const titles: Readonly<Record<Operation['state'], string>> = {
    underway: 'In progress',
    accepted: spec.done,
    rejected: `Not ${done}`,
    not_sent: `Not ${done}`,
    unconfirmed: 'Unconfirmed',
  };
  return defineOutcome({
    title: ({ state }) => titles[state],
    subject,
    accepted: (operation) => mrkdwn`*${spec.done}:* ${object(operation)}.${next}`,
    done,
    check: 'Look at the list before you try again.',
    line: spec.line,
  });
};

/** Without its number if that has been deleted. */
function contact({ summary }: Operation): Markup {
  const { number, phonebook } = contactSummarySchema.parse(summary);
  return mrkdwn`${number === '' ? 'a contact' : number} in *${phonebook}*`;
}

/** The contact as the subject of a sentence: *… was not added.* */
function theContact({ summary }: Operation): Markup {
  const { number, phonebook } = contactSummarySchema.parse(summary);
  return mrkdwn`${number === '' ? 'A contact' : mrkdwn`The contact ${number}`} in *${phonebook}*`;
}

function upload({ summary }: Operation): Markup {
  const { contacts, phonebook } = uploadSummarySchema.parse(summary);
  return mrkdwn`${pluralize(contacts, 'contact')} for *${phonebook}*`;
}

export const contactOutcomes = {
  add: defineChange({
    done: 'Added',
    object: contact,
    subject: theContact,
    line: (operation) => mrkdwn`Contact added: ${contact(operation)}`,
  }),
  upload: defineChange({
    done: 'Uploaded',
    object: upload,
    subject: (operation) => mrkdwn`A list of ${upload(operation)}`,
    next: mrkdwn` They’ll show up in a few minutes.`,
    line: (operation) => mrkdwn`Upload of ${upload(operation)}`,
  }),
  delete: defineChange({
    done: 'Deleted',
    object: contact,
    subject: theContact,
    line: (operation) => mrkdwn`Contact deleted: ${contact(operation)}`,
  }),
};

/** Reports a change made outside of forms. Returns its last modal, with a button back to the list. */
export async function tellOfChange(
  { notifier }: AppContext,
  change: 'upload' | 'delete',
  operation: Operation,
  { user, position }: { user: User; position: ListPosition },
): Promise<ModalView> {
  const delivery = await notifier.notify(operation);
  return contactOutcomes[change].view(operation, { user, delivery }, backToList(position));
}

export const backToList = (position: ListPosition) => actions('contacts_outcome', backButton(position));
