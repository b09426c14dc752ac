import type { ModalView, PlainTextOption } from '@slack/types';
import {
  type ListedPhonebook,
  maxPhonebookName,
  type NamedPhonebook,
} from '../../../services/contacts/phonebooks.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  loadingView,
  modal,
  notice,
  option,
  section,
} from '../../block-kit/build.ts';
import { searchInput, textInput } from '../../block-kit/inputs/fields.ts';
import { clampList, limits } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

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
    return answerWhenReady(add(phonebooks, user, typed), {
      beforeAckDeadline,
      loading: addingPhonebookView(),
    });
  });
}

async function add(
  phonebooks: AppContext['services']['phonebooks'],
  { workspaceId }: User,
  typed: NamedPhonebook,
): Promise<FormResult> {
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

const addPhonebookAction = 'phonebooks_add';
const removePhonebookAction = 'phonebooks_remove';
const phonebookCallback = 'phonebook_name';
const phonebookChoiceAction = 'phonebook_choice';

/** In characters. */
const maxId = 100;

/** The phonebooks of the workspace, for an admin. `banner` says what was just done. */
export function phonebooksView(phonebooks: readonly NamedPhonebook[], banner?: Markup): ModalView {
  return notice(
    'Phonebooks',
    ...(banner === undefined ? [] : [section(banner)]),
    ...(phonebooks.length === 0 ? [section(mrkdwn`No phonebooks yet.`)] : phonebooks.map(phonebookLine)),
    actions(
      'phonebooks',
      button(addPhonebookAction, 'Add a phonebook', { style: 'primary' }),
      ...(phonebooks.length === 0 ? [] : [button(openActions.contacts, 'Contacts')]),
    ),
    context(mrkdwn`Add each of the provider’s phonebooks once.`),
  );
}

function phonebookLine({ id, name }: NamedPhonebook) {
  return {
    ...section(mrkdwn`*${name}*\n\`${id}\``),
    accessory: button(removePhonebookAction, 'Remove', {
      value: id,
      confirm: confirmDialog({
        title: 'Remove phonebook?',
        text: 'Switchboard no longer lists the phonebook. The phonebook and its contacts stay at the provider.',
        yes: 'Remove',
        no: 'Keep',
      }),
    }),
  };
}

/** @param canChoose whether the provider's list can be searched; otherwise the id is typed */
export function namePhonebookView(canChoose: boolean): ModalView {
  return modal({
    callbackId: phonebookCallback,
    title: 'New phonebook',
    submit: 'Add',
    close: 'Cancel',
    blocks: [
      canChoose
        ? searchInput('id', 'Phonebook', {
            actionId: phonebookChoiceAction,
            placeholder: 'Search, or type an ID',
            hint: 'From the provider’s list.',
          })
        : textInput('id', 'ID', '', {
            maxLength: maxId,
            focus: true,
            hint: 'From the provider’s dashboard. Choosing from the provider’s list is off: the people who run Switchboard can switch it on.',
          }),
      textInput('name', 'Name', '', {
        maxLength: maxPhonebookName,
        hint: 'Default: the provider’s name for the phonebook.',
        optional: true,
      }),
    ],
  });
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

export function addingPhonebookView(): ModalView {
  return loadingView('New phonebook', 'Checking the ID…');
}

const noPhonebooks = mrkdwn`*No phonebooks yet.*`;

/** For a user who may not add one. */
export function noPhonebooksMessage(prefix: string): SlackMessage {
  const text = mrkdwn`${noPhonebooks} Ask an admin to add one with \`/${prefix}contacts\`.`;
  return message(text, [section(text)]);
}

export function noPhonebooksView(): ModalView {
  return notice('Contacts', section(mrkdwn`${noPhonebooks} Ask an admin to add one.`));
}
