import { readContactForm } from '../../../services/contacts/contact-form.ts';
import type { ChangingContacts } from '../../../services/contacts/contacts.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { addCallback, addingView, addView, changeMetadata, readContact } from './add-view.ts';
import { cardMetadata, deleteAction, deletingView } from './card-view.ts';
import { addAction } from './list-view.ts';
import { outcomeView } from './outcome-view.ts';
import { findPhonebook } from './phonebook-listeners.ts';
import { beginning, placeSchema } from './place.ts';

/** A contact added, a contact deleted. */
export function listenToChanges(listening: Listening, { services, telling }: Tools): void {
  const { contacts, phonebooks, workspaces, operations } = services;

  async function told(changing: ChangingContacts): Promise<Operation> {
    if (changing.kind === 'not_connected') {
      throw new Refusal(mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was done.`);
    }
    if (changing.kind === 'cancelled') {
      throw new Refusal(mrkdwn`You cancelled this. Nothing was done.`, { isFinal: true });
    }
    await telling.tell(changing.operation);
    return changing.operation;
  }

  listening.action(addAction, async ({ asker: { workspaceId }, requestId, view }) => {
    const place = placeSchema.parse(view?.metadata);
    const [named, { country }] = await Promise.all([
      phonebooks.list(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    const key = requestKey(workspaceId, requestId);
    await view?.replace(addView({ phonebooks: named, place, key, number: '', country }));
  });

  listening.submission(addCallback, async ({ asker, values, metadata }) => {
    const { key, origin } = changeMetadata.parse(metadata);
    const phonebook = await findPhonebook(phonebooks, asker, values.phonebook?.text);
    const read = readContactForm(readContact(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: addingView(),
      afterwards: async () => {
        const operation = await told(await contacts.add({ ...asker, key, phonebook, contact: read.contact }));
        return outcomeView(operation, beginning(phonebook.id, origin));
      },
    };
  });

  listening.closed(addCallback, async ({ asker, metadata }) => {
    await operations.cancel(asker.workspaceId, changeMetadata.parse(metadata).key, asker.personId);
  });

  listening.action(deleteAction, async ({ asker, view }) => {
    const { key, contactId, number, ...place } = cardMetadata.parse(view?.metadata);
    const phonebook = await findPhonebook(phonebooks, asker, place.phonebookId);
    await view?.replace(deletingView());
    const operation = await told(
      await contacts.delete({ ...asker, key, phonebook, contact: { id: contactId, number } }),
    );
    await view?.replace(outcomeView(operation, place));
  });
}
