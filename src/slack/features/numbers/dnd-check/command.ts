import { context, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

export function dndCheckHelp(prefix: string): SlackMessage {
  const name = `/${prefix}dnd-check`;
  return message(mrkdwn`How to check for Do-Not-Disturb with ${name}`, [
    section(mrkdwn`*Check numbers for Do-Not-Disturb*: the network of each, and the route that reaches it.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form, for pasted numbers or a CSV file.`,
        mrkdwn`\`${name} +2348031234567 0805 123 4567\` checks up to 1,000 numbers. Only you see the result.`,
        mrkdwn`*Check numbers* in the menu of a message checks the numbers in the message.`,
      ]}`,
    ),
    context(
      mrkdwn`A long result comes as a file. *Send SMS* opens a message to up to 100 numbers, on a route that reaches all of them.`,
    ),
  ]);
}
