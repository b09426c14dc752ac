import type { ModalView, PlainTextOption } from '@slack/types';
import {
  type ListedPhonebook,
  maxPhonebookName,
  type NamedPhonebook,
} from '../../../services/contacts/phonebooks.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  loadingView,
  notice,
  option,
  section,
} from '../../block-kit/build.ts';
import { clampList, limits } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { searchField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { connectFirst } from '../../middleware/not-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

export const noPhonebooks = mrkdwn`*No phonebooks yet.*`;

const addPhonebookAction = 'phonebooks_add';
const removePhonebookAction = 'phonebooks_remove';
/** In characters. */
const maxId = 100;

/** The phonebooks shown in the workspace, which admins add and remove. */
export function registerPhonebooks(
  router: Router,
  { services: { phonebooks } }: AppContext,
  form: ReturnType<typeof createPhonebookForm>,
): void {
  form.register(router);
  router.action(openActions.phonebooks, 'administer', async ({ user, push }) => {
    await push(phonebooksView(await phonebooks.list(user.workspaceId)));
  });
  router.action(addPhonebookAction, 'administer', async ({ user, view }) => {
    await view?.replace(await form.view(user, undefined));
  });
  router.action(removePhonebookAction, 'administer', async ({ user, value, view }) => {
    await phonebooks.forget(user.workspaceId, value);
    await view?.replace(phonebooksView(await phonebooks.list(user.workspaceId)));
  });
}

/** The form for a phonebook. Where the provider's list cannot be searched, its id is typed. */
export function createPhonebookForm({ services: { phonebooks } }: AppContext) {
  const chosenId = searchField(
    'Phonebook',
    async ({ user, query }) => {
      const { phonebooks: listed, note } = await phonebooks.choices(user.workspaceId);
      return { options: phonebookOptions(listed, query), note };
    },
    { placeholder: 'Search, or type an ID', hint: 'From the provider’s list.' },
  );
  const typedId = textField('ID', {
    max: maxId,
    focus: true,
    hint: 'From the provider’s dashboard. Choosing from the provider’s list is off: your operator can turn it on.',
  });
  return defineForm({
    id: 'phonebook_name',
    title: 'New phonebook',
    submit: 'Add',
    needs: 'administer',
    fields: {
      id: phonebooks.canChoose ? chosenId : typedId,
      name: textField('Name', {
        max: maxPhonebookName,
        hint: 'Default: the provider’s name for the phonebook.',
        optional: true,
      }),
    },
    slow: { loading: loadingView('New phonebook', 'Checking the ID…') },
    async submitted({ user: { workspaceId }, form: { id, name } }) {
      const typed = { id: (typeof id === 'string' ? id : id?.value) ?? '', name };
      const result = await phonebooks.name(workspaceId, typed).catch(connectFirst);
      switch (result.kind) {
        case 'refused':
          return { faults: result.faults };
        case 'named': {
          const feedback = mrkdwn`${stateIcons.done} *${result.phonebook.name}* added.`;
          return { view: phonebooksView(await phonebooks.list(workspaceId), feedback) };
        }
      }
    },
  });
}

/** The phonebooks of the workspace, for an admin. `feedback`: the outcome of the last action. */
export function phonebooksView(phonebooks: readonly NamedPhonebook[], feedback?: Markup): ModalView {
  return notice(
    'Phonebooks',
    ...banner(feedback),
    ...(phonebooks.length === 0 ? [section(mrkdwn`No phonebooks yet.`)] : phonebooks.map(phonebookLine)),
    actions(
      'phonebooks',
      button(addPhonebookAction, 'Add a phonebook', { style: 'primary' }),
      ...(phonebooks.length === 0 ? [] : [button(openActions.contacts, 'Open contacts')]),
    ),
    context(mrkdwn`The provider’s phonebooks appear here once you add them.`),
  );
}

function phonebookLine({ id, name }: NamedPhonebook) {
  return {
    ...section(mrkdwn`*${name}*\n\`${id}\``),
    accessory: button(removePhonebookAction, 'Remove', {
      value: id,
      confirm: confirmDialog({
        title: 'Remove phonebook?',
        text: 'Switchboard will no longer list it. The phonebook and its contacts stay in the provider’s dashboard.',
        yes: 'Remove',
        no: 'Keep',
      }),
    }),
  };
}

/** The options for a query: the phonebooks whose name or id contains it, and the query itself as an id. */
function phonebookOptions(phonebooks: readonly ListedPhonebook[], query: string): PlainTextOption[] {
  const typed = query.trim();
  const searched = typed.toLowerCase();
  const found = phonebooks.filter(
    ({ id, name }) => id.length <= maxId && (id.includes(typed) || name.toLowerCase().includes(searched)),
  );
  const offered = found.map(({ id, name, contacts }) =>
    option(name || id, id, contacts === undefined ? undefined : pluralize(contacts, 'contact')),
  );
  const itself =
    typed === '' || typed.length > limits.optionText || phonebooks.some(({ id }) => id === typed)
      ? []
      : [option(typed, typed, 'Use it as the ID')];
  return [...clampList(offered, limits.options - itself.length).shown, ...itself];
}
