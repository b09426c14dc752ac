import type { Notice } from '../../../../store/outbox/outbox.ts';
import { actions, button, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';

/** Tells a user that the import of their recipients was interrupted by a stop of the program. */
export function interruptedImportMessage({ title = '' }: Notice): SlackMessage {
  const text = mrkdwn`:warning: *Import of ${title} interrupted.* Switchboard restarted. Nothing was sent. Import the list again.`;
  return message(text, [section(text), actions('import', button(openActions.campaignForm, 'New campaign'))]);
}
