import { context, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

export function esimStatusHelp(prefix: string): SlackMessage {
  const name = `/${prefix}esim-status`;
  return message(mrkdwn`How to look after an eSIM with ${name}`, [
    section(mrkdwn`*See how an eSIM is doing*: its profile, its plan with all dates, and its data.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` lets you pick an eSIM or enter its ICCID, \`${name} 8944 1234 …\` shows it right away.`,
        mrkdwn`*QR image* sends the image to you, as a message from Switchboard; from there it can go to a channel.`,
        mrkdwn`*Install details* shows you what to type into a phone that cannot scan.`,
        mrkdwn`*Top up* buys another plan for it, after you have seen the price.`,
      ]}`,
    ),
    context(
      mrkdwn`Whoever has the QR image or the install details can take the eSIM. They are shown to you alone.`,
    ),
  ]);
}
