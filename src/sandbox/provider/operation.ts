import { z } from 'zod';
import type { JsonObject } from '../slack/protocol.ts';
import { checkFields } from './fields.ts';
import { magicReply } from './magic-numbers.ts';
import { Refusal, wrongKey } from './refusals.ts';
import { type Answer, jsonAnswer, type Reply } from './replies.ts';
import type { Arrival } from './requests.ts';
import type { Account, State } from './state.ts';

/** What an operation may look at and change. */
export interface Context {
  state: State;
  /** Whose key the request bore. */
  account: Account;
  now: Date;
}

export interface Operation {
  method: 'GET' | 'POST';
  path: string;
  /** Throws a `Refusal` for the provider's no. */
  reply(arrival: Arrival, state: State, now: Date): Reply;
}

interface Definition<Fields> {
  method: 'GET' | 'POST';
  path: string;
  /** Of the body of a POST or the query of a GET, without the key. */
  fields: z.ZodType<Fields>;
  /** Gives the body of the 200, or throws a `Refusal`. */
  answer(fields: Fields, context: Context): JsonObject;
}

/**
 * An operation with the account's key where API §5.1 wants it: in the JSON body of a POST, in the query of a
 * GET. Its fields are checked strictly, and a magic number among them brings on its fault.
 */
export function operation<Fields>({ method, path, fields, answer }: Definition<Fields>): Operation {
  return {
    method,
    path,
    reply(arrival, state, now) {
      // Facts: a GET that names a content type can come back as an empty success.
      if (method === 'GET' && arrival.headers['content-type'] !== undefined) return emptySuccess;
      const { api_key: key, ...given } = method === 'GET' ? arrival.query : readBody(arrival);
      const account = state.accounts.find((candidate) => candidate.key === key);
      if (!account) throw wrongKey();
      if (method === 'POST') checkFields(noFields, arrival.query);
      const checked = checkFields(fields, given);
      const carryOut = () => jsonAnswer(200, answer(checked, { state, account, now }));
      return magicReply(given, { account, path, carryOut });
    },
  };
}

const noFields = z.strictObject({});

const emptySuccess: Answer = { kind: 'answer', status: 200, headers: {}, body: '' };

function readBody({ headers, body }: Arrival): JsonObject {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refusal(415, 'Content-Type must be application/json');
  if (body === undefined) throw new Refusal(400, 'The body is not JSON');
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal(400, 'The body is not a JSON object');
  }
  return body;
}
