import type { Button } from '@slack/types';
import { button } from '../block-kit/build.ts';
import { confirmDialog } from '../block-kit/confirm-dialog.ts';

/** Adds the recipients of a draft to the suppression list. Its value is the draft's id, so no number is in a message. */
export const addRecipientsAction = 'do_not_contact_recipients';

/** The button *Do not contact* under a result about one number; Slack asks for confirmation first. */
export function doNotContactButton(draftId: string, actionId: string = addRecipientsAction): Button {
  return button(actionId, 'Do not contact', {
    value: draftId,
    confirm: confirmDialog({
      title: 'Add to the do-not-contact list?',
      text: 'Campaigns skip this number from now on, and a message to it shows a warning. Only an admin can remove it.',
      yes: 'Add',
      no: 'Cancel',
    }),
  });
}
