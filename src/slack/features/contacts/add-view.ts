import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { TypedContact } from '../../../services/contacts/contact-form.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { input, modal } from '../../block-kit/build.ts';
import { phoneCountryInput } from '../../block-kit/inputs/phone-country-input.ts';
import { phonebookInput } from '../../block-kit/inputs/phonebook-input.ts';
import { performingView } from '../../block-kit/loading-view.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { type ListPosition, listPositionSchema } from './list-position.ts';

export const addContactCallback = 'contact_add';

/** The idempotency key of the form's change, and the list position to return to. */
export const changeMetadata = listPositionSchema.extend({ key: z.string() });

/** The form for one contact. */
export function addContactView(options: {
  phonebooks: readonly NamedPhonebook[];
  position: ListPosition;
  key: string;
  number: string;
  country: string;
}): ModalView {
  const { phonebooks, position, key, number, country } = options;
  return modal({
    callbackId: addContactCallback,
    title: 'New contact',
    submit: 'Add',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { ...position, key },
    blocks: [
      phonebookInput(phonebooks, position.phonebookId),
      input('number', 'Phone number', {
        type: 'plain_text_input',
        action_id: 'number',
        max_length: 40,
        ...(number === '' ? { focus_on_load: true } : { initial_value: number.slice(0, 40) }),
      }),
      phoneCountryInput('country', country, 'For a number without a country code.'),
      detail('firstName', 'First name'),
      detail('lastName', 'Last name'),
      detail('company', 'Company'),
      detail('emailAddress', 'Email'),
    ],
  });
}

function detail(blockId: string, label: string): InputBlock {
  const element = { type: 'plain_text_input' as const, action_id: blockId, max_length: 100 };
  return input(blockId, label, element, { optional: true });
}

export function addingView(): ModalView {
  return performingView('New contact', 'Adding the contact…', 'added');
}

export function readContact(values: FormValues): TypedContact {
  const text = (field: keyof TypedContact) => values[field]?.text ?? '';
  return {
    number: text('number'),
    country: text('country'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    company: text('company'),
    emailAddress: text('emailAddress'),
  };
}
