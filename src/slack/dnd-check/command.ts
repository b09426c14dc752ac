import { context, section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { mrkdwn } from '../blocks/text.ts';

export function dndCheckHelp(prefix: string): Message {
  const name = `/${prefix}dnd-check`;
  return message(mrkdwn`How to check for Do-Not-Disturb with ${name}`, [
    section(mrkdwn`*See who is on Do-Not-Disturb*, on which network, and which route reaches them.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567 0805 123 4567\` checks up to 100 numbers; the result is for you alone.`,
      ]}`,
    ),
    context(
      mrkdwn`From the result, *Send SMS* opens a message to these numbers on the route that reaches them.`,
    ),
  ]);
}
