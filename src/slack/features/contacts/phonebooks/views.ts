import type { ModalView } from '@slack/types';
import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import { maxPhonebookName } from '../../../../services/contacts/phonebooks.ts';
import { actions, button, context, input, modal, notice, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';

export const addPhonebookAction = 'phonebooks_add';
export const removePhonebookAction = 'phonebooks_remove';
export const phonebookCallback = 'phonebook_name';

/** The phonebooks that are named, for an admin. */
export function phonebooksView(phonebooks: readonly NamedPhonebook[], news?: Markup): ModalView {
  return notice(
    'Phonebooks',
    ...(news === undefined ? [] : [section(news)]),
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
      confirm: {
        title: { type: 'plain_text' as const, text: 'Remove from Switchboard?' },
        text: {
          type: 'plain_text' as const,
          text: 'It is no longer shown here. The phonebook and its contacts stay with the provider.',
        },
        confirm: { type: 'plain_text' as const, text: 'Remove' },
        deny: { type: 'plain_text' as const, text: 'Keep it' },
      },
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

export function tryingPhonebookView(): ModalView {
  return notice('Add a phonebook', section(mrkdwn`:hourglass_flowing_sand: Looking for it at the provider…`));
}

const none = mrkdwn`*No phonebook is added yet.* An admin of this workspace adds them, by id and name.`;

/** For who may not add any. */
export function noPhonebooksMessage(prefix: string): SlackMessage {
  return message(none, [section(mrkdwn`${none} Ask one to type \`/${prefix}contacts\`.`)]);
}

export function noPhonebooksView(): ModalView {
  return notice('Contacts', section(none));
}
