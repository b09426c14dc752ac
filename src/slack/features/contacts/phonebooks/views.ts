import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import {
  type ListedPhonebook,
  maxPhonebookName,
  type NamedPhonebook,
} from '../../../../services/contacts/phonebooks.ts';
import { actions, button, context, input, modal, notice, option, section } from '../../../block-kit/build.ts';
import { confirmDialog } from '../../../block-kit/confirm-dialog.ts';
import { clampList, limits } from '../../../block-kit/limits.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';

export const addPhonebookAction = 'phonebooks_add';
export const removePhonebookAction = 'phonebooks_remove';
export const phonebookCallback = 'phonebook_name';
export const phonebookChoiceAction = 'phonebook_choice';

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
      canChoose ? choiceInput() : idInput(),
      input(
        'name',
        'Name',
        { type: 'plain_text_input', action_id: 'name', max_length: maxPhonebookName },
        {
          hint: 'Default: the provider’s name for the phonebook.',
          optional: true,
        },
      ),
    ],
  });
}

function idInput(): InputBlock {
  return input(
    'id',
    'ID',
    { type: 'plain_text_input', action_id: 'id', max_length: maxId, focus_on_load: true },
    {
      hint: 'From the provider’s dashboard. Choosing from the provider’s list is off: the people who run Switchboard can switch it on.',
    },
  );
}

function choiceInput(): InputBlock {
  return input(
    'id',
    'Phonebook',
    {
      type: 'external_select',
      action_id: phonebookChoiceAction,
      min_query_length: 0,
      placeholder: { type: 'plain_text', text: 'Search, or type an ID' },
    },
    { hint: 'From the provider’s list.' },
  );
}

/** The options for a query: the phonebooks whose name or id contains it, and the query itself as an id. */
export function phonebookOptions(phonebooks: readonly ListedPhonebook[], query: string): PlainTextOption[] {
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
  return [...clampList(offered, limits.options - itself.length).kept, ...itself];
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
