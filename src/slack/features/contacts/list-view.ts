import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import { type ContactList, type ListedContact, searchContacts } from '../../../services/contacts/contacts.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { actions, button, context, divider, input, modal, section } from '../../block-kit/build.ts';
import { phonebookInput } from '../../block-kit/inputs/phonebook-input.ts';
import { brief, limits } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pageIndicator } from '../../block-kit/paging/page-position.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { openActions } from '../../navigation/open-actions.ts';
import type { ListPosition } from './list-position.ts';

export const contactListCallback = 'contacts_list';
export const phonebookAction = 'contacts_phonebook';
export const searchContactsAction = 'contacts_search';
export const previousContactsAction = 'contacts_previous';
export const nextContactsAction = 'contacts_next';
export const cardAction = 'contacts_card';
export const addAction = 'contacts_add';
export const uploadAction = 'contacts_upload';
export const sendToPageAction = 'contacts_send_page';
export const sendToAllAction = 'contacts_send_all';

/** Slack allows 100 blocks in a view; a contact takes one. */
const maxContactsShown = 80;
const maxDetailsInLine = 3;

export function loadingContacts(): ModalView {
  return loadingView('Contacts', 'Asking the provider…');
}

/** A page of a phonebook's contacts. A search filters the page. */
export function contactListView(
  list: ContactList,
  position: ListPosition,
  { phonebooks, isAdmin }: { phonebooks: readonly NamedPhonebook[]; isAdmin: boolean },
): ModalView {
  return modal({
    callbackId: contactListCallback,
    title: 'Contacts',
    submit: 'Search',
    metadata: position,
    blocks: [
      phonebookInput(phonebooks, position.phonebookId, phonebookAction),
      input(
        'search',
        'Search this page',
        {
          type: 'plain_text_input',
          action_id: searchContactsAction,
          max_length: 100,
          placeholder: { type: 'plain_text', text: 'A name, a part of a number, a company' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          ...(position.search === '' ? {} : { initial_value: position.search }),
        },
        { optional: true, dispatch: true },
      ),
      actions(
        'contacts_change',
        ...sendButton(list, position),
        ...sendToAllButton(list),
        button(addAction, 'Add a contact'),
        button(uploadAction, 'Upload a file'),
        ...(isAdmin ? [button(openActions.phonebooks, 'Phonebooks')] : []),
      ),
      divider(),
      ...content(list, position),
    ],
  });
}

function content(list: ContactList, position: ListPosition): KnownBlock[] {
  if (list.kind === 'not_connected') {
    return [section(mrkdwn`No provider key is connected.`)];
  }
  if (list.kind === 'failed') {
    return [section(mrkdwn`${stateIcons.failed} ${list.error.message}`)];
  }
  const { number, last } = list.page;
  const found = searchContacts(list.contacts, position.search);
  const shown = found.slice(0, maxContactsShown);
  const pagingButtons = [
    ...(number > 0 ? [button(previousContactsAction, 'Previous')] : []),
    ...(last ? [] : [button(nextContactsAction, 'Next')]),
  ];
  const summary = [
    pageIndicator(list.page),
    ...(position.search === ''
      ? []
      : [mrkdwn`${found.length} of the ${list.contacts.length} on this page found`]),
    ...(shown.length < found.length
      ? [mrkdwn`the first ${shown.length} of ${found.length} shown: search for others`]
      : []),
  ];
  return [
    context(joinInline(summary)),
    ...(shown.length === 0 ? [section(noContacts(position))] : shown.map(contactLine)),
    ...(pagingButtons.length === 0 ? [] : [actions('contacts_paging', ...pagingButtons)]),
  ];
}

function sendButton(list: ContactList, { search }: ListPosition) {
  const numbers = list.kind === 'listed' ? numbersOf(searchContacts(list.contacts, search)) : [];
  if (numbers.length === 0) {
    return [];
  }
  const target = numbers.length === 1 ? 'this one' : `these ${numbers.length}`;
  return [button(sendToPageAction, `Send SMS to ${target}`, { style: 'primary' })];
}

/** Opens a campaign, for more contacts than a page has or one message can go to. */
function sendToAllButton(list: ContactList) {
  return list.kind === 'listed' && list.contacts.length > 0
    ? [button(sendToAllAction, 'Send SMS to everybody')]
    : [];
}

function noContacts({ search }: ListPosition): Markup {
  return search === ''
    ? mrkdwn`Nobody is in this phonebook yet. Contacts of a file appear some minutes after it was uploaded.`
    : mrkdwn`Nobody on this page fits *${search}*.`;
}

function contactLine(contact: ListedContact): SectionBlock {
  const { name, company, number, written } = contact;
  const details = [name, company, ...otherColumns(contact).map(({ value }) => value)]
    .filter((text) => text !== '')
    .slice(0, maxDetailsInLine)
    .map(brief)
    .join(', ');
  const line = section(
    mrkdwn`\`${number === undefined ? brief(written) : formatNumber(number)}\`${details === '' ? '' : ` · ${details}`}`,
  );
  return contact.id.length > limits.buttonValue
    ? line
    : { ...line, accessory: button(cardAction, 'Open', { value: contact.id }) };
}

/** Returns the columns of a contact, except a column that repeats its number in another format. */
export function otherColumns({ columns, written }: ListedContact): ListedContact['columns'] {
  return columns.filter(({ value }) => {
    const digits = value.replace(/\D/g, '').replace(/^0+/, '');
    const isNumber = digits.length > 5 && /^[+\d\s().-]+$/.test(value);
    return !(isNumber && written.replace(/\D/g, '').endsWith(digits));
  });
}

/** Returns the recipients of a message to these contacts: each once, at most as many as one message can go to. */
export function numbersOf(contacts: readonly ListedContact[]) {
  const numbers = contacts.flatMap(({ number }) => (number === undefined ? [] : [number]));
  return [...new Set(numbers)].slice(0, maxRecipientsPerRequest);
}

/** Reads the position from the fields of the list. Another phonebook starts at its first page. */
export function readListPosition(values: FormValues, last: ListPosition, step = 0): ListPosition {
  const phonebookId = values.phonebook?.text ?? last.phonebookId;
  const page = phonebookId === last.phonebookId ? Math.max(0, last.page + step) : 0;
  return { ...last, phonebookId, page, search: values.search?.text?.trim() ?? '' };
}
