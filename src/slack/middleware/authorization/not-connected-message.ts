import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { User } from '../requests.ts';

export const connectAction = 'switchboard_connect';

/** The reply to any command of a workspace without a provider key. */
export function notConnectedMessage(user: User, prefix: string): SlackMessage {
  const text = mrkdwn`*Switchboard isn’t connected to the provider.*`;
  if (user.permissions.has('administer')) {
    return message(text, [
      section(mrkdwn`${text} Connect with the API key from the provider’s dashboard.`),
      actions('not_connected', button(connectAction, 'Connect', { style: 'primary' })),
    ]);
  }
  return message(text, [
    section(mrkdwn`${text} Ask an admin of this workspace to type \`/${prefix}switchboard\`.`),
  ]);
}
