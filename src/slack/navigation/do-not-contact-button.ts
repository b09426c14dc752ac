import type { Button } from '@slack/types';
import { button } from '../block-kit/build.ts';
import { confirmDialog } from '../block-kit/confirm-dialog.ts';

/** Adds the recipients of a draft to the suppression list. Its value is the draft's id, so no number is in a message. */
export const addRecipientsAction = 'do_not_contact_recipients';

/** The button *Do not contact* under a result about one number; Slack asks for confirmation first. */
export function doNotContactButton(draftId: string): Button {
  return button(addRecipientsAction, 'Do not contact', {
    value: draftId,
    confirm: confirmDialog({
      title: 'Do not contact?',
      text: 'Campaigns leave this number out from now on, also those under way that have not got to it yet, and a message to it shows a warning. Only an admin can take it off the list.',
      yes: 'Add to the list',
      no: 'Cancel',
    }),
  });
}
