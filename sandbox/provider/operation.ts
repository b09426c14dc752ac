import type { z } from 'zod';
import { type Credentials, keyInBody, keyInQuery } from './http/credentials.ts';
import { ProviderRefusal } from './http/error-responses.ts';
import { checkRequestFields } from './http/fields.ts';
import type { ProviderReply } from './http/replies.ts';
import type { Arrival } from './http/requests.ts';
import type { HandledOperation } from './operation-names.ts';
import type { AccountState, State } from './state/state.ts';

/** What an operation may look at and change. */
export interface Context {
  operation: HandledOperation;
  state: State;
  /** Whose key or token the request bore. */
  account: AccountState;
  now: Date;
  /** Where the client reached the provider, without a slash at its end. */
  origin: string;
}

/** A request that passed every check but was not carried out yet. */
export interface Checked {
  account: AccountState;
  /** Its fields as they came, without the key. */
  given: Record<string, unknown>;
  /** Does what was asked for and gives the answer to it, or throws a `Refusal`. */
  carryOut(): ProviderReply;
}

interface Place {
  name: HandledOperation;
  method: 'GET' | 'POST' | 'DELETE';
  /** With its parameters in braces. */
  path: string;
  /** Another path to the same operation. */
  alias?: string;
  /** Whether a request is for this operation, where another one has the same method and path. */
  takes?(arrival: Arrival): boolean;
}

export interface ProviderHandler extends Place {
  /** Throws a `Refusal` for the provider's no. */
  check(arrival: Arrival, parameters: Record<string, string>, state: State, now: Date): Checked;
}

interface Definition<Fields> extends Place {
  /** Where the request proves whose it is: by default the key in the query of a GET, or else in the JSON body. */
  credentials?: Credentials;
  /** Of the body, or the query of a GET, without the key, and of the parameters in the path. */
  fields: z.ZodType<Fields>;
  /** Gives the answer, or throws a `Refusal`. */
  answer(fields: Fields, context: Context): ProviderReply;
}

/** An operation whose fields are checked strictly before it does anything. */
export function operation<Fields>(definition: Definition<Fields>): ProviderHandler {
  const { fields, answer, ...place } = definition;
  const { credentials = place.method === 'GET' ? keyInQuery : keyInBody } = definition;
  return {
    ...place,
    check(arrival, parameters, state, now) {
      const { account, given } = credentials(arrival, state);
      const doubled = Object.keys(parameters).find((name) => name in given);
      if (doubled) {
        throw new ProviderRefusal(400, `unknown field: ${doubled}`);
      }
      const checked = checkRequestFields(fields, { ...given, ...parameters });
      const origin = `http://${arrival.headers.host}`;
      const context = { operation: place.name, state, account, now, origin };
      return { account, given, carryOut: () => answer(checked, context) };
    },
  };
}
