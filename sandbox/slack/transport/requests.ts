import { randomUUID } from 'node:crypto';
import { type JsonObject, stringAt, toJson } from '../../lib/json.ts';
import type { Installation } from '../installations/installations.ts';
import type { Person, SandboxChannel, SandboxMessage, ViewValues } from '../protocol.ts';
import type { RemovalNotice } from '../slack.ts';
import { app, otherTeam, type Team } from '../workspace/fixtures.ts';
import { viewPayload } from '../workspace/views.ts';
import type { HeldView, Workspace } from '../workspace/workspace.ts';
import type { AppRequest } from './transport.ts';

/** Slack's deprecated verification token, still part of each payload. */
const VERIFICATION_TOKEN = 'sandbox-verification-token';

/** The message or view of an interaction. */
export type InteractionSource =
  | { message: SandboxMessage; channel: SandboxChannel; values: ViewValues; responseUrl: string }
  | { view: HeldView };

/** Formats a message for the app. */
export function messagePayload({ team, bot }: Workspace, message: SandboxMessage): JsonObject {
  const sender: JsonObject =
    message.from === 'app' ? { user: bot.userId, bot_id: bot.botId, app_id: app.id } : { user: message.from };
  return {
    type: 'message',
    ...(message.isBroadcast && { subtype: 'thread_broadcast' }),
    ...sender,
    ts: message.ts,
    text: message.text,
    team: team.id,
    ...((message.blocks.length > 0 || message.from !== 'app') && {
      blocks: message.blocks.length > 0 ? message.blocks : typedBlocks(message),
    }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.editedAt !== undefined && { edited: { user: bot.userId, ts: message.ts } }),
  };
}

/** Slack's composer writes rich text, whose pieces are not escaped. */
function typedBlocks({ text, ts }: SandboxMessage): JsonObject[] {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const elements = [{ type: 'rich_text_section', elements: [{ type: 'text', text: plain }] }];
  return [{ type: 'rich_text', block_id: `b${ts}`, elements }];
}

/**
 * The fields of every interaction: the person and the workspace. `from` is null for an interaction that names no workspace,
 * as those in views and global shortcuts of an app that is installed in an enterprise.
 */
function commonPayload(
  { team, installation }: Workspace,
  person: Person,
  from: Team | null = team,
): JsonObject {
  const { enterprise } = team;
  return {
    team: from && {
      id: from.id,
      domain: from.domain,
      ...(from.enterprise && { enterprise_id: from.enterprise.id, enterprise_name: from.enterprise.name }),
    },
    user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
    api_app_id: app.id,
    token: VERIFICATION_TOKEN,
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: installation?.place.kind === 'enterprise',
  };
}

/**
 * The workspace that a submission names: the person's own if they are from another workspace, and none for an
 * app that is installed in an enterprise. The workspace of the view is `view.team_id`.
 */
function teamInView(workspace: Workspace, person: Person): Team | null {
  const named = namedTeam(workspace);
  return named && person.role === 'stranger' ? otherTeam : named;
}

/** The workspace of an interaction outside messages. An app that is installed in an enterprise is not told. */
function namedTeam({ team, installation }: Workspace): Team | null {
  return installation?.place.kind === 'enterprise' ? null : team;
}

/** Formats the source of an interaction. */
function sourcePayload(workspace: Workspace, source: InteractionSource): JsonObject {
  if ('view' in source) {
    return {
      container: { type: 'view', view_id: source.view.id },
      view: viewPayload(workspace, source.view),
    };
  }
  const { message, channel } = source;
  const ephemeral = message.onlyFor !== undefined;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: ephemeral,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: payloadChannelName(channel) },
    ...(!ephemeral && { message: messagePayload(workspace, message) }),
    state: { values: toJson(source.values) },
    response_url: source.responseUrl,
  };
}

/** Returns the name of a channel in payloads. */
function payloadChannelName(channel: SandboxChannel): string {
  return channel.kind === 'dm' ? 'directmessage' : channel.name;
}

/** Slack: slash commands. */
export function commandRequest(details: {
  workspace: Workspace;
  person: Person;
  channel: SandboxChannel;
  command: string;
  text: string;
  triggerId: string;
  responseUrl: string;
}): AppRequest {
  const { workspace, person, channel, command } = details;
  const { team, installation } = workspace;
  return request('slash_commands', `command ${command}`, {
    token: VERIFICATION_TOKEN,
    team_id: team.id,
    team_domain: team.domain,
    ...(team.enterprise && {
      enterprise_id: team.enterprise.id,
      enterprise_name: team.enterprise.name,
    }),
    channel_id: channel.id,
    channel_name: payloadChannelName(channel),
    user_id: person.id,
    user_name: person.name,
    command,
    text: details.text,
    api_app_id: app.id,
    is_enterprise_install: String(installation?.place.kind === 'enterprise'),
    response_url: details.responseUrl,
    trigger_id: details.triggerId,
  });
}

/** Slack: block_actions. */
export function blockActionsRequest(details: {
  workspace: Workspace;
  person: Person;
  source: InteractionSource;
  action: JsonObject;
  triggerId: string;
}): AppRequest {
  const { workspace, person, source, action, triggerId } = details;
  return request('interactive', `block_actions ${action.action_id}`, {
    type: 'block_actions',
    ...commonPayload(workspace, person, 'view' in source ? namedTeam(workspace) : workspace.team),
    trigger_id: triggerId,
    ...sourcePayload(workspace, source),
    actions: [action],
  });
}

