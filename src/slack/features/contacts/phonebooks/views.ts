import type { ModalView } from '@slack/types';
import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import { maxPhonebookName } from '../../../../services/contacts/phonebooks.ts';
import { actions, button, context, input, modal, notice, section } from '../../../block-kit/build.ts';
import { confirmDialog } from '../../../block-kit/confirm-dialog.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';

export const addPhonebookAction = 'phonebooks_add';
export const removePhonebookAction = 'phonebooks_remove';
export const phonebookCallback = 'phonebook_name';

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

export function namePhonebookView(): ModalView {
  return modal({
    callbackId: phonebookCallback,
    title: 'New phonebook',
    submit: 'Add',
    close: 'Cancel',
    blocks: [
      input(
        'id',
        'ID',
        { type: 'plain_text_input', action_id: 'id', max_length: 100, focus_on_load: true },
        { hint: 'From the provider’s dashboard.' },
      ),
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
