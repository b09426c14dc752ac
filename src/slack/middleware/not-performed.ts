import { ifRefused } from '../../services/refusal.ts';
import { notConnected } from '../../services/workspaces/workspaces.ts';
import { actions, button, section } from '../block-kit/build.ts';
import { message } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from './app-context.ts';
import { UserError } from './errors.ts';
import type { CommandRequest } from './requests.ts';

export const connectAction = 'switchboard_connect';

/** A `catch` handler for screens that offer to connect the provider, or to ask an admin for it. */
export const connectFirst = ifRefused(['not_connected'], () => {
  throw new UserError(mrkdwn`Connect the provider first.`);
});

/** Wraps the handler of a command that needs the provider: a user of a workspace without its key is told so instead. */
export function whenConnected(
  { services, settings }: AppContext,
  handle: (call: CommandRequest) => Promise<void>,
): (call: CommandRequest) => Promise<void> {
  return async (call) => {
    const connection = await services.workspaces.connection(call.user.workspaceId);
    if (connection !== undefined) {
      await handle(call);
      return;
    }
    const text = mrkdwn`*${notConnected}.*`;
    const ask = mrkdwn`${text} Ask an admin of this workspace to type \`/${settings.commandPrefix}switchboard\`.`;
    await call.reply(
      message(
        text,
        call.user.permissions.has('administer')
          ? [
              section(mrkdwn`${text} Connect with the API key from the provider’s dashboard.`),
              actions('not_connected', button(connectAction, 'Connect', { style: 'primary' })),
            ]
          : [section(ask)],
      ),
    );
  };
}
