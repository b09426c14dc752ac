import type { Button } from '@slack/types';
import { ifRefused } from '../../services/refusal.ts';
import { notConnected } from '../../services/workspaces/workspaces.ts';
import { actions, button, present, section } from '../block-kit/build.ts';
import { limits } from '../block-kit/limits.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from './app-context.ts';
import { UserError } from './errors.ts';
import type { CommandRequest } from './requests.ts';
import { runButton } from './unknown-subcommand.ts';

export const connectAction = 'switchboard_connect';
/** The value of the button *Connect* if it replaces a key. */
export const replaceKey = 'replace';
/** The block of the buttons of a message that says that the provider isn’t connected. */
export const notConnectedBlock = 'not_connected';

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
    const typed = command === undefined ? '' : `${command} ${call.text}`;
    const next = continueButton(typed);
    const isAdmin = call.user.permissions.has('administer');
    const how = isAdmin
      ? mrkdwn`Connect with the API key from the provider’s dashboard.`
      : mrkdwn`Ask an admin of this workspace to type \`/${settings.commandPrefix}switchboard\`.`;
    const then = next ? mrkdwn` Then press *Continue*: your text is kept here.` : '';
    const buttons = present(
      isAdmin && button(connectAction, 'Connect', { style: 'primary', ...(next && { value: typed }) }),
      next,
    );
    await call.reply(
      message(text, [
        section(mrkdwn`${text} ${how}${then}`),
        ...(buttons.length === 0 ? [] : [actions(notConnectedBlock, ...buttons)]),
      ]),
    );
  };
}

/** *Continue*. `typed`: the command without its slash. Undefined if nothing was typed, or too much for a button. */
function continueButton(typed: string): Button | undefined {
  const [command = '', ...words] = typed.split(' ');
  return typed === '' || typed.length > limits.buttonValue
    ? undefined
    : runButton(command, 'Continue', words.join(' '));
}

/**
 * What a message that said that the provider isn’t connected says once it is.
 *
 * @param typed see `continueButton`
 */
export function connectedMessage({ commandPrefix }: AppContext['settings'], typed: string): SlackMessage {
  const text = mrkdwn`${stateIcons.done} *Switchboard is connected to the provider.*`;
  const next = continueButton(typed);
  return message(text, [
    section(
      next === undefined
        ? mrkdwn`${text} Type \`/${commandPrefix}sms\` to send the first message.`
        : mrkdwn`${text} You can continue with what you typed.`,
    ),
    ...(next === undefined ? [] : [actions('connected', next)]),
  ]);
}
