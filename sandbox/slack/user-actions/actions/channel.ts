import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { ApiError, UserActionError } from '../../errors.ts';
import type { Person, SandboxChannel } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import {
  commandRequest,
  eventRequest,
  globalShortcutRequest,
  messageShortcutRequest,
} from '../../transport/requests.ts';
import type { AppResponse } from '../../transport/transport.ts';
import { applyResponse, type ResponseUrlGrant } from '../../workspace/triggers.ts';
import { viewPayload } from '../../workspace/views.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { requireChannel, requireMessage, requirePerson } from '../lookup.ts';
import { type ActionOf, notDelivered, type PreparedAction } from '../user-action.ts';

/** A person sends a slash command. */
export function prepareCommand(slack: SlackState, action: ActionOf<'command'>): PreparedAction {
  const { workspace, manifest, triggers, responseUrls } = slack;
  const person = requirePerson(workspace, action.person);
  const channel = requireChannel(workspace, person, action.channel);
  const own = slackCommands.get(action.command);
  if (own) {
    Object.assign(channel, own);
    workspace.changed();
    return notDelivered();
  }
  if (channel.archived) {
    return refuse(slack, person, 'You can’t send messages in an archived channel.');
  }
  if (isReadOnly(slack, channel)) {
    return refuse(slack, person, readOnly);
  }
  const isKnown = manifest.commands.some(({ command }) => command === action.command);
  if (!isKnown || !workspace.installation) {
    return refuse(slack, person, `${action.command} is not a valid command.`);
  }
  const grant: ResponseUrlGrant = { person: person.id, channel: channel.id };
  const request = commandRequest({
    workspace,
    person,
    channel,
    command: action.command,
    text: action.text.trim(),
    triggerId: triggers.issue({ person: person.id, channel: channel.id }),
    responseUrl: responseUrls.issue('commands', grant),
  });
  return { request, settle: (answer) => settle(slack, { person, channel, action, grant }, answer) };
}

const readOnly = 'Sending messages to this app has been turned off.';

/** Slack: messages_tab_read_only_enabled. There is no composer then, and so no command. */
function isReadOnly({ manifest }: SlackState, { kind }: SandboxChannel): boolean {
  return kind === 'dm' && manifest.readOnlyMessages;
}

/** Slack's own commands, which change where the app may write. */
const slackCommands = new Map<string, Partial<SandboxChannel>>([
  ['/invite', { botIsMember: true }],
  ['/remove', { botIsMember: false }],
  ['/archive', { archived: true }],
]);

/** A command that awaits the app's answer. */
interface PendingCommand {
  person: Person;
  channel: SandboxChannel;
  action: ActionOf<'command'>;
  /** Shared with the response_url, which may replace the message of the acknowledgement. */
  grant: ResponseUrlGrant;
}

function settle({ workspace }: SlackState, pending: PendingCommand, answer: AppResponse): string | undefined {
  const { person, action } = pending;
  const fail = (error: string): string => {
    const message = `${action.command} failed with the error "${error}"`;
    workspace.notify(person.id, message);
    return message;
  };
  if (answer.failure) {
    return fail(answer.failure);
  }
  const body = typeof answer.body === 'string' ? { text: answer.body } : answer.body;
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    return undefined;
  }
  try {
    showAnswer(workspace, pending, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const message = fail(error.code);
    return error.messages.length === 0 ? message : `${message} (${error.messages.join(' ')})`;
  }
}

/** An answer with `in_channel` also shows the command. */
function showAnswer(workspace: Workspace, pending: PendingCommand, body: JsonObject): void {
  const { person, channel, action } = pending;
  if (body.response_type === 'in_channel') {
    const text = `${action.command} ${action.text}`.trim();
    workspace.post({ channel: channel.id, from: person.id, text, blocks: [] });
    if (body.text === undefined && body.blocks === undefined) {
      return;
    }
  }
  applyResponse(workspace, pending.grant, body);
}

function refuse({ workspace }: SlackState, person: Person, message: string): PreparedAction {
  workspace.notify(person.id, message);
  return notDelivered(message);
}

/** A person writes a message, in a channel or a thread. */
export function prepareMessage(slack: SlackState, action: ActionOf<'message'>): PreparedAction {
  const { workspace } = slack;
  const person = requirePerson(workspace, action.person);
  const channel = requireChannel(workspace, person, action.channel);
  if (channel.archived) {
    throw new UserActionError(`#${channel.name} is archived.`);
  }
  if (isReadOnly(slack, channel)) {
    throw new UserActionError(readOnly);
  }
  workspace.post({
    channel: channel.id,
    from: person.id,
    text: escaped(action.text),
    blocks: [],
    ...(action.threadTs !== undefined && { threadTs: action.threadTs }),
  });
  return notDelivered();
}

/** Escapes `&`, `<` and `>`, which belong to Slack's syntax. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

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

/** A person opens the app's Home. The app receives the event when its manifest subscribes to it. */
export function prepareHome(slack: SlackState, action: ActionOf<'home'>): PreparedAction {
  const { workspace, manifest } = slack;
  const person = requirePerson(workspace, action.person);
  if (!workspace.installation || !manifest.homeTab || !manifest.events.includes('app_home_opened')) {
    return notDelivered();
  }
  const view = workspace.homes.get(person.id);
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: workspace.directMessagesOf(person.id).id,
    tab: 'home',
    event_ts: workspace.timestamp(),
    ...(view && { view: viewPayload(workspace, view) }),
  };
  return { request: eventRequest(workspace, event), settle: () => undefined };
}
