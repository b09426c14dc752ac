import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import type { JsonObject, UserAction, UserActions } from '../protocol.ts';
import type { SlackState } from '../slack.ts';
import { eventDelivery } from '../transport/requests.ts';
import type { AppAnswer, AppResponse, Courier, Handling } from '../transport/transport.ts';
import { team } from '../workspace/fixtures.ts';
import { prepare } from './prepare.ts';
import { DeedError } from './user-action.ts';

/** How a forged request differs from an honest one. */
export interface Forgery {
  signature?: string;
  /** In seconds. */
  timestamp?: number;
  /** Another workspace's id, in place of the sandbox's everywhere in the request. */
  team?: string;
  /** The workspace that the person is said to belong to. */
  personTeam?: string;
  /** Changes anything else of the payload. */
  rewrite?: (payload: JsonObject) => JsonObject;
}

export interface Performer {
  perform(deed: UserAction): Promise<UserActions>;
  /** Prepares the request of a deed now; the function returned sends it. */
  later(deed: UserAction): () => Promise<UserActions>;
  redeliver(what?: string): Promise<UserActions>;
  forge(deed: UserAction, forgery: Forgery): Promise<UserActions>;
  sendEvent(event: JsonObject): Promise<UserActions>;
}

/** How many requests can be sent again. */
const REMEMBERED = 100;

/** Carries out deeds, honest and forged ones. */
export function createPerformer(slack: SlackState, courier: Courier): Performer {
  const sent: { delivery: AppResponse; repeats: number }[] = [];

  const send = async (delivery: AppResponse, handling?: Handling): Promise<AppAnswer> => {
    sent.push({ delivery, repeats: 0 });
    if (sent.length > REMEMBERED) {
      sent.shift();
    }
    return await courier.deliver(delivery, handling);
  };

  return {
    async perform(deed) {
      const prepared = prepare(slack, deed);
      if (!('delivery' in prepared)) {
        return prepared;
      }
      const answer = await send(prepared.delivery);
      return outcome(answer, prepared.settle(answer));
    },
    later(deed) {
      const prepared = prepare(slack, deed);
      if (!('delivery' in prepared)) {
        throw new DeedError('The app is not told of this deed.');
      }
      return async () => {
        const answer = await send(prepared.delivery);
        return outcome(answer, prepared.settle(answer));
      };
    },
    async redeliver(what = '') {
      const last = sent.findLast(({ delivery }) => delivery.what.startsWith(what));
      if (!last) {
        throw new DeedError(`No ${what || 'request'} was sent yet.`);
      }
      last.repeats += 1;
      const retry = { number: last.repeats, reason: 'http_timeout' };
      return outcome(await courier.deliver(last.delivery, { retry }));
    },
    async forge(deed, { team: foreign, personTeam, rewrite = (payload) => payload, ...handling }) {
      const prepared = prepare(slack, deed);
      if (!('delivery' in prepared)) {
        throw new DeedError('The app is not told of this deed.');
      }
      const delivery = byPersonOf(personTeam, from(foreign, prepared.delivery));
      return outcome(await send({ ...delivery, payload: rewrite(delivery.payload) }, handling));
    },
    async sendEvent(event) {
      const at = Math.floor(slack.workspace.now().getTime() / 1000);
      return outcome(await send(eventDelivery(event, at)));
    },
  };
}

function outcome(answer: AppAnswer, trouble: string | undefined = answer.failure): UserActions {
  const { status, body, milliseconds } = answer;
  return { status, answer: body, milliseconds, ...(trouble !== undefined && { trouble }) };
}

function from(foreign: string | undefined, delivery: AppResponse): AppResponse {
  if (foreign === undefined) {
    return delivery;
  }
  const payload = parseJsonText(JSON.stringify(delivery.payload).replaceAll(team.id, foreign));
  if (!isJsonObject(payload)) {
    throw new DeedError(`The request cannot come from ${foreign}.`);
  }
  return { ...delivery, payload };
}

function byPersonOf(foreign: string | undefined, delivery: AppResponse): AppResponse {
  if (foreign === undefined) {
    return delivery;
  }
  const { user } = delivery.payload;
  if (!isJsonObject(user)) {
    throw new DeedError('The request does not say where its person belongs.');
  }
  return { ...delivery, payload: { ...delivery.payload, user: { ...user, team_id: foreign } } };
}
