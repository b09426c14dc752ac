import type { Notice } from '../../store/outbox.ts';
import { actions, button, section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { mrkdwn } from '../blocks/text.ts';
import { openBulkAction } from './action-ids.ts';

/** Tells a user that their recipients were not read to their end. */
export function brokenOff({ title = '' }: Notice): Message {
  const text = mrkdwn`:warning: *The recipients of ${title} were not read to the end*, because Switchboard stopped meanwhile. Nothing was sent. Start again.`;
  return message(text, [section(text), actions('import', button(openBulkAction, 'Send to many'))]);
}
