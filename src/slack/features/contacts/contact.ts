import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import { phoneNumberSchema, toE164 } from '../../../domain/phone/phone-number.ts';
import type { ListedContact } from '../../../services/contacts/contacts.ts';
import { readContactForm } from '../../../services/contacts/contacts.ts';
import { ifRefused } from '../../../services/refusal.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  lines,
  modal,
  notice,
  option,
  performingView,
  present,
  section,
} from '../../block-kit/build.ts';
import { describeSuppressed } from '../../block-kit/descriptions/number.ts';
import { clampList, clampText } from '../../block-kit/limits.ts';
import { Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { countryField, optionsField, textField } from '../../kit/fields.ts';
import { defineSpend } from '../../kit/outcome.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { addToRefusal, unreadText } from '../../middleware/explain-refusal.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import {
  backButton,
  cardValueSchema,
  contactListActions,
  type ListPosition,
  listPositionSchema,
  loadingContacts,
  otherColumns,
  positionOf,
  startOfList,
} from './list.ts';
import { backToList, contactOutcomes, tellOfChange } from './outcomes.ts';

const nothingDone = 'The phonebook is unchanged.';

/** The form for one contact, over the list at a position. */
export function createNewContact(context: AppContext) {
  const { contacts, phonebooks } = context.services;
  const detail = { max: 100, optional: true };
  return defineSpend(context, {
    id: 'contact_add',
    title: 'New contact',
    submit: 'Add',
    needs: 'campaign',
    about: listPositionSchema,
    load: ({ workspaceId }) => whereContactsGo(context, workspaceId),
    first: ({ country }, { about: { phonebookId } }) => ({ phonebook: phonebookId, country }),
    fields: {
      phonebook: optionsField('Phonebook'),
      number: textField('Phone number', { max: 40, focus: true }),
      country: countryField('For a number without a country code.'),
      firstName: textField('First name', detail),
      lastName: textField('Last name', detail),
      company: textField('Company', detail),
      emailAddress: textField('Email', detail),
    },
    overrides: { phonebook: ({ data: { options } }) => ({ options }) },
    doing: 'Adding the contact…',
    done: 'added',
    nothingDone,
    async submitted({ user, key, form }) {
      const phonebook = await findPhonebook(phonebooks, user, form.phonebook);
      const read = readContactForm(form);
      return read.ok
        ? { perform: () => contacts.add({ ...user, key, phonebook, contact: read.contact }) }
        : { faults: read.faults };
    },
    outcome(operation, modal) {
      const { form, meta } = modal;
      const position = startOfList(form.phonebook, meta.about.origin);
      return contactOutcomes.add.view(operation, modal, backToList(position));
    },
  });
}

/** What a form of new contacts begins with: the phonebooks to choose from, and the country of the numbers. */
export async function whereContactsGo(
  { services: { phonebooks, workspaces } }: AppContext,
  workspaceId: string,
) {
  const [named, { country }] = await Promise.all([
    phonebooks.list(workspaceId),
    workspaces.defaults(workspaceId),
  ]);
  return { options: named.map(({ id, name }) => option(name, id)), country };
}

/** The card of a contact and its deletion, and the form that adds one to the list. */
export function registerContactCard(
  router: Router,
  app: AppContext,
  newContact: ReturnType<typeof createNewContact>,
): void {
  const { contacts, phonebooks } = app.services;
  newContact.register(router);
  router.action(contactListActions.add, 'campaign', async (call) => {
    await call.view?.replace(await newContact.begin(call, positionOf(call)));
  });
  router.action(contactListActions.card, 'look_up', (call) => showCard(app, call));

  router.action(deleteAction, 'campaign', async ({ user, view }) => {
    const { key, contactId, number, ...position } = cardMetadata.parse(view?.metadata);
    const phonebook = await findPhonebook(phonebooks, user, position.phonebookId);
    await view?.replace(performingView('Contact', 'Deleting the contact…', 'deleted'));
    const { operation } = await contacts
      .delete({ ...user, key, phonebook, contact: { id: contactId, number } })
      .catch(addToRefusal(nothingDone));
    await view?.replace(await tellOfChange(app, 'delete', operation, { user, position }));
  });
}

async function showCard({ services }: AppContext, call: ActionRequest): Promise<void> {
  const { contacts, suppressionList, contactDeletion } = services;
  const { user, value, requestId, view } = call;
  const { workspaceId, permissions } = user;
  const position = positionOf(call);
  const { id, page } = cardValueSchema.parse(JSON.parse(value));
  await view?.replace(loadingContacts);
  const contact = await contacts
    .list(workspaceId, { phonebookId: position.phonebookId, page })
    .then((list) => list.contacts.find((one) => one.id === id) ?? contactGone)
    .catch(ifRefused(['not_connected', 'failed'], unreadText));
  if (contact instanceof Markup) {
    await view?.replace(notice('Contact', section(contact), actions('contact', backButton(position))));
    return;
  }
  const { number } = contact;
  const listed = number && (await suppressionList.find(workspaceId, [number])).get(number);
  const key = idempotencyKey(workspaceId, requestId);
  const card = { position, key, deletable: contactDeletion, permissions, listed };
  await view?.replace(contactCardView(contact, card));
}

const contactGone = mrkdwn`This contact is no longer here. Go back to the list and search again.`;

const deleteAction = 'contacts_delete';
const maxDetails = 40;
const maxDetailLength = 300;

const clip = (text: string) => clampText(text, maxDetailLength);

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
  const { id, number, written, createdAt, name, company, emailAddress } = contact;
  const mayDelete = permissions.has('campaign');
  const details = [
    { key: 'Number', value: number === undefined ? written : toE164(number) },
    { key: 'Name', value: name },
    { key: 'Company', value: company },
    { key: 'Email', value: emailAddress },
    ...otherColumns(contact),
  ].filter(({ value }) => value !== '');
  const { shown, cut } = clampList(details, maxDetails);
  const who = number ?? 'This contact';
  const deletion = button(deleteAction, 'Delete', {
    style: 'danger',
    confirm: confirmDialog({
      title: 'Delete contact?',
      text: mrkdwn`${who} will be deleted from the provider’s phonebook.`,
      yes: 'Delete',
      no: 'Keep',
      danger: true,
    }),
  });
  return modal({
    callbackId: 'contact_card',
    title: 'Contact',
    metadata: { ...position, contactId: id, key, number },
    blocks: [
      ...lines([
        ...shown.map(({ key: title, value }) => mrkdwn`*${clip(title)}* · ${clip(value)}`),
        ...present(cut > 0 && mrkdwn`_and ${cut} more columns_`),
      ]),
      ...present<KnownBlock>(
        createdAt !== undefined && context(mrkdwn`Added ${timeFor(createdAt)}`),
        listed !== undefined && section(mrkdwn`:no_entry_sign: ${describeSuppressed(listed)}`),
      ),
      actions(
        'contact',
        ...present(
          number !== undefined &&
            permissions.has('send') &&
            button(contactListActions.sendToOne, 'Send SMS', { value: toE164(number), style: 'primary' }),
          backButton(position),
          mayDelete && deletable && deletion,
        ),
      ),
      ...present(mayDelete && !deletable && context(mrkdwn`Delete contacts in the provider’s dashboard.`)),
    ],
  });
}
