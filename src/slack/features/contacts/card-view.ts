import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ListedContact } from '../../../services/contacts/contacts.ts';
import { actions, button, context, lines, modal, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { clampList, clampText } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, timeFor } from '../../block-kit/text.ts';
import { backAction, type ListPosition, listPositionSchema } from './list-position.ts';
import { otherColumns } from './list-view.ts';

export const sendToOneAction = 'contacts_send_one';
export const deleteAction = 'contacts_delete';

const maxDetails = 40;
const maxDetailLength = 300;

function clip(text: string): string {
  return clampText(text, maxDetailLength);
}

/** The contact of the card, the list position to return to, and the idempotency key of the deletion. */
export const cardMetadata = listPositionSchema.extend({
  contactId: z.string(),
  number: phoneNumberSchema.optional(),
  key: z.string(),
});

/** Every detail of a contact, with buttons to send an SMS and to delete the contact. */
export function contactCardView(
  contact: ListedContact,
  { position, key, deletable }: { position: ListPosition; key: string; deletable: boolean },
): ModalView {
  const { id, number, written, name, company, emailAddress, createdAt } = contact;
  const shownNumber = number === undefined ? written : formatNumber(number);
  const known = [
    { key: 'Number', value: shownNumber },
    { key: 'Name', value: name },
    { key: 'Company', value: company },
    { key: 'E-mail', value: emailAddress },
    ...otherColumns(contact),
  ].filter(({ value }) => value !== '');
  const { kept, cut } = clampList(known, maxDetails);
  return modal({
    callbackId: 'contact_card',
    title: 'Contact',
    metadata: { ...position, contactId: id, key, number },
    blocks: [
      ...lines([
        ...kept.map(({ key: title, value }) => mrkdwn`*${clip(title)}* · ${clip(value)}`),
        ...(cut === 0 ? [] : [mrkdwn`_and ${cut} more columns_`]),
      ]),
      ...(createdAt === undefined ? [] : [context(mrkdwn`Added ${timeFor(createdAt)}`)]),
      actions(
        'contact',
        ...(number === undefined
          ? []
          : [button(sendToOneAction, 'Send SMS', { value: number, style: 'primary' })]),
        button(backAction, 'Back to the list'),
        ...(deletable ? [deleteButton(number === undefined ? 'It' : formatNumber(number))] : []),
      ),
      ...(deletable ? [] : [context(deletionOff)]),
    ],
  });
}

const deletionOff = mrkdwn`Contacts cannot be deleted here yet: delete this one on the provider’s dashboard. The provider does not say how a delete names its contact, and one that names nobody may empty the phonebook, so whoever runs Switchboard has to turn it on first (setting \`PROVIDER_CONTACT_DELETE_BY\`).`;

function deleteButton(who: string) {
  return button(deleteAction, 'Delete', {
    style: 'danger',
    confirm: confirmDialog({
      title: 'Delete this contact?',
      text: `${who} is deleted from the phonebook at the provider.`,
      yes: 'Delete',
      no: 'Keep it',
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
          ? mrkdwn`This contact is no longer on that page: it was deleted, or the list has moved on.`
          : mrkdwn`${stateIcons.failed} ${problem}`,
      ),
      actions('contact', button(backAction, 'Back to the list')),
    ],
  });
}

export function deletingView(): ModalView {
  return loadingView('Contact', 'Asking the provider to delete…');
}
