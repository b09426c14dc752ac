import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady, type FormResult } from '../../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import {
  addingPhonebookView,
  addPhonebookAction,
  namePhonebookView,
  phonebookCallback,
  phonebookChoiceAction,
  phonebookOptions,
  phonebooksView,
  removePhonebookAction,
} from './views.ts';

/** The phonebooks shown in the workspace, which admins add and remove. */
export function registerPhonebooks(router: Router, { services: { phonebooks } }: AppContext): void {
  router.action(openActions.phonebooks, 'administer', async ({ user, push }) => {
    await push(phonebooksView(await phonebooks.list(user.workspaceId)));
  });

  router.action(addPhonebookAction, 'administer', async ({ view }) => {
    await view?.replace(namePhonebookView(phonebooks.canChoose));
  });

  router.options(phonebookChoiceAction, 'administer', async ({ user, query }) => {
    const { phonebooks: listed, note } = await phonebooks.choices(user.workspaceId);
    return { options: phonebookOptions(listed, query), note };
  });

  router.action(removePhonebookAction, 'administer', async ({ user, value, view }) => {
    await phonebooks.forget(user.workspaceId, value);
    await view?.replace(phonebooksView(await phonebooks.list(user.workspaceId)));
  });

  router.submission(phonebookCallback, 'administer', async ({ user, values, beforeAckDeadline }) => {
    const typed = { id: values.id?.text ?? '', name: values.name?.text ?? '' };
    return answerWhenReady(add(user, typed), { beforeAckDeadline, loading: addingPhonebookView() });
  });

  async function add({ workspaceId }: User, typed: NamedPhonebook): Promise<FormResult> {
    const result = await phonebooks.name(workspaceId, typed);
    switch (result.kind) {
      case 'not_connected':
        throw new UserError(mrkdwn`Connect the provider first.`);
      case 'refused':
        return { errors: result.faults };
      case 'named': {
        const banner = mrkdwn`${stateIcons.done} *${result.phonebook.name}* added.`;
        return { view: phonebooksView(await phonebooks.list(workspaceId), banner) };
      }
    }
  }
}
