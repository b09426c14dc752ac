import { type JsonObject, toJson } from '../../lib/json.ts';
import type { Person, SandboxChannel, SandboxMessage, ViewValues } from '../protocol.ts';
import { app, otherTeam, type Team } from '../workspace/fixtures.ts';
import { viewPayload } from '../workspace/views.ts';
import type { HeldView, Workspace } from '../workspace/workspace.ts';

/** Slack's deprecated verification token, still part of each payload. */
export const VERIFICATION_TOKEN = 'sandbox-verification-token';

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
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.editedAt !== undefined && { edited: { user: bot.userId, ts: message.ts } }),
  };
}

/**
 * The fields of every interaction: the person and the workspace. `from` is null for an interaction that names no workspace,
 * as those in views and global shortcuts of an app that is installed in an enterprise.
 */
export function commonPayload(
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
 * The workspace that an submission names: a stranger's own one, and none for an app that is installed in an enterprise.
 * The workspace of the view is `view.app_installed_team_id`.
 */
export function teamInView(workspace: Workspace, person: Person): Team | null {
  const named = namedTeam(workspace);
  return named && person.role === 'stranger' ? otherTeam : named;
}

/** The workspace of an interaction outside messages. An app that is installed in an enterprise is not told. */
export function namedTeam({ team, installation }: Workspace): Team | null {
  return installation?.place.kind === 'enterprise' ? null : team;
}

/** Formats the source of an interaction. */
export function sourcePayload(workspace: Workspace, source: InteractionSource): JsonObject {
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
export function payloadChannelName(channel: SandboxChannel): string {
  return channel.kind === 'dm' ? 'directmessage' : channel.name;
}
