import { context, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

export function esimStatusHelp(prefix: string): SlackMessage {
  const name = `/${prefix}esim-status`;
  return message(mrkdwn`How to check an eSIM with ${name}`, [
    section(mrkdwn`*See the status of an eSIM*: profile, plan, dates and data.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` lets you pick an eSIM or enter an ICCID. \`${name} 8944 1234 …\` shows the status of that eSIM.`,
        mrkdwn`*QR image* sends you the image as a message. You can share it in a channel from there.`,
        mrkdwn`*Install details* shows what to type into a phone that can’t scan.`,
        mrkdwn`*Top up* buys another plan. The price is shown first.`,
      ]}`,
    ),
    context(mrkdwn`Anyone with the QR image or the install details can install the eSIM. Only you see them.`),
  ]);
}
