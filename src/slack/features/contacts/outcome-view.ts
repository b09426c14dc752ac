import type { ModalView } from '@slack/types';
import { uploadSummarySchema } from '../../../services/contacts/contact-uploads.ts';
import { contactSummarySchema } from '../../../services/contacts/contacts.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, button, modal, section } from '../../block-kit/build.ts';
import { failureLines } from '../../block-kit/descriptions/outcome.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { createOutcomeRenderer } from '../../notifier/outcome-renderer.ts';
import { backAction, type ListPosition } from './list-view.ts';

/** The texts of a kind of change. */
interface ChangeTexts {
  /** What was changed, as the subject of a sentence in the singular: *A list of 2 contacts for Loyal customers*. */
  subject(operation: Operation): Markup;
  /** The same, after *Uploaded:*. */
  object(operation: Operation): Markup;
  done: string;
  notDone: string;
  /** What follows an accepted change. */
  next: Markup;
  line(operation: Operation): Markup;
}

function contact(operation: Operation): Markup {
  const { number, phonebook } = contactSummarySchema.parse(operation.summary);
  return mrkdwn`${number === '' ? 'A contact' : number} in *${phonebook}*`;
}

function upload(operation: Operation): Markup {
  const { contacts, phonebook } = uploadSummarySchema.parse(operation.summary);
  return mrkdwn`${pluralize(contacts, 'contact')} for *${phonebook}*`;
}

const adding: ChangeTexts = {
  subject: contact,
  object: contact,
  done: 'Added',
  notDone: 'Not added',
  next: mrkdwn``,
  line: (operation) => mrkdwn`Contact added: ${contact(operation)}`,
};

const uploading: ChangeTexts = {
  subject: (operation) => mrkdwn`A list of ${upload(operation)}`,
  object: upload,
  done: 'Uploaded',
  notDone: 'Not uploaded',
  next: mrkdwn` The contacts appear in the list within minutes.`,
  line: (operation) => mrkdwn`Upload of ${upload(operation)}`,
};

const deleting: ChangeTexts = {
  subject: contact,
  object: contact,
  done: 'Deleted',
  notDone: 'Not deleted',
  next: mrkdwn``,
  line: (operation) => mrkdwn`Contact deleted: ${contact(operation)}`,
};

const changes: Readonly<Record<string, ChangeTexts>> = {
  'contact.add': adding,
  'contact.upload': uploading,
  'contact.delete': deleting,
};

export const contactRenderers: OutcomeRenderers = Object.fromEntries(
  Object.entries(changes).map(([kind, texts]) => [
    kind,
    createOutcomeRenderer({ text: (operation) => outcomeText(operation, texts), line: texts.line }),
  ]),
);

/** The outcome of a change, with a button back to the list. */
export function contactOutcomeView(operation: Operation, position: ListPosition): ModalView {
  const texts = changes[operation.kind] ?? adding;
  return modal({
    callbackId: 'contacts_outcome',
    title: titleOf(operation, texts),
    metadata: position,
    blocks: [
      section(outcomeText(operation, texts)),
      actions('contacts_outcome', button(backAction, 'Back to the list')),
    ],
  });
}

function titleOf({ state }: Operation, { done, notDone }: ChangeTexts): string {
  switch (state) {
    case 'underway':
      return 'In progress';
    case 'accepted':
      return done;
    case 'unconfirmed':
      return 'Unconfirmed';
    default:
      return notDone;
  }
}

function outcomeText(
  operation: Operation,
  { subject: subjectOf, object: objectOf, done, next }: ChangeTexts,
): Markup {
  const subject = subjectOf(operation);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *In progress:* ${subject}.`;
    case 'accepted':
      return mrkdwn`${operationIcons.accepted} *${done}:* ${objectOf(operation)}.${next}`;
    default:
      return failureLines(operation, operation.state, {
        subject,
        done: done.toLowerCase(),
        check: 'Look at the list before you try again.',
      });
  }
}
