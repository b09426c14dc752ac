import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import { UserActionError } from '../errors.ts';
import type { Installation } from '../installations/installations.ts';
import type { UserAction, UserActionResult } from '../protocol.ts';
import { type RemovalNotice, reachOf, type Slack, type SlackState, workspaceOf } from '../slack.ts';
import { eventRequest, removalRequest } from '../transport/requests.ts';
import type { AppRequest, AppResponse, AppTransport, DeliveryOptions } from '../transport/transport.ts';
import { team as firstTeam } from '../workspace/fixtures.ts';
import { prepareCommand, prepareHome, prepareMessage, prepareShortcut } from './actions/channel.ts';
import { prepareSlackbot } from './actions/slackbot.ts';
import {
  prepareBlockAction,
  prepareClose,
  prepareFill,
  prepareOptions,
  prepareSubmit,
} from './actions/view.ts';
import { actingIn } from './lookup.ts';
import { notDelivered, type PreparedAction, type PreparedRequest } from './user-action.ts';

/** The differences of a forged request from a genuine one. */
export interface Forgery {
  signature?: string;
  /** In seconds. */
  timestamp?: number;
  /** Replaces the id of the workspace everywhere in the request. */
  team?: string;
  /** Replaces the workspace of the person. */
  personTeam?: string;
  /** Changes the payload in any other way. */
  rewrite?: (payload: JsonObject) => JsonObject;
}

export interface Performer {
  /** Performs a person's action. Resolves when Slack has applied the app's acknowledgement. Throws UserActionError. */
  perform(action: UserAction): Promise<UserActionResult>;
  /** Prepares an action on what is shown now, as on another device. The returned function sends it. */
  later(action: UserAction): () => Promise<UserActionResult>;
  /**
   * Sends the last request to the app again, as Slack does without an answer. `what` selects the last request whose
   * description starts so, such as `view_submission` or `command /sms`; `team` the last one of that workspace.
   */
  redeliver(what?: string, team?: string): Promise<UserActionResult>;
  /** Sends a forged request for an action. The app's answer has no effect. */
  forge(action: UserAction, forgery: Forgery): Promise<UserActionResult>;
  /** Sends an event of the Events API, such as `{type: 'app_uninstalled'}`, by default of the first workspace. */
  sendEvent(event: JsonObject, team?: string): Promise<UserActionResult>;
  /** Sends those of the events to which the app subscribes. */
  sendRemoval(installation: Installation, events: readonly RemovalNotice[]): Promise<UserActionResult[]>;
}

/** The number of requests that can be redelivered. */
const MAX_SENT = 100;

/** Creates the performer of user actions, genuine and forged. */
export function createPerformer(slack: Slack, transport: AppTransport): Performer {
  const sent: { request: AppRequest; repeats: number }[] = [];

  const send = async (request: AppRequest, delivery?: DeliveryOptions): Promise<AppResponse> => {
    sent.push({ request, repeats: 0 });
    if (sent.length > MAX_SENT) {
      sent.shift();
    }
    return await transport.deliver(request, delivery);
  };

  const play = async ({ request, settle }: PreparedRequest): Promise<UserActionResult> => {
    const answer = await send(request);
    return outcome(answer, settle(answer));
  };

  return {
    async perform(action) {
      const prepared = prepare(actingIn(slack, action), action);
      if (!('request' in prepared)) {
        return prepared;
      }
      return await play(prepared);
    },
    later(action) {
      const prepared = prepare(actingIn(slack, action), action);
      if (!('request' in prepared)) {
        throw new UserActionError('The app does not see this action.');
      }
      return () => play(prepared);
    },
    async redeliver(what = '', team) {
      const last = sent.findLast(
        ({ request }) => request.what.startsWith(what) && (team === undefined || isOf(request, team)),
      );
      if (!last) {
        throw new UserActionError(`No ${what || 'request'} was sent yet.`);
      }
      last.repeats += 1;
      const retry = { number: last.repeats, reason: 'http_timeout' };
      return outcome(await transport.deliver(last.request, { retry }));
    },
    async forge(action, { team: foreign, personTeam, rewrite = (payload) => payload, ...delivery }) {
      const state = actingIn(slack, action);
      const prepared = prepare(state, action);
      if (!('request' in prepared)) {
        throw new UserActionError('The app does not see this action.');
      }
      const request = byPersonOfTeam(personTeam, fromTeam(foreign, state, prepared.request));
      return outcome(await send({ ...request, payload: rewrite(request.payload) }, delivery));
    },
    async sendEvent(event, team = firstTeam.id) {
      const { workspace } = workspaceOf(slack, team);
      return outcome(await send(eventRequest(workspace, event)));
    },
    async sendRemoval(installation, events) {
      const subscribed = events.filter((type) => slack.manifest.events.includes(type));
      const enterpriseId = reachOf(slack, installation)[0]?.workspace.team.enterprise?.id ?? null;
      return await Promise.all(
        subscribed.map(async (type) =>
          outcome(await send(removalRequest(installation, type, enterpriseId, slack.now()))),
        ),
      );
    },
  };
}

function isOf({ payload }: AppRequest, team: string): boolean {
  const { team_id: id, team: of } = payload;
  return id === team || (isJsonObject(of) && of.id === team);
}

function outcome(answer: AppResponse, trouble: string | undefined = answer.failure): UserActionResult {
  const { status, body, milliseconds } = answer;
  return { status, answer: body, milliseconds, ...(trouble !== undefined && { trouble }) };
}

function fromTeam(foreign: string | undefined, { workspace }: SlackState, request: AppRequest): AppRequest {
  if (foreign === undefined) {
    return request;
  }
  const payload = parseJsonText(JSON.stringify(request.payload).replaceAll(workspace.team.id, foreign));
  if (!isJsonObject(payload)) {
    throw new UserActionError(`The request cannot come from ${foreign}.`);
  }
  return { ...request, payload };
}

function byPersonOfTeam(foreign: string | undefined, request: AppRequest): AppRequest {
  if (foreign === undefined) {
    return request;
  }
  const { user } = request.payload;
  if (!isJsonObject(user)) {
    throw new UserActionError('The request does not say where its person belongs.');
  }
  return { ...request, payload: { ...request.payload, user: { ...user, team_id: foreign } } };
}

/**
 * Performs an action as Slack's client does, up to the request to the app. Slack sends none where the app is not installed.
 * Throws UserActionError.
 */
function prepare(slack: SlackState, action: UserAction): PreparedAction {
  const prepared = prepareAction(slack, action);
  return 'request' in prepared && !slack.workspace.installation
    ? notDelivered('The app is not installed in this workspace.')
    : prepared;
}

function prepareAction(slack: SlackState, action: UserAction): PreparedAction {
  switch (action.do) {
    case 'command':
      return prepareCommand(slack, action);
    case 'message':
      return prepareMessage(slack, action);
    case 'action':
      return prepareBlockAction(slack, action);
    case 'fill':
      return prepareFill(slack, action);
    case 'submit':
      return prepareSubmit(slack, action);
    case 'close':
      return prepareClose(slack, action);
    case 'options':
      return prepareOptions(slack, action);
    case 'shortcut':
      return prepareShortcut(slack, action);
    case 'home':
      return prepareHome(slack, action);
    case 'tools':
    case 'tool':
      return prepareSlackbot(slack, action);
  }
}
