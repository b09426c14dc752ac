import { randomUUID } from 'node:crypto';
import type { JsonObject, Person, SandboxChannel, SandboxMessage } from '../protocol.ts';
import { app, enterprise, team } from '../workspace/fixtures.ts';
import { viewPayload } from '../workspace/views.ts';
import type { HeldView } from '../workspace/workspace.ts';
import type { PayloadPlace } from './payloads.ts';
import {
  common,
  homeTeam,
  messagePayload,
  payloadChannelName,
  placePayload,
  VERIFICATION_TOKEN,
} from './payloads.ts';
import type { AppResponse } from './transport.ts';

/** Slack: slash commands. */
export function commandDelivery(details: {
  person: Person;
  channel: SandboxChannel;
  command: string;
  text: string;
  triggerId: string;
  responseUrl: string;
}): AppResponse {
  const { person, channel, command } = details;
  return delivery('slash_commands', `command ${command}`, {
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
export function actionDelivery(details: {
  person: Person;
  place: PayloadPlace;
  action: JsonObject;
  triggerId: string;
}): AppResponse {
  const { person, place, action, triggerId } = details;
  return delivery('interactive', `block_actions ${action.action_id}`, {
    type: 'block_actions',
    ...common(person),
    trigger_id: triggerId,
    ...placePayload(place),
    actions: [action],
  });
}

/** Slack: block_suggestion, the request for the options of a searched select. */
export function suggestionDelivery(details: {
  person: Person;
  place: PayloadPlace;
  blockId: string;
  actionId: string;
  query: string;
}): AppResponse {
  const { response_url: _, ...place } = placePayload(details.place);
  return delivery('interactive', `block_suggestion ${details.actionId}`, {
    type: 'block_suggestion',
    ...common(details.person),
    ...place,
    action_id: details.actionId,
    block_id: details.blockId,
    value: details.query,
  });
}

/** Slack: view_submission. */
export function submissionDelivery(details: {
  person: Person;
  view: HeldView;
  triggerId: string;
  responseUrls: JsonObject[];
}): AppResponse {
  const { person, view, triggerId, responseUrls } = details;
  return delivery('interactive', `view_submission ${view.view.callback_id ?? ''}`, {
    type: 'view_submission',
    ...common(person, homeTeam(person)),
    trigger_id: triggerId,
    view: viewPayload(view),
    response_urls: responseUrls,
  });
}

/** Slack: view_closed. `cleared`: the whole stack was closed at once. */
export function closedDelivery(person: Person, view: HeldView, cleared: boolean): AppResponse {
  return delivery('interactive', `view_closed ${view.view.callback_id ?? ''}`, {
    type: 'view_closed',
    ...common(person, homeTeam(person)),
    view: viewPayload(view),
    is_cleared: cleared,
  });
}

/** Slack: message_action, a shortcut in the menu of a message. */
export function messageShortcutDelivery(details: {
  person: Person;
  callbackId: string;
  message: SandboxMessage;
  channel: SandboxChannel;
  timestamp: string;
  triggerId: string;
  responseUrl: string;
}): AppResponse {
  return delivery('interactive', `message_action ${details.callbackId}`, {
    type: 'message_action',
    ...common(details.person),
    action_ts: details.timestamp,
    callback_id: details.callbackId,
    trigger_id: details.triggerId,
    response_url: details.responseUrl,
    channel: { id: details.channel.id, name: payloadChannelName(details.channel) },
    message_ts: details.message.ts,
    message: messagePayload(details.message),
  });
}

/** Slack: shortcut, one that is not tied to a message. */
export function globalShortcutDelivery(details: {
  person: Person;
  callbackId: string;
  timestamp: string;
  triggerId: string;
}): AppResponse {
  return delivery('interactive', `shortcut ${details.callbackId}`, {
    type: 'shortcut',
    ...common(details.person),
    action_ts: details.timestamp,
    callback_id: details.callbackId,
    trigger_id: details.triggerId,
  });
}

/** Slack: Events API. `event` is the inner event; `at` is in seconds. */
export function eventDelivery(event: JsonObject, at: number): AppResponse {
  return delivery('events_api', `event ${event.type}`, {
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

function delivery(kind: AppResponse['kind'], what: string, payload: JsonObject): AppResponse {
  return { id: randomUUID(), kind, what: what.trimEnd(), payload };
}
