import type { NamePhonebookResult } from '../../../../services/contacts/phonebooks.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { requireAdmin } from '../../../middleware/authorization/require-admin.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { Router, User } from '../../../middleware/requests.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import {
  addPhonebookAction,
  namePhonebookView,
  phonebookCallback,
  phonebooksView,
  removePhonebookAction,
  tryingPhonebookView,
} from './views.ts';

/** Which phonebooks are shown here: for admins to say. */
export function registerPhonebooks(router: Router, { services: { phonebooks } }: AppContext): void {
  router.action(openActions.phonebooks, async ({ user, view, open, push }) => {
    requireAdmin(user);
    const shown = phonebooksView(await phonebooks.list(user.workspaceId));
    await (view === undefined ? open(shown) : push(shown));
  });

  router.action(addPhonebookAction, async ({ user, view }) => {
    requireAdmin(user);
    await view?.replace(namePhonebookView());
  });

  router.action(removePhonebookAction, async ({ user, value, view }) => {
    requireAdmin(user);
    await phonebooks.forget(user.workspaceId, value);
    await view?.replace(phonebooksView(await phonebooks.list(user.workspaceId)));
  });

  router.submission(phonebookCallback, async ({ user, values, beforeAckDeadline }) => {
    requireAdmin(user);
    const typed = { id: values.id?.text ?? '', name: values.name?.text ?? '' };
    const naming = phonebooks.name(user.workspaceId, typed);
    const early = await beforeAckDeadline(naming);
    if (early?.kind === 'refused') {
      return { errors: early.faults };
    }
    return early === undefined
      ? { view: tryingPhonebookView(), background: async () => settled(user, await naming) }
      : { view: await settled(user, early) };
  });

  async function settled({ workspaceId }: User, naming: NamePhonebookResult) {
    switch (naming.kind) {
      case 'not_connected':
        throw new UserError(mrkdwn`Connect the provider first. Nothing was added.`);
      case 'refused':
        throw new UserError(mrkdwn`${Object.values(naming.faults).join(' ')}`);
      case 'named':
        return phonebooksView(
          await phonebooks.list(workspaceId),
          mrkdwn`:white_check_mark: *${naming.phonebook.name}* is added.`,
        );
    }
  }
}
