import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../../domain/access/roles.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { ContactList, ContactSearchResult, ListedContact } from '../../../services/contacts/contacts.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { actions, button, context, divider, input, modal, section } from '../../block-kit/build.ts';
import { phonebookInput } from '../../block-kit/inputs/phonebook-input.ts';
import { brief, limits } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pageIndicator } from '../../block-kit/paging.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';
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

/** The contact of a card, and the zero-based page of the phonebook that it is on. */
export const cardValueSchema = z.object({ id: z.string(), page: z.int().min(0) });

/** A page of contacts or what a search found, and which of the numbers are on the suppression list. */
export interface ContactsContent {
  list: ContactList | ContactSearchResult;
  suppressed: ReadonlySet<PhoneNumber>;
  phonebooks: readonly NamedPhonebook[];
  permissions: ReadonlySet<Permission>;
}

export function loadingContacts(): ModalView {
  return loadingView('Contacts', 'Loading contacts…');
}

export function searchingView(searched: number, total: number | undefined): ModalView {
  const of = total === undefined ? '' : ` of ${formatCount(total)}`;
  return loadingView('Contacts', `Searching: ${formatCount(searched)}${of} contacts done…`);
}

/** A page of a phonebook's contacts, or those of the whole phonebook that a search found. */
export function contactListView(content: ContactsContent, position: ListPosition): ModalView {
  const { list, phonebooks, permissions } = content;
  return modal({
    callbackId: contactListCallback,
    title: 'Contacts',
    submit: 'Search',
    metadata: position,
    blocks: [
      phonebookInput(phonebooks, position.phonebookId, phonebookAction),
      input(
        'search',
        'Search contacts',
        {
          type: 'plain_text_input',
          action_id: searchContactsAction,
          max_length: 100,
          placeholder: { type: 'plain_text', text: 'A name, part of a number, a company' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          ...(position.search === '' ? {} : { initial_value: position.search }),
        },
        { optional: true, dispatch: true },
      ),
      ...changeBlock(list, permissions),
      divider(),
      ...contactBlocks(content, position),
    ],
  });
}

/** What the user may do with the contacts: nothing is shown to somebody who may only look. */
function changeBlock(list: ContactsContent['list'], permissions: ReadonlySet<Permission>): KnownBlock[] {
  const buttons = [
    ...(permissions.has('send') ? sendButton(list) : []),
    ...(permissions.has('campaign')
      ? [...sendToAllButton(list), button(addAction, 'Add a contact'), button(uploadAction, 'Upload a file')]
      : []),
    ...(permissions.has('administer') ? [button(openActions.phonebooks, 'Phonebooks')] : []),
  ];
  return buttons.length === 0 ? [] : [actions('contacts_change', ...buttons)];
}

function contactBlocks({ list, suppressed }: ContactsContent, position: ListPosition): KnownBlock[] {
  switch (list.kind) {
    case 'not_connected':
      return [section(notConnectedText())];
    case 'failed':
      return [section(mrkdwn`${stateIcons.failed} ${list.error.message}`)];
    case 'listed': {
      const { page } = position;
      return [
        context(joinInline([pageIndicator(list.page), ...firstShown(list.contacts.length)])),
        ...contactLines(
          list.contacts.map((contact) => ({ ...contact, page })),
          suppressed,
        ),
        ...pageButtons(list.page),
      ];
    }
    case 'searched': {
      const { contacts, found, searched, isWhole } = list;
      const where = isWhole ? '' : 'the first ';
      return [
        context(
          joinInline([
            mrkdwn`${formatCount(found)} found in ${where}${pluralize(searched, 'contact')}`,
            ...firstShown(found),
          ]),
        ),
        ...contactLines(contacts, suppressed, mrkdwn`No results.`),
      ];
    }
  }
}

function firstShown(count: number): Markup[] {
  return count > maxContactsShown ? [mrkdwn`first ${maxContactsShown} shown`] : [];
}

const emptyPhonebook = mrkdwn`No contacts yet. Uploaded contacts appear within minutes.`;

function contactLines(
  contacts: readonly (ListedContact & { page: number })[],
  suppressed: ReadonlySet<PhoneNumber>,
  none: Markup = emptyPhonebook,
): SectionBlock[] {
  return contacts.length === 0
    ? [section(none)]
    : contacts.slice(0, maxContactsShown).map((contact) => contactLine(contact, suppressed));
}

function pageButtons({ number, last }: { number: number; last: boolean }): KnownBlock[] {
  const buttons = [
    ...(number > 0 ? [button(previousContactsAction, 'Previous')] : []),
    ...(last ? [] : [button(nextContactsAction, 'Next')]),
  ];
  return buttons.length === 0 ? [] : [actions('contacts_paging', ...buttons)];
}

function sendButton(list: ContactsContent['list']) {
  const { length } = 'contacts' in list ? numbersOf(list.contacts) : [];
  return length === 0
    ? []
    : [button(sendToPageAction, `Send SMS to ${pluralize(length, 'contact')}`, { style: 'primary' })];
}

/** Opens a campaign, for more contacts than a page has or one message can go to. */
function sendToAllButton(list: ContactsContent['list']) {
  return 'contacts' in list && list.contacts.length > 0
    ? [button(sendToAllAction, 'Send to the whole phonebook')]
    : [];
}

function contactLine(
  contact: ListedContact & { page: number },
  suppressed: ReadonlySet<PhoneNumber>,
): SectionBlock {
  const { id, page, name, company, number, written } = contact;
  const details = [name, company, ...otherColumns(contact).map(({ value }) => value)]
    .filter((text) => text !== '')
    .slice(0, maxDetailsInLine)
    .map(brief)
    .join(', ');
  const mark =
    number !== undefined && suppressed.has(number) ? mrkdwn` · :no_entry_sign: Do not contact` : '';
  const line = section(
    mrkdwn`\`${number === undefined ? brief(written) : formatNumber(number)}\`${details === '' ? '' : ` · ${details}`}${mark}`,
  );
  const value = JSON.stringify({ id, page } satisfies z.infer<typeof cardValueSchema>);
  return value.length > limits.buttonValue
    ? line
    : { ...line, accessory: button(cardAction, 'Open', { value }) };
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

/** Reads the position from the fields of the list. Another phonebook, or another search, starts at the first page. */
export function readListPosition(values: FormValues, last: ListPosition, step = 0): ListPosition {
  const phonebookId = values.phonebook?.text ?? last.phonebookId;
  const search = values.search?.text?.trim() ?? '';
  const isSameList = phonebookId === last.phonebookId && search === last.search;
  return { ...last, phonebookId, page: isSameList ? Math.max(0, last.page + step) : 0, search };
}
