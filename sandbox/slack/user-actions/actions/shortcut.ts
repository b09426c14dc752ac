import type { SlackState } from '../../slack.ts';
import { globalShortcutRequest, messageShortcutRequest } from '../../transport/requests.ts';
import { requireMessage, requirePerson } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';
import { UserActionError } from '../user-action.ts';

/** A person picks a message shortcut or a global one. */
export function prepareShortcut(slack: SlackState, action: ActionOf<'shortcut'>): PreparedAction {
  const { workspace, manifest, triggers, responseUrls } = slack;
  const person = requirePerson(workspace, action.person);
  const type = action.message ? 'message' : 'global';
  const known = manifest.shortcuts.some((one) => one.callbackId === action.callbackId && one.type === type);
  if (!known || !workspace.installation) {
    throw new UserActionError(`The app has no ${type} shortcut ${action.callbackId}.`);
  }
  const settle = () => undefined;
  const timestamp = workspace.timestamp();
  const { callbackId } = action;
  if (!action.message) {
    const triggerId = triggers.issue({
      person: person.id,
      ...(action.channel !== undefined && { channel: action.channel }),
    });
    return {
      request: globalShortcutRequest({ workspace, person, callbackId, timestamp, triggerId }),
      settle,
    };
  }
  const { message, channel } = requireMessage(workspace, person, action.message);
  if (message.onlyFor !== undefined) {
    throw new UserActionError('A message for one person has no shortcuts.');
  }
  const grant = { person: person.id, channel: channel.id };
  const request = messageShortcutRequest({
    workspace,
    person,
    callbackId,
    message,
    channel,
    timestamp,
    triggerId: triggers.issue(grant),
    responseUrl: responseUrls.issue('app', {
      ...grant,
      ...(message.threadTs !== undefined && { threadTs: message.threadTs }),
    }),
  });
  return { request, settle };
}
