import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { notConnected } from '../../services/workspaces/workspaces.ts';
import { actions, button, section } from '../block-kit/build.ts';
import { describeReached } from '../block-kit/descriptions/limits.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from './app-context.ts';
import { UserError } from './errors.ts';
import type { CommandRequest, User } from './requests.ts';

export const connectAction = 'switchboard_connect';

/** The reply to any command of a workspace without a provider key. */
function notConnectedMessage(user: User, prefix: string): SlackMessage {
  const text = mrkdwn`*${notConnected}.*`;
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

/** For a form or a list, which may have been opened with a key. `nothingDone` is a sentence. */
export function notConnectedText(nothingDone = ''): Markup {
  return mrkdwn`${notConnected}. ${nothingDone === '' ? '' : `${nothingDone} `}An admin can connect it.`;
}

export function notConnectedError(nothingDone?: string): UserError {
  return new UserError(notConnectedText(nothingDone));
}

/** Says which limit was reached. The same may be asked for again once it is free. */
export function limitedError(limit: ReachedLimit, nothingDone: string): UserError {
  return new UserError(describeReached(limit, nothingDone));
}

/**
 * Asserts that an operation was performed.
 *
 * @param nothingDone says what did not happen: *Nothing was bought.*
 * @throws UserError if the user cancelled it, a limit was reached, or the workspace has no provider key any more
 */
export function requirePerformed(
  result: { kind: 'performed' | 'cancelled' | 'not_connected' } | { kind: 'limited'; limit: ReachedLimit },
  nothingDone: string,
): asserts result is { kind: 'performed' } {
  if (result.kind === 'not_connected') {
    throw notConnectedError(nothingDone);
  }
  if (result.kind === 'limited') {
    throw limitedError(result.limit, nothingDone);
  }
  if (result.kind === 'cancelled') {
    throw new UserError(mrkdwn`You cancelled this. ${nothingDone}`, { isFinal: true });
  }
}

/** Wraps the handler of a command that needs the provider: a user of a workspace without its key is told so instead. */
export function whenConnected(
  { services, settings }: AppContext,
  handle: (call: CommandRequest) => Promise<void>,
): (call: CommandRequest) => Promise<void> {
  return async (call) => {
    const connection = await services.workspaces.connection(call.user.workspaceId);
    await (connection === undefined
      ? call.reply(notConnectedMessage(call.user, settings.commandPrefix))
      : handle(call));
  };
}
