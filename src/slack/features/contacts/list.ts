import type { Button, KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ContactList, ContactSearchResult, ListedContact } from '../../../services/contacts/contacts.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { ifRefused } from '../../../services/refusal.ts';
import { unreadableNote } from '../../../services/workspaces/account-list-cache.ts';
import {
  actions,
  button,
  context,
  divider,
  loadingView,
  modal,
  notice,
  present,
  section,
} from '../../block-kit/build.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { phonebookInput } from '../../block-kit/inputs/selects.ts';
import { brief, limits } from '../../block-kit/limits.ts';
import { pageIndicator, pagePositionSchema, pagingButtons, viewPageOf } from '../../block-kit/paging.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { joinInline, joinWords, Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { unreadText } from '../../middleware/explain-refusal.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import type { ActionRequest, ReplaceView, ShowModal, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import { noPhonebooks } from './phonebooks.ts';

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

/** Leads from another view to the list, at the position in its value. */
const backAction = 'contacts_back';

export function backButton(position: ListPosition): Button {
  return button(backAction, 'Back to the list', { value: JSON.stringify(position) });
}

const phonebookAction = 'contacts_phonebook';
const searchAction = 'contacts_search';
const pagingActions = { previous: 'contacts_previous', next: 'contacts_next' } as const;
const sendToPageAction = 'contacts_send_page';
const sendToAllAction = 'contacts_send_all';
export const contactListActions = {
  card: 'contacts_card',
  add: 'contacts_add',
  upload: 'contacts_upload',
  sendToOne: 'contacts_send_one',
} as const;

const listCallback = 'contacts_list';
export const loadingContacts = loadingView('Contacts', 'Loading contacts…');

/** The list of contacts: its search, its pages, and the forms of messages to them. */
export function registerContactList(router: Router, app: AppContext): void {
  const showAt = ({ user, show }: ActionRequest, position: ListPosition) =>
    showContacts(app, show, user, position);
  const showAsEntered = (call: ActionRequest, page?: number) =>
    showAt(call, readListPosition(call.view?.values ?? {}, positionOf(call), page));

  router.action(openActions.contacts, 'look_up', async (call) => {
    const [first] = await app.services.phonebooks.list(call.user.workspaceId);
    await (first === undefined ? call.show(noPhonebooksView()) : showAt(call, startOfList(first.id)));
  });
  for (const actionId of [phonebookAction, searchAction]) {
    router.action(actionId, 'look_up', (call) => showAsEntered(call));
  }
  onPaging(router, pagingActions, 'look_up', pagePositionSchema, (call, { page }) =>
    showAsEntered(call, page),
  );
  router.action(backAction, 'look_up', (call) =>
    showAt(call, listPositionSchema.parse(JSON.parse(call.value))),
  );
  router.submission(listCallback, 'look_up', async ({ user, values, metadata }) => {
    const position = readListPosition(values, listPositionSchema.parse(metadata));
    return { view: loadingContacts, background: (show) => contactsAt(app, user, position, show) };
  });
  registerMessagesToContacts(router, app);
}

/** Returns the position of the list that a click was made in, or that its view returns to. */
export function positionOf({ view }: ActionRequest): ListPosition {
  return listPositionSchema.parse(view?.metadata);
}

/** The forms of messages to one contact, to those found on the page, and to the whole phonebook. */
function registerMessagesToContacts(router: Router, { services, navigation }: AppContext): void {
  const { contacts } = services;
  const form = ({ user, requestId }: ActionRequest, { origin }: ListPosition, to: readonly PhoneNumber[]) =>
    navigation.messageForm(
      user,
      { recipients: to.join('\n') },
      { draftId: idempotencyKey(user.workspaceId, requestId), origin },
    );

  router.action(contactListActions.sendToOne, 'send', async (call) => {
    await call.push(await form(call, positionOf(call), [phoneNumberSchema.parse(call.value)]));
  });

  router.action(sendToAllAction, 'campaign', async (call) => {
    const { phonebookId, origin } = positionOf(call);
    const { user, requestId } = call;
    await call.push(await navigation.campaignForm(user, { requestId, origin, phonebookId }));
  });

  router.action(sendToPageAction, 'send', async (call) => {
    const { workspaceId } = call.user;
    const position = positionOf(call);
    const replace = await call.push(loadingView('New message', 'Loading contacts…'));
    const list = await (position.search === ''
      ? contacts.list(workspaceId, position)
      : contacts.search(workspaceId, position));
    await replace(await form(call, position, numbersOf(list.contacts)));
  });
}

/** Shows the list at a position, and at once that it is loading. */
export async function showContacts(
  app: AppContext,
  show: ShowModal,
  user: User,
  position: ListPosition,
): Promise<void> {
  const replace = await show(loadingContacts);
  await replace(await contactsAt(app, user, position, replace));
}

/** Returns the list at a position. `show` gets the progress of a search, which ends early once nobody sees that. */
async function contactsAt(
  app: AppContext,
  { workspaceId, permissions }: User,
  position: ListPosition,
  show: ReplaceView,
): Promise<ModalView> {
  const { contacts, phonebooks, suppressionList } = app.services;
  const read =
    position.search === '' ? contacts.list(workspaceId, position) : search(app, workspaceId, position, show);
  const [list, named] = await Promise.all([
    read.catch(ifRefused(['not_connected', 'failed'], unreadText)),
    phonebooks.list(workspaceId),
  ]);
  if (named.length === 0) {
    return noPhonebooksView();
  }
  const numbers = 'contacts' in list ? list.contacts.flatMap(({ number }) => number ?? []) : [];
  const suppressed = new Set(await suppressionList.filterListed(workspaceId, numbers));
  return contactListView({ list, suppressed, phonebooks: named, permissions }, position);
}

/** How many more contacts are searched at each update of the progress. */
const progressStep = 500;

async function search(
  { services: { contacts }, stopping }: AppContext,
  workspaceId: string,
  position: ListPosition,
  show: ReplaceView,
): Promise<ContactSearchResult> {
  const unseen = new AbortController();
  let total: number | undefined;
  const showSearched = async (searched: number) => {
    const of = total === undefined ? '' : ` of ${formatCount(total)}`;
    if (!(await show(loadingView('Contacts', `Searching: ${formatCount(searched)}${of} contacts done…`)))) {
      unseen.abort();
    }
  };
  const progress = showProgress(showSearched, progressStep, Number.POSITIVE_INFINITY);
  return contacts
    .search(workspaceId, position, {
      signal: AbortSignal.any([stopping, unseen.signal]),
      progress(searched, of) {
        total = of;
        progress.report(searched);
      },
    })
    .finally(progress.settled);
}

/** Reads the position from the fields of the list. Another phonebook, or another search, starts at the first page. */
function readListPosition(values: FormValues, last: ListPosition, page = last.page): ListPosition {
  const phonebookId = values.phonebook?.text ?? last.phonebookId;
  const search = values.search?.text?.trim() ?? '';
  const isSameList = phonebookId === last.phonebookId && search === last.search;
  return { ...last, phonebookId, page: isSameList ? page : 0, search };
}

function noPhonebooksView(): ModalView {
  return notice('Contacts', section(mrkdwn`${noPhonebooks} Ask an admin to add one.`));
}

/** A page of contacts or what a search found, and which of the numbers are on the suppression list. */
interface ContactsContent {
  /** A text says why they can't be read. */
  list: ContactList | ContactSearchResult | Markup;
  suppressed: ReadonlySet<PhoneNumber>;
  phonebooks: readonly NamedPhonebook[];
  permissions: ReadonlySet<Permission>;
}

/** A page of a phonebook's contacts, or the contacts of the whole phonebook that a search found. */
export function contactListView(content: ContactsContent, position: ListPosition): ModalView {
  const buttons = changeButtons(content);
  return modal({
    callbackId: listCallback,
    title: 'Contacts',
    submit: 'Search',
    metadata: position,
    blocks: [
      phonebookInput(content.phonebooks, position.phonebookId, phonebookAction),
      textInput('search', 'Search contacts', position.search, {
        actionId: searchAction,
        maxLength: 100,
        placeholder: 'A name, part of a number, a company',
        optional: true,
        dispatchOn: 'enter',
      }),
      ...(buttons.length === 0 ? [] : [actions('contacts_change', ...buttons)]),
      divider(),
      ...contactBlocks(content, position.page),
    ],
  });
}

/** What the user may do with the contacts: nothing is shown to somebody who may only look. */
function changeButtons({ list, permissions }: ContactsContent): Button[] {
  const contacts = 'contacts' in list ? list.contacts : [];
  const { length } = numbersOf(contacts);
  const mayChange = permissions.has('campaign');
  return present(
    permissions.has('send') &&
      length > 0 &&
      button(sendToPageAction, `Send SMS to ${pluralize(length, 'contact')}`, { style: 'primary' }),
    // A campaign, for more contacts than a page has or one message can go to.
    mayChange && contacts.length > 0 && button(sendToAllAction, 'Send to the whole phonebook'),
    mayChange && button(contactListActions.add, 'Add a contact'),
    mayChange && button(contactListActions.upload, 'Upload a file'),
    permissions.has('administer') && button(openActions.phonebooks, 'Open phonebooks'),
  );
}

/** Slack allows 100 blocks in a view; a contact takes one. */
const maxContactsShown = 80;

function contactBlocks({ list, suppressed }: ContactsContent, page: number): KnownBlock[] {
  if (list instanceof Markup) {
    return [section(list)];
  }
  const { contacts } = list;
  const shown = contacts.slice(0, maxContactsShown);
  const rows = shown.map((contact) => contactLine({ page, ...contact }, suppressed));
  const aboutOf = (count: number, ...remarks: Markup[]) =>
    context(
      joinInline([
        ...remarks,
        ...present(count > maxContactsShown && mrkdwn`first ${maxContactsShown} shown`),
      ]),
    );
  if (list.kind === 'listed') {
    const { number, last, unreadable } = list.page;
    const none =
      unreadable.length > 0
        ? mrkdwn`No contact can be shown.`
        : mrkdwn`No contacts yet. Uploaded contacts appear within minutes.`;
    const paging = pagingButtons(viewPageOf(contacts, { page: number, from: 0 }, { last }), pagingActions);
    return [
      aboutOf(contacts.length, ...present(pageIndicator(list.page))),
      ...(rows.length === 0 ? [section(none)] : rows),
      ...(paging.length === 0 ? [] : [actions('contacts_paging', ...paging)]),
    ];
  }
  const { found, searched, unreadable, isWhole } = list;
  const where = isWhole ? '' : 'the first ';
  const leftOut = unreadableNote(unreadable);
  return [
    aboutOf(
      found,
      mrkdwn`${formatCount(found)} found in ${where}${pluralize(searched, 'contact')}`,
      ...present(leftOut !== undefined && mrkdwn`${leftOut}`),
    ),
    ...(rows.length === 0 ? [section(mrkdwn`No results.`)] : rows),
  ];
}

/** The contact of a card, and the zero-based page of the phonebook that it is on. */
export const cardValueSchema = z.object({ id: z.string(), page: z.int().min(0) });

const maxDetailsInLine = 3;

function contactLine(
  contact: ListedContact & { page: number },
  suppressed: ReadonlySet<PhoneNumber>,
): SectionBlock {
  const { id, page, name, company, number, written } = contact;
  const details = [name, company, ...otherColumns(contact).map(({ value }) => value)]
    .filter((text) => text !== '')
    .slice(0, maxDetailsInLine)
    .map(brief);
  const mark =
    number !== undefined && suppressed.has(number)
      ? mrkdwn` · :no_entry_sign: on the do-not-contact list`
      : '';
  const line = section(
    mrkdwn`\`${number ?? brief(written)}\`${details.length === 0 ? '' : mrkdwn` · ${joinWords(details)}`}${mark}`,
  );
  const value = JSON.stringify({ id, page } satisfies z.infer<typeof cardValueSchema>);
  return value.length > limits.buttonValue
    ? line
    : { ...line, accessory: button(contactListActions.card, 'Open', { value }) };
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
function numbersOf(contacts: readonly ListedContact[]) {
  const numbers = contacts.flatMap(({ number }) => (number === undefined ? [] : [number]));
  return [...new Set(numbers)].slice(0, maxRecipientsPerRequest);
}
