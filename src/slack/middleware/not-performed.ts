import { ifRefused } from '../../services/refusal.ts';
import { notConnected } from '../../services/workspaces/workspaces.ts';
import { actions, button, present, section } from '../block-kit/build.ts';
import { message } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from './app-context.ts';
import { UserError } from './errors.ts';
import type { CommandRequest } from './requests.ts';
import { runButton } from './unknown-subcommand.ts';

export const connectAction = 'switchboard_connect';

/** A `catch` handler for screens that offer to connect the provider, or to ask an admin for it. */
export const connectFirst = ifRefused(['not_connected'], () => {
  throw new UserError(mrkdwn`Connect the provider first.`);
});

/**
 * Wraps the handler of a command that needs the provider: a user of a workspace without its key is told so instead.
 *
 * @param command see `runAction`: once a key is connected, a button continues with the typed text
 */
export function whenConnected(
  { services, settings }: AppContext,
  handle: (call: CommandRequest) => Promise<void>,
  command?: string,
): (call: CommandRequest) => Promise<void> {
  return async (call) => {
    const connection = await services.workspaces.connection(call.user.workspaceId);
    if (connection !== undefined) {
      await handle(call);
      return;
    }
    const text = mrkdwn`*${notConnected}.*`;
    const next = command === undefined ? undefined : runButton(command, 'Continue', call.text);
    const isAdmin = call.user.permissions.has('administer');
    const how = isAdmin
      ? mrkdwn`Connect with the API key from the provider’s dashboard.`
      : mrkdwn`Ask an admin of this workspace to type \`/${settings.commandPrefix}switchboard\`.`;
    const then = next ? mrkdwn` Then press *Continue*: your text is kept here.` : '';
    const buttons = present(isAdmin && button(connectAction, 'Connect', { style: 'primary' }), next);
    await call.reply(
      message(text, [
        section(mrkdwn`${text} ${how}${then}`),
        ...(buttons.length === 0 ? [] : [actions('not_connected', ...buttons)]),
      ]),
    );
  };
}
