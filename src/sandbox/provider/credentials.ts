import type { JsonObject } from '../slack/protocol.ts';
import { checkNothing } from './fields.ts';
import { Refusal, wrongKey } from './refusals.ts';
import type { Arrival } from './requests.ts';
import type { Account, State } from './state.ts';

/** Whose request it is, and its fields without what proved that. */
interface Identified {
  account: Account;
  given: Record<string, unknown>;
}

/** Finds the account that a request speaks for, or throws a `Refusal`. */
export type Credentials = (arrival: Arrival, state: State) => Identified;

/** API §5.1: for a GET, the key is in the query. */
export const keyInQuery: Credentials = (arrival, state) => identify(arrival.query, state);

/** API §5.1: for a POST, the key is in the JSON body. Such a request has no query. */
export const keyInBody: Credentials = (arrival, state) => {
  const identified = identify(readBody(arrival), state);
  checkNothing(arrival.query);
  return identified;
};

function identify({ api_key: key, ...given }: Record<string, unknown>, state: State): Identified {
  const account = state.accounts.find((candidate) => candidate.key === key);
  if (!account) throw wrongKey();
  return { account, given };
}

/** The JSON object in a body, or a `Refusal`. */
function readBody({ headers, body }: Arrival): JsonObject {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refusal(415, 'Content-Type must be application/json');
  if (body === undefined) throw new Refusal(400, 'The body is not JSON');
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal(400, 'The body is not a JSON object');
  }
  return body;
}
