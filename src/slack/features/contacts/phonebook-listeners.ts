import type { NamedPhonebook, NamingPhonebook, Phonebooks } from '../../../services/contacts/phonebooks.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { adminsOnly } from '../../middleware/require-admin.ts';
import { managePhonebooksAction } from '../../navigation/contacts.ts';
import {
  addPhonebookAction,
  namePhonebookView,
  phonebookCallback,
  phonebooksView,
  removePhonebookAction,
  tryingPhonebookView,
} from './phonebook-views.ts';

/** Which phonebooks are shown here: for admins to say. */
export function listenToPhonebooks(listening: Listening, { services: { phonebooks } }: Tools): void {
  listening.action(managePhonebooksAction, async ({ asker, view, open, push }) => {
    adminsOnly(asker);
    const shown = phonebooksView(await phonebooks.list(asker.workspaceId));
    await (view === undefined ? open(shown) : push(shown));
  });

  listening.action(addPhonebookAction, async ({ asker, view }) => {
    adminsOnly(asker);
    await view?.replace(namePhonebookView());
  });

  listening.action(removePhonebookAction, async ({ asker, value, view }) => {
    adminsOnly(asker);
    await phonebooks.forget(asker.workspaceId, value);
    await view?.replace(phonebooksView(await phonebooks.list(asker.workspaceId)));
  });

  listening.submission(phonebookCallback, async ({ asker, values, soon }) => {
    adminsOnly(asker);
    const typed = { id: values.id?.text ?? '', name: values.name?.text ?? '' };
    const naming = phonebooks.name(asker.workspaceId, typed);
    const early = await soon(naming);
    if (early?.kind === 'refused') {
      return { errors: early.faults };
    }
    return early === undefined
      ? { view: tryingPhonebookView(), afterwards: async () => settled(asker, await naming) }
      : { view: await settled(asker, early) };
  });

  async function settled({ workspaceId }: Asker, naming: NamingPhonebook) {
    switch (naming.kind) {
      case 'not_connected':
        throw new Refusal(mrkdwn`Connect the provider first. Nothing was added.`);
      case 'refused':
        throw new Refusal(mrkdwn`${Object.values(naming.faults).join(' ')}`);
      case 'named':
        return phonebooksView(
          await phonebooks.list(workspaceId),
          mrkdwn`:white_check_mark: *${naming.phonebook.name}* is added.`,
        );
    }
  }
}

/** The phonebook that was chosen, as long as it is shown here. */
export async function findPhonebook(
  phonebooks: Phonebooks,
  { workspaceId }: Asker,
  id: string | undefined,
): Promise<NamedPhonebook> {
  const named = await phonebooks.list(workspaceId);
  const found = named.find((phonebook) => phonebook.id === id);
  if (found === undefined) {
    throw new Refusal(mrkdwn`This phonebook was removed from Switchboard meanwhile. Nothing was done.`);
  }
  return found;
}
