import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../lib/json.ts';
import type { Person, SandboxChannel, SandboxMessage } from '../protocol.ts';
import { app, enterprise, team } from '../workspace/fixtures.ts';
import { viewPayload } from '../workspace/views.ts';
import type { HeldView } from '../workspace/workspace.ts';
import type { InteractionSource } from './payloads.ts';
import {
  commonPayload,
  homeTeam,
  messagePayload,
  payloadChannelName,
  sourcePayload,
  VERIFICATION_TOKEN,
} from './payloads.ts';
import type { AppRequest } from './transport.ts';

/** Slack: slash commands. */
export function commandRequest(details: {
  person: Person;
  channel: SandboxChannel;
  command: string;
  text: string;
  triggerId: string;
  responseUrl: string;
}): AppRequest {
  const { person, channel, command } = details;
  return request('slash_commands', `command ${command}`, {
    token: VERIFICATION_TOKEN,
    team_id: team.id,
    team_domain: team.domain,
    enterprise_id: enterprise.id,
    enterprise_name: enterprise.name,
    channel_id: channel.id,
    channel_name: payloadChannelName(channel),
    user_id: person.id,
    user_name: person.name,
    command,
    text: details.text,
    api_app_id: app.id,
    is_enterprise_install: 'false',
    response_url: details.responseUrl,
    trigger_id: details.triggerId,
  });
}

/** Slack: block_actions. */
export function blockActionsRequest(details: {
  person: Person;
  source: InteractionSource;
  action: JsonObject;
  triggerId: string;
}): AppRequest {
  const { person, source, action, triggerId } = details;
  return request('interactive', `block_actions ${action.action_id}`, {
    type: 'block_actions',
    ...commonPayload(person),
    trigger_id: triggerId,
    ...sourcePayload(source),
    actions: [action],
  });
}

/** Slack: block_suggestion, the request for the options of an external select. */
export function blockSuggestionRequest(details: {
  person: Person;
  source: InteractionSource;
  blockId: string;
  actionId: string;
  query: string;
}): AppRequest {
  const { response_url: _, ...source } = sourcePayload(details.source);
  return request('interactive', `block_suggestion ${details.actionId}`, {
    type: 'block_suggestion',
    ...commonPayload(details.person),
    ...source,
    action_id: details.actionId,
    block_id: details.blockId,
    value: details.query,
  });
}

/** Slack: view_submission. */
export function viewSubmissionRequest(details: {
  person: Person;
  view: HeldView;
  triggerId: string;
  responseUrls: JsonObject[];
}): AppRequest {
  const { person, view, triggerId, responseUrls } = details;
  return request('interactive', `view_submission ${view.view.callback_id ?? ''}`, {
    type: 'view_submission',
    ...commonPayload(person, homeTeam(person)),
    trigger_id: triggerId,
    view: viewPayload(view),
    response_urls: responseUrls,
  });
}

/** Slack: view_closed. `cleared` when the whole stack was closed at once. */
export function viewClosedRequest(person: Person, view: HeldView, cleared: boolean): AppRequest {
  return request('interactive', `view_closed ${view.view.callback_id ?? ''}`, {
    type: 'view_closed',
    ...commonPayload(person, homeTeam(person)),
    view: viewPayload(view),
    is_cleared: cleared,
  });
}

/** Slack: message_action, a shortcut in the menu of a message. */
export function messageShortcutRequest(details: {
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
    ...commonPayload(details.person),
    action_ts: details.timestamp,
    callback_id: details.callbackId,
    trigger_id: details.triggerId,
    response_url: details.responseUrl,
    channel: { id: details.channel.id, name: payloadChannelName(details.channel) },
    message_ts: details.message.ts,
    message: messagePayload(details.message),
  });
}

/** Slack: shortcut, a global one. */
export function globalShortcutRequest(details: {
  person: Person;
  callbackId: string;
  timestamp: string;
  triggerId: string;
}): AppRequest {
  return request('interactive', `shortcut ${details.callbackId}`, {
    type: 'shortcut',
    ...commonPayload(details.person),
    action_ts: details.timestamp,
    callback_id: details.callbackId,
    trigger_id: details.triggerId,
  });
}

/** Slack: Events API. `event` is the inner event, `at` is in seconds. */
export function eventRequest(event: JsonObject, at: number): AppRequest {
  return request('events_api', `event ${event.type}`, {
    token: VERIFICATION_TOKEN,
    team_id: team.id,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 9).toUpperCase()}`,
    event_time: at,
    authorizations: [
      {
        enterprise_id: enterprise.id,
        team_id: team.id,
        user_id: app.userId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  });
}

function request(kind: AppRequest['kind'], what: string, payload: JsonObject): AppRequest {
  return { id: randomUUID(), kind, what: what.trimEnd(), payload };
}
