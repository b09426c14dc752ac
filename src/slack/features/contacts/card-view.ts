import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ListedContact } from '../../../services/contacts/contacts.ts';
import { actions, button, context, lines, modal, notice, section } from '../../block-kit/build.ts';
import { clampList, clampText } from '../../block-kit/limits.ts';
import { mrkdwn, timeFor } from '../../block-kit/text.ts';
import { backAction, type ListPosition, listPositionSchema } from './list-position.ts';
import { otherColumns } from './list-view.ts';

export const sendToOneAction = 'contacts_send_one';
export const deleteAction = 'contacts_delete';

const mostDetails = 40;
const longestDetail = 300;

function clip(text: string): string {
  return clampText(text, longestDetail);
}

/** Of whom the card is, where to go back to, and the key of their one deletion. */
export const cardMetadata = listPositionSchema.extend({
  contactId: z.string(),
  number: phoneNumberSchema.optional(),
  key: z.string(),
});

/** All that is known of a contact, and what can be done with them. */
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
  const { kept, cut } = clampList(known, mostDetails);
  return modal({
    callbackId: 'contact_card',
    title: 'Contact',
    metadata: { ...position, contactId: id, key, ...(number === undefined ? {} : { number }) },
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
    confirm: {
      title: { type: 'plain_text', text: 'Delete this contact?' },
      text: { type: 'plain_text', text: `${who} is deleted from the phonebook at the provider.` },
      confirm: { type: 'plain_text', text: 'Delete' },
      deny: { type: 'plain_text', text: 'Keep it' },
      style: 'danger',
    },
  });
}

/** In place of a card that cannot be shown: why. */
export function noCardView(position: ListPosition, problem: string | undefined): ModalView {
  return modal({
    callbackId: 'contact_card',
    title: 'Contact',
    metadata: position,
    blocks: [
      section(
        problem === undefined
          ? mrkdwn`This contact is no longer on that page: it was deleted, or the list has moved on.`
          : mrkdwn`:x: ${problem}`,
      ),
      actions('contact', button(backAction, 'Back to the list')),
    ],
  });
}

export function deletingView(): ModalView {
  return notice('Contact', section(mrkdwn`:hourglass_flowing_sand: Asking the provider to delete…`));
}
