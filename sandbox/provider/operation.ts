import type { z } from 'zod';
import { type Credentials, keyInBody, keyInQuery } from './http/credentials.ts';
import { ProviderErrorReply } from './http/error-responses.ts';
import { checkRequestFields } from './http/fields.ts';
import type { FullReply } from './http/replies.ts';
import type { Arrival } from './http/requests.ts';
import type { ProviderOperationName } from './operation-names.ts';
import type { AccountState, State } from './state/state.ts';

/** What an operation may look at and change. */
export interface OperationContext {
  operation: ProviderOperationName;
  state: State;
  /** Whose key or token the request bore. */
  account: AccountState;
  now: Date;
  /** Where the client reached the provider, without a slash at its end. */
  origin: string;
}

/** A request that passed every check but was not carried out yet. */
export interface CheckedRequest {
  account: AccountState;
  /** Its fields as they came, without the key. */
  given: Record<string, unknown>;
  /** Does what was asked for and gives the answer to it, or throws a `Refusal`. */
  execute(): FullReply;
}

interface Place {
  name: ProviderOperationName;
  method: 'GET' | 'POST' | 'DELETE';
  /** With its parameters in braces. */
  path: string;
  /** Another path to the same operation. */
  alias?: string;
  /** Whether a request is for this operation, where another one has the same method and path. */
  takes?(arrival: Arrival): boolean;
}

export interface OperationHandler extends Place {
  /** Throws a `Refusal` for the provider's no. */
  check(arrival: Arrival, parameters: Record<string, string>, state: State, now: Date): CheckedRequest;
}

interface Definition<Fields> extends Place {
  /** Where the request proves whose it is: by default the key in the query of a GET, or else in the JSON body. */
  credentials?: Credentials;
  /** Of the body, or the query of a GET, without the key, and of the parameters in the path. */
  fields: z.ZodType<Fields>;
  /** Gives the answer, or throws a `Refusal`. */
  answer(fields: Fields, context: OperationContext): FullReply;
}

/** An operation whose fields are checked strictly before it does anything. */
export function operation<Fields>(definition: Definition<Fields>): OperationHandler {
  const { fields, answer, ...place } = definition;
  const { credentials = place.method === 'GET' ? keyInQuery : keyInBody } = definition;
  return {
    ...place,
    check(arrival, parameters, state, now) {
      const { account, given } = credentials(arrival, state);
      const doubled = Object.keys(parameters).find((name) => name in given);
      if (doubled) {
        throw new ProviderErrorReply(400, `unknown field: ${doubled}`);
      }
      const checked = checkRequestFields(fields, { ...given, ...parameters });
      const origin = `http://${arrival.headers.host}`;
      const context = { operation: place.name, state, account, now, origin };
      return { account, given, execute: () => answer(checked, context) };
    },
  };
}
