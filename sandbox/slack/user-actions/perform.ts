import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import type { UserAction, UserActionResult } from '../protocol.ts';
import type { SlackState } from '../slack.ts';
import { eventRequest } from '../transport/requests.ts';
import type { AppRequest, AppResponse, AppTransport, DeliveryOptions } from '../transport/transport.ts';
import { team } from '../workspace/fixtures.ts';
import { prepare } from './prepare.ts';
import { UserActionError } from './user-action.ts';

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
  perform(action: UserAction): Promise<UserActionResult>;
  /** Prepares the request of an action. The returned function sends it. */
  later(action: UserAction): () => Promise<UserActionResult>;
  redeliver(what?: string): Promise<UserActionResult>;
  forge(action: UserAction, forgery: Forgery): Promise<UserActionResult>;
  sendEvent(event: JsonObject): Promise<UserActionResult>;
}

/** The number of requests that can be redelivered. */
const MAX_SENT = 100;

/** Creates the performer of user actions, genuine and forged. */
export function createPerformer(slack: SlackState, transport: AppTransport): Performer {
  const sent: { request: AppRequest; repeats: number }[] = [];

  const send = async (request: AppRequest, delivery?: DeliveryOptions): Promise<AppResponse> => {
    sent.push({ request, repeats: 0 });
    if (sent.length > MAX_SENT) {
      sent.shift();
    }
    return await transport.deliver(request, delivery);
  };

  return {
    async perform(action) {
      const prepared = prepare(slack, action);
      if (!('request' in prepared)) {
        return prepared;
      }
      const answer = await send(prepared.request);
      return outcome(answer, prepared.settle(answer));
    },
    later(action) {
      const prepared = prepare(slack, action);
      if (!('request' in prepared)) {
        throw new UserActionError('The app does not see this action.');
      }
      return async () => {
        const answer = await send(prepared.request);
        return outcome(answer, prepared.settle(answer));
      };
    },
    async redeliver(what = '') {
      const last = sent.findLast(({ request }) => request.what.startsWith(what));
      if (!last) {
        throw new UserActionError(`No ${what || 'request'} was sent yet.`);
      }
      last.repeats += 1;
      const retry = { number: last.repeats, reason: 'http_timeout' };
      return outcome(await transport.deliver(last.request, { retry }));
    },
    async forge(action, { team: foreign, personTeam, rewrite = (payload) => payload, ...delivery }) {
      const prepared = prepare(slack, action);
      if (!('request' in prepared)) {
        throw new UserActionError('The app does not see this action.');
      }
      const request = byPersonOfTeam(personTeam, fromTeam(foreign, prepared.request));
      return outcome(await send({ ...request, payload: rewrite(request.payload) }, delivery));
    },
    async sendEvent(event) {
      const at = Math.floor(slack.workspace.now().getTime() / 1000);
      return outcome(await send(eventRequest(event, at)));
    },
  };
}

function outcome(answer: AppResponse, trouble: string | undefined = answer.failure): UserActionResult {
  const { status, body, milliseconds } = answer;
  return { status, answer: body, milliseconds, ...(trouble !== undefined && { trouble }) };
}

function fromTeam(foreign: string | undefined, request: AppRequest): AppRequest {
  if (foreign === undefined) {
    return request;
  }
  const payload = parseJsonText(JSON.stringify(request.payload).replaceAll(team.id, foreign));
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
