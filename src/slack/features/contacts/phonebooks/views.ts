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
    ...(phonebooks.length === 0 ? [section(mrkdwn`None is added yet.`)] : phonebooks.map(phonebookLine)),
    actions(
      'phonebooks',
      button(addPhonebookAction, 'Add a phonebook', { style: 'primary' }),
      ...(phonebooks.length === 0 ? [] : [button(openActions.contacts, 'See the contacts')]),
    ),
    context(mrkdwn`The provider gives no list of its phonebooks, so each is added here once.`),
  );
}

function phonebookLine({ id, name }: NamedPhonebook) {
  return {
    ...section(mrkdwn`*${name}*\n\`${id}\``),
    accessory: button(removePhonebookAction, 'Remove', {
      value: id,
      confirm: confirmDialog({
        title: 'Remove from Switchboard?',
        text: 'It is no longer shown here. The phonebook and its contacts stay with the provider.',
        yes: 'Remove',
        no: 'Keep it',
      }),
    }),
  };
}

export function namePhonebookView(): ModalView {
  return modal({
    callbackId: phonebookCallback,
    title: 'Add a phonebook',
    submit: 'Add',
    close: 'Cancel',
    blocks: [
      input(
        'id',
        'Id',
        { type: 'plain_text_input', action_id: 'id', max_length: 100, focus_on_load: true },
        { hint: 'From the provider’s dashboard, of a phonebook that is there already.' },
      ),
      input(
        'name',
        'Name',
        { type: 'plain_text_input', action_id: 'name', max_length: maxPhonebookName },
        {
          hint: 'As people find it here. Left empty: the name that the provider has for it.',
          optional: true,
        },
      ),
    ],
  });
}

export function addingPhonebookView(): ModalView {
  return loadingView('Add a phonebook', 'Looking for it at the provider…');
}

const noPhonebooks = mrkdwn`*No phonebook is added yet.* An admin of this workspace adds them, by id and name.`;

/** For a user who may not add one. */
export function noPhonebooksMessage(prefix: string): SlackMessage {
  return message(noPhonebooks, [section(mrkdwn`${noPhonebooks} Ask one to type \`/${prefix}contacts\`.`)]);
}

export function noPhonebooksView(): ModalView {
  return notice('Contacts', section(noPhonebooks));
}
