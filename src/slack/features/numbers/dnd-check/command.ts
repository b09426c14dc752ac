import { context, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

export function dndCheckHelp(prefix: string): SlackMessage {
  const name = `/${prefix}dnd-check`;
  return message(mrkdwn`How to check for Do-Not-Disturb with ${name}`, [
    section(mrkdwn`*See who is on Do-Not-Disturb*, on which network, and which route reaches them.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form: numbers pasted, or a CSV file of them, and where to show the result.`,
        mrkdwn`\`${name} +2348031234567 0805 123 4567\` checks up to 1,000 numbers; the result is for you alone.`,
        mrkdwn`*Check numbers* in the menu of a message checks the numbers in it.`,
      ]}`,
    ),
    context(
      mrkdwn`A long result comes as a file. From up to 100 numbers, *Send SMS* opens a message to them on the route that reaches them.`,
    ),
  ]);
}
