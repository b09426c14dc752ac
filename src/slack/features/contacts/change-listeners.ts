import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { readContactForm } from '../../../services/contacts/contact-form.ts';
import type { SpendResult } from '../../../services/operations/operations.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import { requirePerformed } from '../../middleware/not-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { addContactCallback, addContactView, addingView, changeMetadata, readContact } from './add-view.ts';
import { cardMetadata, deleteAction, deletingView } from './card-view.ts';
import { listPositionSchema, startOfList } from './list-position.ts';
import { addAction } from './list-view.ts';
import { contactOutcomeView } from './outcome-view.ts';

/** Adds and deletes contacts. */
export function registerContactChanges(router: Router, { services, notifier }: AppContext): void {
  const { contacts, phonebooks, workspaces, operations } = services;

  async function settle(result: SpendResult): Promise<Operation> {
    requirePerformed(result, 'The phonebook is unchanged.');
    await notifier.notify(result.operation);
    return result.operation;
  }

  router.action(addAction, 'campaign', async ({ user: { workspaceId }, requestId, view }) => {
    const position = listPositionSchema.parse(view?.metadata);
    const [named, { country }] = await Promise.all([
      phonebooks.list(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    const key = idempotencyKey(workspaceId, requestId);
    await view?.replace(addContactView({ phonebooks: named, position, key, number: '', country }));
  });

  router.submission(addContactCallback, 'campaign', async ({ user, values, metadata }) => {
    const { key, origin } = changeMetadata.parse(metadata);
    const phonebook = await findPhonebook(phonebooks, user, values.phonebook?.text);
    const read = readContactForm(readContact(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: addingView(),
      background: async () => {
        const operation = await settle(
          await contacts.add({ ...user, key, phonebook, contact: read.contact }),
        );
        return contactOutcomeView(operation, startOfList(phonebook.id, origin));
      },
    };
  });

  router.closed(addContactCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, changeMetadata.parse(metadata).key, user.userId);
  });

  router.action(deleteAction, 'campaign', async ({ user, view }) => {
    const { key, contactId, number, ...position } = cardMetadata.parse(view?.metadata);
    const phonebook = await findPhonebook(phonebooks, user, position.phonebookId);
    await view?.replace(deletingView());
    const operation = await settle(
      await contacts.delete({ ...user, key, phonebook, contact: { id: contactId, number } }),
    );
    await view?.replace(contactOutcomeView(operation, position));
  });
}
