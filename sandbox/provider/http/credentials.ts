import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { AccountState, State } from '../state/state.ts';
import { ProviderErrorReply, wrongKey } from './error-responses.ts';
import { checkNoFields } from './fields.ts';
import type { MultipartPart } from './multipart.ts';
import type { Arrival } from './requests.ts';

/** The account of a request, and its fields without the credentials. */
interface Identified {
  account: AccountState;
  given: Record<string, unknown>;
}

/** Finds the account of a request. Throws a `ProviderErrorReply` when there is none. */
export type Credentials = (arrival: Arrival, state: State) => Identified;

/** API §5.1: a GET has the key in the query. */
export const keyInQuery: Credentials = (arrival, state) => identify(arrival.query, state);

/** API §5.1: a POST has the key in the JSON body, and no query. */
export const keyInBody: Credentials = (arrival, state) => {
  const identified = identify(readJsonObject(arrival), state);
  checkNoFields(arrival.query);
  return identified;
};

/** A DELETE, which API §5.1 does not cover, has the key in the query or in the JSON body. */
export const keyInQueryOrBody: Credentials = (arrival, state) => {
  const body = arrival.text === '' ? {} : readJsonObject(arrival);
  const doubled = Object.keys(body).find((name) => name in arrival.query);
  if (doubled) {
    throw new ProviderErrorReply(400, `${doubled}: is in the query and in the body`);
  }
  return identify({ ...arrival.query, ...body }, state);
};

/** API §4.12: an upload has the key in the JSON part beside the file, and no query. */
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

/** API §5.2: the token is in a header, the fields are in the query of a GET or in the JSON body. */
export const tokenInHeader: Credentials = (arrival, state) => {
  const given = arrival.method === 'GET' ? arrival.query : readJsonObject(arrival);
  const held = state.esimTokens.find((issued) => issued.token === arrival.headers['x-token']);
  if (!held) {
    throw new ProviderErrorReply(401, 'The token is missing, wrong or expired');
  }
  if (arrival.method !== 'GET') {
    checkNoFields(arrival.query);
  }
  return { account: accountOf(held.account, state), given };
};

/** For a public address that ends with an ICCID: the account of that eSIM. */
export const ownerOfIccid: Credentials = ({ path, query }, state) => {
  const iccid = path.split('/').at(-1);
  const account = state.accounts.find(({ sims }) => sims.some((sim) => sim.iccid === iccid));
  if (!account) {
    throw new ProviderErrorReply(404, `eSIM not found: ${iccid}`);
  }
  return { account, given: query };
};

/** Returns the account whose key or token a request carries, wherever it carries it. */
export function accountCarried(
  { query, body, parts = [], headers }: Arrival,
  state: State,
): AccountState | undefined {
  const contact = parseJsonText(parts.find(({ name }) => name === 'contact')?.content.toString('utf8') ?? '');
  const token = state.esimTokens.find((issued) => issued.token === headers['x-token']);
  const keys = [query, body, contact].map((from) => (isJsonObject(from) ? from.api_key : undefined));
  return state.accounts.find(({ key }) => key === token?.account || keys.includes(key));
}

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

/** Reads the JSON object of a body. Throws a `ProviderErrorReply` for anything else. */
function readJsonObject({ headers, body }: Arrival): JsonObject {
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
