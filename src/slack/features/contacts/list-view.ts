import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../../domain/access/roles.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { ContactList, ContactSearchResult, ListedContact } from '../../../services/contacts/contacts.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { actions, button, context, divider, loadingView, modal, section } from '../../block-kit/build.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { phonebookInput } from '../../block-kit/inputs/selects.ts';
import { brief, limits } from '../../block-kit/limits.ts';
import { pageIndicator, pagingButtons, viewPageOf } from '../../block-kit/paging.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** Leads back to the list, at the position in the view's metadata. */
export const backAction = 'contacts_back';

/** The page and search of a phonebook that a view returns to. `origin` is the channel of the command. */
export const listPositionSchema = z.object({
  phonebookId: z.string(),
  /** Zero-based. */
  page: z.number().int(),
  search: z.string(),
  origin: z.string().optional(),
});
export type ListPosition = z.infer<typeof listPositionSchema>;

/** Returns the position of the first page of a phonebook. */
export function startOfList(phonebookId: string, origin?: string): ListPosition {
  return { phonebookId, page: 0, search: '', origin };
}

export const contactListCallback = 'contacts_list';
export const phonebookAction = 'contacts_phonebook';
export const searchContactsAction = 'contacts_search';
export const contactPagingActions = { previous: 'contacts_previous', next: 'contacts_next' } as const;
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
      textInput('search', 'Search contacts', position.search, {
        actionId: searchContactsAction,
        maxLength: 100,
        placeholder: 'A name, part of a number, a company',
        optional: true,
        dispatchOn: 'enter',
      }),
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
      const { number, last } = list.page;
      const shown = viewPageOf(list.contacts, { page: number, from: 0 }, { last });
      const buttons = pagingButtons(shown, contactPagingActions);
      return [
        context(joinInline([pageIndicator(list.page), ...firstShown(list.contacts.length)])),
        ...contactLines(
          list.contacts.map((contact) => ({ ...contact, page })),
          suppressed,
        ),
        ...(buttons.length === 0 ? [] : [actions('contacts_paging', ...buttons)]),
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
export function readListPosition(values: FormValues, last: ListPosition, page = last.page): ListPosition {
  const phonebookId = values.phonebook?.text ?? last.phonebookId;
  const search = values.search?.text?.trim() ?? '';
  const isSameList = phonebookId === last.phonebookId && search === last.search;
  return { ...last, phonebookId, page: isSameList ? page : 0, search };
}
