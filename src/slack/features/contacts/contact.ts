import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import { formatNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import {
  type ListedContact,
  readContactForm,
  type TypedContact,
} from '../../../services/contacts/contacts.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import type { SpendResult } from '../../../services/operations/operations.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  lines,
  modal,
  performingView,
  section,
} from '../../block-kit/build.ts';
import { describeSuppressed } from '../../block-kit/descriptions/number.ts';
import { phoneCountryInput } from '../../block-kit/inputs/countries.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { phonebookInput } from '../../block-kit/inputs/selects.ts';
import { clampList, clampText } from '../../block-kit/limits.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import { requirePerformed } from '../../middleware/not-performed.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import {
  addAction,
  backAction,
  cardAction,
  cardValueSchema,
  type ListPosition,
  listPositionSchema,
  loadingContacts,
  otherColumns,
  startOfList,
} from './list-view.ts';
import { contactOutcomeView } from './outcome-view.ts';

/** A contact: its card, its deletion, and the form for a new one. */
export function registerContact(router: Router, context: AppContext): void {
  const { contacts, phonebooks, operations } = context.services;

  router.action(cardAction, 'look_up', (call) => showCard(context, call));

  router.action(deleteAction, 'campaign', async ({ user, view }) => {
    const { key, contactId, number, ...position } = cardMetadata.parse(view?.metadata);
    const phonebook = await findPhonebook(phonebooks, user, position.phonebookId);
    await view?.replace(performingView('Contact', 'Deleting the contact…', 'deleted'));
    const result = await contacts.delete({ ...user, key, phonebook, contact: { id: contactId, number } });
    await view?.replace(await outcomeOf(context, result, position));
  });

  router.action(addAction, 'campaign', async (call) => {
    await call.view?.replace(addContactView({ ...(await newFormOf(context, call)), number: '' }));
  });

  router.submission(addContactCallback, 'campaign', async ({ user, values, metadata }) => {
    const { key, origin } = changeMetadata.parse(metadata);
    const phonebook = await findPhonebook(phonebooks, user, values.phonebook?.text);
    const read = readContactForm(readContact(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: performingView('New contact', 'Adding the contact…', 'added'),
      background: async () => {
        const result = await contacts.add({ ...user, key, phonebook, contact: read.contact });
        return outcomeOf(context, result, startOfList(phonebook.id, origin));
      },
    };
  });

  router.closed(addContactCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, changeMetadata.parse(metadata).key, user.userId);
  });
}

async function showCard({ services }: AppContext, { user, value, requestId, view }: ActionRequest) {
  const { contacts, suppressionList, contactDeletion } = services;
  const { workspaceId, permissions } = user;
  const position = listPositionSchema.parse(view?.metadata);
  const { id, page } = cardValueSchema.parse(JSON.parse(value));
  await view?.replace(loadingContacts());
  const list = await contacts.list(workspaceId, { phonebookId: position.phonebookId, page });
  const contact = list.kind === 'listed' ? list.contacts.find((one) => one.id === id) : undefined;
  if (contact === undefined) {
    await view?.replace(noCardView(position, list.kind === 'failed' ? list.error.message : undefined));
    return;
  }
  const { number } = contact;
  const listed = number && (await suppressionList.find(workspaceId, [number])).get(number);
  const key = idempotencyKey(workspaceId, requestId);
  await view?.replace(
    contactCardView(contact, { position, key, deletable: contactDeletion, permissions, listed }),
  );
}

/** What a form over the list begins with. */
export async function newFormOf({ services }: AppContext, { user, requestId, view }: ActionRequest) {
  const { workspaceId } = user;
  const position = listPositionSchema.parse(view?.metadata);
  const [phonebooks, { country }] = await Promise.all([
    services.phonebooks.list(workspaceId),
    services.workspaces.defaults(workspaceId),
  ]);
  return { phonebooks, position, key: idempotencyKey(workspaceId, requestId), country };
}

async function outcomeOf(
  { notifier }: AppContext,
  result: SpendResult,
  position: ListPosition,
): Promise<ModalView> {
  requirePerformed(result, 'The phonebook is unchanged.');
  await notifier.notify(result.operation);
  return contactOutcomeView(result.operation, position);
}

