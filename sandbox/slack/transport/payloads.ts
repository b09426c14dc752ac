import type { JsonObject } from '../../lib/json.ts';
import { toJson } from '../../lib/json.ts';
import type { Person, SandboxChannel, SandboxMessage, ViewValues } from '../protocol.ts';
import { app, enterprise, otherTeam, team } from '../workspace/fixtures.ts';
import { viewPayload } from '../workspace/views.ts';
import type { HeldView } from '../workspace/workspace.ts';

/** Slack's deprecated verification token, still part of each payload. */
export const VERIFICATION_TOKEN = 'sandbox-verification-token';

/** The message or view of an interaction. */
export type InteractionSource =
  | { message: SandboxMessage; channel: SandboxChannel; values: ViewValues; responseUrl: string }
  | { view: HeldView };

/** Formats a message for the app. */
export function messagePayload(message: SandboxMessage): JsonObject {
  const sender: JsonObject =
    message.from === 'app' ? { user: app.userId, bot_id: app.botId, app_id: app.id } : { user: message.from };
  return {
    type: 'message',
    ...sender,
    ts: message.ts,
    text: message.text,
    team: team.id,
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.editedAt !== undefined && { edited: { user: app.userId, ts: message.ts } }),
  };
}

/** The fields of every interaction: the person and the workspace. */
export function commonPayload(person: Person, from: { id: string; domain: string } = team): JsonObject {
  return {
    team: { id: from.id, domain: from.domain },
    user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
    api_app_id: app.id,
    token: VERIFICATION_TOKEN,
    enterprise: { id: enterprise.id, name: enterprise.name },
    is_enterprise_install: false,
  };
}

/** View payloads name a stranger's own workspace. The app's workspace is `view.app_installed_team_id`. */
export function homeTeam(person: Person): { id: string; domain: string } {
  return person.role === 'stranger' ? otherTeam : team;
}

/** Formats the source of an interaction. */
export function sourcePayload(source: InteractionSource): JsonObject {
  if ('view' in source) {
    return { container: { type: 'view', view_id: source.view.id }, view: viewPayload(source.view) };
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
    ...(!ephemeral && { message: messagePayload(message) }),
    state: { values: toJson(source.values) },
    response_url: source.responseUrl,
  };
}

/** Returns the name of a channel in payloads. */
export function payloadChannelName(channel: SandboxChannel): string {
  return channel.kind === 'dm' ? 'directmessage' : channel.name;
}
