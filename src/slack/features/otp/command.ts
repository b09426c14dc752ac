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
    section(mrkdwn`*Send a one-time code* by SMS, voice call, e-mail or chat app, or have one made to show.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the form, \`${name} +2348031234567\` with the number filled in.`,
        mrkdwn`\`${name} verify\` takes what the customer reads back: *match*, *wrong*, *expired* or *used up*.`,
      ]}`,
    ),
    context(
      mrkdwn`Codes by voice, e-mail and chat are made here, are seen by nobody, and are good once. Those by SMS only the provider can verify.`,
    ),
  ]);
}