/** Slack: block_suggestion, the request for the options of an external select. */
export function blockSuggestionRequest(details: {
  workspace: Workspace;
  person: Person;
  source: InteractionSource;
  blockId: string;
  actionId: string;
  query: string;
}): AppRequest {
  const { workspace } = details;
  const { response_url: _, ...source } = sourcePayload(workspace, details.source);
  return request('interactive', `block_suggestion ${details.actionId}`, {
    type: 'block_suggestion',
    ...commonPayload(
      workspace,
      details.person,
      'view' in details.source ? namedTeam(workspace) : workspace.team,
    ),
    ...source,
    action_id: details.actionId,
    block_id: details.blockId,
    value: details.query,
  });
}

/** Slack: view_submission. */
export function viewSubmissionRequest(details: {
  workspace: Workspace;
  person: Person;
  view: HeldView;
  triggerId: string;
  responseUrls: JsonObject[];
}): AppRequest {
  const { workspace, person, view, triggerId, responseUrls } = details;
  return request('interactive', `view_submission ${view.view.callback_id ?? ''}`, {
    type: 'view_submission',
    ...commonPayload(workspace, person, teamInView(workspace, person)),
    trigger_id: triggerId,
    view: viewPayload(workspace, view),
    response_urls: responseUrls,
  });
}

/** Slack: view_closed. `cleared` when the whole stack was closed at once. */
export function viewClosedRequest(
  workspace: Workspace,
  person: Person,
  view: HeldView,
  cleared: boolean,
): AppRequest {
  return request('interactive', `view_closed ${view.view.callback_id ?? ''}`, {
    type: 'view_closed',
    ...commonPayload(workspace, person, teamInView(workspace, person)),
    view: viewPayload(workspace, view),
    is_cleared: cleared,
  });
}

/** Slack: message_action, a shortcut in the menu of a message. */
export function messageShortcutRequest(details: {
  workspace: Workspace;
  person: Person;
  callbackId: string;
  message: SandboxMessage;
  channel: SandboxChannel;
  timestamp: string;
  triggerId: string;
  responseUrl: string;
}): AppRequest {
  return request('interactive', `message_action ${details.callbackId}`, {
    type: 'message_action',
    ...commonPayload(details.workspace, details.person),
    action_ts: details.timestamp,
    callback_id: details.callbackId,
    trigger_id: details.triggerId,
    response_url: details.responseUrl,
    channel: { id: details.channel.id, name: payloadChannelName(details.channel) },
    message_ts: details.message.ts,
    message: messagePayload(details.workspace, details.message),
  });
}

/** Slack: shortcut, a global one. */
export function globalShortcutRequest(details: {
  workspace: Workspace;
  person: Person;
  callbackId: string;
  timestamp: string;
  triggerId: string;
}): AppRequest {
  return request('interactive', `shortcut ${details.callbackId}`, {
    type: 'shortcut',
    ...commonPayload(details.workspace, details.person, namedTeam(details.workspace)),
    action_ts: details.timestamp,
    callback_id: details.callbackId,
    trigger_id: details.triggerId,
  });
}

/** Slack: Slackbot MCP client, with `slack_identity_auth`. */
export function mcpRequest(details: {
  workspace: Workspace;
  person: Person;
  method: 'tools/list' | 'tools/call';
  params: JsonObject;
}): AppRequest {
  const { workspace, person, method, params } = details;
  const { team } = workspace;
  const slack: JsonObject = {
    user_id: person.id,
    team_id: team.id,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
  };
  const id = randomUUID();
  return request('mcp', `${method} ${stringAt(params, 'name') ?? ''}`, {
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: { slack } },
  });
}

/** Creates a request with an id of its own. */
function request(kind: AppRequest['kind'], what: string, payload: JsonObject): AppRequest {
  return { id: randomUUID(), kind, what: what.trimEnd(), payload };
}

/** Slack: Events API. `event` is the inner event. */
export function eventRequest(workspace: Workspace, event: JsonObject): AppRequest {
  const { team, bot, installation } = workspace;
  const isEnterpriseInstall = installation?.place.kind === 'enterprise';
  const enterpriseId = team.enterprise?.id ?? null;
  return eventCallback(event, workspace.now(), {
    team_id: team.id,
    ...(enterpriseId !== null && { enterprise_id: enterpriseId }),
    context_team_id: team.id,
    context_enterprise_id: enterpriseId,
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: team.id,
        user_id: bot.userId,
        is_bot: true,
        is_enterprise_install: isEnterpriseInstall,
      },
    ],
  });
}

/**
 * The event that the app was removed, or that its tokens were revoked. One of a whole enterprise names no workspace: its
 * `team_id` is the enterprise's id.
 */
export function removalRequest(
  { place, bot }: Installation,
  type: RemovalNotice,
  enterpriseId: string | null,
  at: Date,
): AppRequest {
  const isEnterpriseInstall = place.kind === 'enterprise';
  const event = {
    type,
    ...(type === 'tokens_revoked' && { tokens: { oauth: [], bot: [bot.userId] } }),
    event_ts: `${at.getTime() / 1000}`,
  };
  return eventCallback(event, at, {
    team_id: place.id,
    ...(enterpriseId !== null && { enterprise_id: enterpriseId }),
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: isEnterpriseInstall ? null : place.id,
        user_id: bot.userId,
        is_bot: true,
        is_enterprise_install: isEnterpriseInstall,
      },
    ],
  });
}

function eventCallback(event: JsonObject, at: Date, context: JsonObject): AppRequest {
  return request('events_api', `event ${event.type}`, {
    token: VERIFICATION_TOKEN,
    api_app_id: app.id,
    ...context,
    event,
    type: 'event_callback',
    event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 9).toUpperCase()}`,
    event_time: Math.floor(at.getTime() / 1000),
    is_ext_shared_channel: false,
  });
}
