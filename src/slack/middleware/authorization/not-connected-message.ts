import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { User } from '../requests.ts';

export const connectAction = 'switchboard_connect';

/** The reply to any command of a workspace that has no provider key yet. */
export function notConnectedMessage(user: User, prefix: string): SlackMessage {
  const text = mrkdwn`*Switchboard is not connected to the provider yet.* Nothing was done.`;
  if (user.role === 'admin') {
    return message(text, [
      section(mrkdwn`${text} Connect it with the API key from the provider’s dashboard.`),
      actions('not_connected', button(connectAction, 'Connect', { style: 'primary' })),
    ]);
  }
  return message(text, [
    section(mrkdwn`${text} Ask an admin of this workspace to type \`/${prefix}switchboard\`.`),
  ]);
}
