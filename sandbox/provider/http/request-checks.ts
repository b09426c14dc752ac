import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { AccountState, Sim, State } from '../state/state.ts';
import type { Arrival, MultipartPart } from './requests.ts';

/** Thrown by an operation to answer with an error status and message. */
export class ProviderErrorReply extends Error {
  override readonly name = 'ProviderErrorReply';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Facts: errors of the one-time code service can arrive as one string that contains the error body. */
export class NestedErrorReply extends ProviderErrorReply {}

export function wrongKey(): ProviderErrorReply {
  return new ProviderErrorReply(401, 'The API key is missing or wrong');
}

/** Facts: the provider's message for a recipient's country that is not activated. */
export function countryInactive(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'Country Inactive. Contact Administrator to activate country.');
}

/** Facts: the provider's message for a recipient that isn't a phone number. */
export function invalidNumber(): ProviderErrorReply {
  return new ProviderErrorReply(422, 'Invalid phone number');
}

/** Facts: the provider's message for a channel that is not activated. */
export function noRoute(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'No Route on your account. Kindly contact your account manager');
}

/** Facts: the provider's message for a sender ID that is unknown, pending, declined or blocked. */
export function unknownSenderId({ applicationId }: AccountState, from: string): ProviderErrorReply {
  const message = `ApplicationSenderId not found for applicationId: ${applicationId} and senderName: ${from}`;
  return new ProviderErrorReply(404, message);
}

/** A balance that does not cover the message. No source shows the status: 400 is a choice. */
export function balanceTooLow(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'Insufficient balance. Kindly top up your account');
}

/** A number in international format, as digits alone (API §4). */
export const phoneNumberField = z
  .string()
  .regex(/^[1-9]\d{6,14}$/, 'must be a phone number in international format, as digits alone');

/** Up to 100 numbers (API §4.3). */
export const phoneNumbers = z
  .array(phoneNumberField)
  .min(1, 'must hold a number')
  .max(100, 'must hold at most 100 numbers');

/** One number, or up to 100 (API §4.1). */
export const recipientsField = z.preprocess((to) => (typeof to === 'string' ? [to] : to), phoneNumbers);

/** A sender ID (API §2.4): 3 to 11 letters and digits, or a number. */
export const senderIdFieldPattern = /^(?:[A-Za-z0-9]{3,11}|\d+)$/;

export const senderIdField = z
  .string()
  .regex(senderIdFieldPattern, 'must be 3 to 11 letters and digits, or a number');

/** Parses fields by a schema. Throws a 400 that names every wrong field. */
export function checkRequestFields<Fields>(schema: z.ZodType<Fields>, fields: unknown): Fields {
  const result = schema.safeParse(fields);
  if (result.success) {
    return result.data;
  }
  throw new ProviderErrorReply(400, result.error.issues.map(describeIssue).join('; '));
}

const nothing = z.strictObject({});

/** Throws a 400 for any field. */
function checkNoFields(fields: unknown): void {
  checkRequestFields(nothing, fields);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown field: ${issue.keys.map((key) => (path ? `${path}.${key}` : key)).join(', ')}`;
    case 'invalid_value':
      return `${path}: must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return `${path}: is missing or not of type ${issue.expected}`;
    default:
      return `${path}: ${issue.message}`;
  }
}

const integer = z
  .string()
  .regex(/^\d{1,6}$/, 'must be a whole number')
  .transform(Number);

/** Facts: the number of the page, from zero, and its size. */
export const pagingFields = {
  page: integer.exactOptional(),
  size: integer.refine((size) => size >= 1, 'must be at least 1').exactOptional(),
};

/** The field of the operations on one eSIM. */
export const iccidField = z.strictObject({ iccid: z.string() });

/** Returns one page of records in the envelope of API §2.1. */
export function pageOf(
  records: JsonObject[],
  { page = 0, size = 15 }: { page?: number; size?: number },
): JsonObject {
  const content = records.slice(page * size, (page + 1) * size);
  const totalPages = Math.ceil(records.length / size);
  const sort = { empty: false, sorted: true, unsorted: false };
  return {
    content,
    pageable: { sort, offset: page * size, pageNumber: page, pageSize: size, paged: true, unpaged: false },
    totalElements: records.length,
    totalPages,
    last: page >= totalPages - 1,
    first: page === 0,
    size,
    number: page,
    numberOfElements: content.length,
    empty: content.length === 0,
    sort,
  };
}

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

/** Throws a `ProviderErrorReply` if the account has no such eSIM. */
export function findSim({ sims }: AccountState, iccid: string): Sim {
  const sim = sims.find((candidate) => candidate.iccid === iccid);
  if (!sim) {
    throw new ProviderErrorReply(404, `eSIM not found: ${iccid}`);
  }
  return sim;
}

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
