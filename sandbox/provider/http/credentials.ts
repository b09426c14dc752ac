import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { AccountState, State } from '../state/state.ts';
import { ProviderErrorReply, wrongKey } from './error-responses.ts';
import { checkNoFields } from './fields.ts';
import type { MultipartPart } from './multipart.ts';
import type { Arrival } from './requests.ts';

/** Whose request it is, and its fields without what proved that. */
interface Identified {
  account: AccountState;
  given: Record<string, unknown>;
}

/** Finds the account that a request speaks for, or throws a `Refusal`. */
export type Credentials = (arrival: Arrival, state: State) => Identified;

/** API §5.1: for a GET, the key is in the query. */
export const keyInQuery: Credentials = (arrival, state) => identify(arrival.query, state);

/** API §5.1: for a POST, the key is in the JSON body. Such a request has no query. */
export const keyInBody: Credentials = (arrival, state) => {
  const identified = identify(readBody(arrival), state);
  checkNoFields(arrival.query);
  return identified;
};

/** For a DELETE, where API §5.1 is silent: the key is in the query or in the JSON body, if there is one. */
export const keyInQueryOrBody: Credentials = (arrival, state) => {
  const body = arrival.text === '' ? {} : readBody(arrival);
  const doubled = Object.keys(body).find((name) => name in arrival.query);
  if (doubled) {
    throw new ProviderErrorReply(400, `${doubled}: is in the query and in the body`);
  }
  return identify({ ...arrival.query, ...body }, state);
};

/** API §4.12: for an upload, the key is in the JSON part beside the file. Such a request has no query. */
export const keyInForm: Credentials = ({ headers, parts, query }, state) => {
  if (mediaType(headers) !== 'multipart/form-data') {
    throw new ProviderErrorReply(415, 'Content-Type must be multipart/form-data');
  }
  if (!parts) {
    throw new ProviderErrorReply(400, 'The body is not a multipart form');
  }
  const names = parts.map(({ name }) => name).sort();
  if (names.join() !== 'contact,file') {
    throw new ProviderErrorReply(400, `The parts must be file and contact, not ${names}`);
  }
  const file = parts.find(({ name }) => name === 'file');
  if (file?.filename === undefined) {
    throw new ProviderErrorReply(400, 'file: is not a file');
  }
  const { account, given } = identify(readContactPart(parts), state);
  checkNoFields(query);
  return { account, given: { file: file.content.toString('utf8'), contact: given } };
};

/** API §5.2: the token is in a header, and what else there is in the query of a GET or in the JSON body. */
export const tokenInHeader: Credentials = (arrival, state) => {
  const given = arrival.method === 'GET' ? arrival.query : readBody(arrival);
  const held = state.esimTokens.find((issued) => issued.token === arrival.headers['x-token']);
  if (!held) {
    throw new ProviderErrorReply(401, 'The token is missing, wrong or expired');
  }
  if (arrival.method !== 'GET') {
    checkNoFields(arrival.query);
  }
  return { account: accountOf(held.account, state), given };
};

/** Of an address that is open to whoever knows it: the account whose eSIM it ends with. */
export const ownerOfIccid: Credentials = ({ path, query }, state) => {
  const iccid = path.split('/').at(-1);
  const account = state.accounts.find(({ sims }) => sims.some((sim) => sim.iccid === iccid));
  if (!account) {
    throw new ProviderErrorReply(404, `eSIM not found: ${iccid}`);
  }
  return { account, given: query };
};

function readContactPart(parts: readonly MultipartPart[]): JsonObject {
  const part = parts.find(({ name }) => name === 'contact');
  if (part?.type !== 'application/json') {
    throw new ProviderErrorReply(415, 'contact: must be of application/json');
  }
  const fields = parseJsonText(part.content.toString('utf8'));
  if (!isJsonObject(fields)) {
    throw new ProviderErrorReply(400, 'contact: is not a JSON object');
  }
  return fields;
}

function identify({ api_key: key, ...given }: Record<string, unknown>, state: State): Identified {
  return { account: accountOf(key, state), given };
}

function accountOf(key: unknown, state: State): AccountState {
  const account = state.accounts.find((candidate) => candidate.key === key);
  if (!account) {
    throw wrongKey();
  }
  return account;
}

/** The JSON object in a body, or a `Refusal`. */
function readBody({ headers, body }: Arrival): JsonObject {
  if (mediaType(headers) !== 'application/json') {
    throw new ProviderErrorReply(415, 'Content-Type must be application/json');
  }
  if (body === undefined) {
    throw new ProviderErrorReply(400, 'The body is not JSON');
  }
  if (!isJsonObject(body)) {
    throw new ProviderErrorReply(400, 'The body is not a JSON object');
  }
  return body;
}

function mediaType(headers: Arrival['headers']): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}
