import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../../domain/access/roles.ts';
import { formatNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ListedContact } from '../../../services/contacts/contacts.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import { actions, button, context, lines, modal, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { describeSuppressed } from '../../block-kit/descriptions/suppressed-number.ts';
import { clampList, clampText } from '../../block-kit/limits.ts';
import { performingView } from '../../block-kit/loading-view.ts';
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

export function deletingView(): ModalView {
  return performingView('Contact', 'Deleting the contact…', 'deleted');
}
