import { context, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';

/** `/otp` · `/otp +2348031234567` · `/otp verify` */
export function readOtpCommand(text: string): { kind: 'verify' } | { kind: 'send'; number: string } {
  return text.trim().toLowerCase() === 'verify' ? { kind: 'verify' } : { kind: 'send', number: text.trim() };
}

export function otpHelp(prefix: string): SlackMessage {
  const name = `/${prefix}otp`;
  return message(mrkdwn`How to send a one-time code with ${name}`, [
    section(mrkdwn`*Send a one-time code* by SMS, voice call, email or chat app, and verify it.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form, \`${name} +2348031234567\` with the number filled in.`,
        mrkdwn`\`${name} verify\` checks the code that a customer reads back.`,
      ]}`,
    ),
    context(
      mrkdwn`Nobody sees the codes that Switchboard makes, and each works once. Codes made by the provider can’t be verified in Slack.`,
    ),
  ]);
}
