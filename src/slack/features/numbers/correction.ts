import { actions, button, section } from '../../block-kit/build.ts';
import { limits } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';

/** What is wrong with the text of a command. *Edit* has the text as its value, unless Slack allows no value that long. */
export function correctionMessage(fault: string, editAction: string, typed: string): SlackMessage {
  const text = mrkdwn`${fault}`;
  return message(text, [
    section(text),
    ...(typed.length > limits.buttonValue
      ? []
      : [actions('correction', button(editAction, 'Edit', { value: typed, style: 'primary' }))]),
  ]);
}
