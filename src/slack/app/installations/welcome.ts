import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { connectAction } from '../../middleware/authorization/not-connected-message.ts';

/** What an installer is told: one step is left. */
export function welcomeMessage(commandPrefix: string): SlackMessage {
  const text = mrkdwn`*Switchboard is installed.* Connect your messaging provider with the API key from its dashboard.`;
  return message(text, [
    section(text),
    section(mrkdwn`Then everyone can begin with \`/${commandPrefix}sms\` or \`/${commandPrefix}number\`.`),
    actions('welcome', button(connectAction, 'Connect', { style: 'primary' })),
  ]);
}