export const sendToOneAction = 'contacts_send_one';
const deleteAction = 'contacts_delete';

const maxDetails = 40;
const maxDetailLength = 300;

function clip(text: string): string {
  return clampText(text, maxDetailLength);
}

/** The contact of the card, the list position to return to, and the idempotency key of the deletion. */
const cardMetadata = listPositionSchema.extend({
  contactId: z.string(),
  number: phoneNumberSchema.optional(),
  key: z.string(),
});

/** Every detail of a contact, with what the user may do: send an SMS, delete the contact. */
export function contactCardView(
  contact: ListedContact,
  options: {
    position: ListPosition;
    key: string;
    /** Whether the provider deletes contacts on request. */
    deletable: boolean;
    permissions: ReadonlySet<Permission>;
    /** The number's entry in the suppression list, if it has one. */
    listed: SuppressedNumber | undefined;
  },
): ModalView {
  const { position, key, deletable, permissions, listed } = options;
  const { id, number, written, name, company, emailAddress, createdAt } = contact;
  const mayDelete = permissions.has('campaign');
  const shownNumber = number === undefined ? written : formatNumber(number);
  const known = [
    { key: 'Number', value: shownNumber },
    { key: 'Name', value: name },
    { key: 'Company', value: company },
    { key: 'Email', value: emailAddress },
    ...otherColumns(contact),
  ].filter(({ value }) => value !== '');
  const { shown, cut } = clampList(known, maxDetails);
  return modal({
    callbackId: 'contact_card',
    title: 'Contact',
    metadata: { ...position, contactId: id, key, number },
    blocks: [
      ...lines([
        ...shown.map(({ key: title, value }) => mrkdwn`*${clip(title)}* · ${clip(value)}`),
        ...(cut === 0 ? [] : [mrkdwn`_and ${cut} more columns_`]),
      ]),
      ...(createdAt === undefined ? [] : [context(mrkdwn`Added ${timeFor(createdAt)}`)]),
      ...(listed === undefined ? [] : [section(mrkdwn`:no_entry_sign: ${describeSuppressed(listed)}`)]),
      actions(
        'contact',
        ...(number !== undefined && permissions.has('send')
          ? [button(sendToOneAction, 'Send SMS', { value: number, style: 'primary' })]
          : []),
        button(backAction, 'Back to the list'),
        ...(mayDelete && deletable
          ? [deleteButton(number === undefined ? 'This contact' : formatNumber(number))]
          : []),
      ),
      ...(mayDelete && !deletable ? [context(deletionOff)] : []),
    ],
  });
}

const deletionOff = mrkdwn`Delete contacts on the provider’s dashboard.`;

function deleteButton(who: string) {
  return button(deleteAction, 'Delete', {
    style: 'danger',
    confirm: confirmDialog({
      title: 'Delete contact?',
      text: `${who} is deleted from the provider’s phonebook.`,
      yes: 'Delete',
      no: 'Keep',
      danger: true,
    }),
  });
}

/** Shown instead of a card: why there is none. */
export function noCardView(position: ListPosition, problem: string | undefined): ModalView {
  return modal({
    callbackId: 'contact_card',
    title: 'Contact',
    metadata: position,
    blocks: [
      section(
        problem === undefined
          ? mrkdwn`This contact is no longer here. Go back to the list and search again.`
          : mrkdwn`${stateIcons.failed} ${problem}`,
      ),
      actions('contact', button(backAction, 'Back to the list')),
    ],
  });
}

const addContactCallback = 'contact_add';

/** The idempotency key of the form's change, and the list position to return to. */
export const changeMetadata = listPositionSchema.extend({ key: z.string() });

const detail = { maxLength: 100, optional: true };

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
      textInput('number', 'Phone number', number, { maxLength: 40, focus: number === '' }),
      phoneCountryInput('country', country, 'For a number without a country code.'),
      textInput('firstName', 'First name', '', detail),
      textInput('lastName', 'Last name', '', detail),
      textInput('company', 'Company', '', detail),
      textInput('emailAddress', 'Email', '', detail),
    ],
  });
}

function readContact(values: FormValues): TypedContact {
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
