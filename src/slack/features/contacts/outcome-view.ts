import type { ModalView } from '@slack/types';
import { uploadSummarySchema } from '../../../services/contacts/contact-uploads.ts';
import { contactSummarySchema } from '../../../services/contacts/contacts.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { actions, button, context, modal, section } from '../../block-kit/build.ts';
import { message } from '../../block-kit/message.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { OutcomeRenderer, OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { backAction, type ListPosition } from './list-position.ts';
import { countContacts } from './upload/views.ts';

/** What an operation was about, and how its ends are put. */
interface Kind {
  /** As the object of a sentence: *1 contact*. */
  what(operation: Operation): Markup;
  done: string;
  notDone: string;
  /** What comes after it was done. */
  next: Markup;
  line(operation: Operation): Markup;
}

function contact(operation: Operation): Markup {
  const { number, phonebook } = contactSummarySchema.parse(operation.summary);
  return mrkdwn`${number === '' ? 'a contact' : number} in *${phonebook}*`;
}

function upload(operation: Operation): Markup {
  const { contacts, phonebook } = uploadSummarySchema.parse(operation.summary);
  return mrkdwn`${countContacts(contacts)} for *${phonebook}*`;
}

const adding: Kind = {
  what: contact,
  done: 'Added',
  notDone: 'Not added',
  next: mrkdwn``,
  line: (operation) => mrkdwn`Contact added: ${contact(operation)}`,
};

const uploading: Kind = {
  what: upload,
  done: 'Uploaded',
  notDone: 'Not uploaded',
  next: mrkdwn` The provider adds them in the background; they appear in the list in some minutes.`,
  line: (operation) => mrkdwn`Upload of ${upload(operation)}`,
};

const deleting: Kind = {
  what: contact,
  done: 'Deleted',
  notDone: 'Not deleted',
  next: mrkdwn``,
  line: (operation) => mrkdwn`Contact deleted: ${contact(operation)}`,
};

const kinds: Readonly<Record<string, Kind>> = {
  'contact.add': adding,
  'contact.upload': uploading,
  'contact.delete': deleting,
};

export const contactRenderers: OutcomeRenderers = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, wordingOf(kind)]),
);

function wordingOf(kind: Kind): OutcomeRenderer {
  return {
    forUser: (operation) => message(words(operation, kind), [section(words(operation, kind))]),
    forChannel: (operation) =>
      message(words(operation, kind), [
        section(words(operation, kind)),
        context(mrkdwn`By ${userMention(operation.userId)} with Switchboard`),
      ]),
    line: kind.line,
  };
}

/** How a change ended, with the way back to the list. */
export function contactOutcomeView(operation: Operation, position: ListPosition): ModalView {
  const kind = kinds[operation.kind] ?? adding;
  return modal({
    callbackId: 'contacts_outcome',
    title: titleOf(operation, kind),
    metadata: position,
    blocks: [
      section(words(operation, kind)),
      actions('contacts_outcome', button(backAction, 'Back to the list')),
    ],
  });
}

function titleOf({ state }: Operation, { done, notDone }: Kind): string {
  switch (state) {
    case 'underway':
      return 'Still under way';
    case 'accepted':
      return done;
    case 'unconfirmed':
      return 'Not confirmed';
    default:
      return notDone;
  }
}

function words(operation: Operation, { what, done, notDone, next }: Kind): Markup {
  const about = what(operation);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`:hourglass_flowing_sand: *Still under way:* ${about}.`;
    case 'accepted':
      return mrkdwn`:white_check_mark: *${done}:* ${about}.${next}`;
    case 'rejected':
      return mrkdwn`:x: *${notDone}; the provider refused:* ${about}. ${operation.error?.message}`;
    case 'not_sent':
      return mrkdwn`:x: *${notDone}:* ${about}. ${operation.error?.message}`;
    case 'unconfirmed':
      return mrkdwn`:warning: *Unconfirmed: it may have been done:* ${about}. ${operation.error?.message} It is not done again by itself: look at the list before you try again.`;
  }
}
