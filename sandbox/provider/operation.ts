import type { z } from 'zod';
import type { FullReply } from './http/replies.ts';
import {
  type Credentials,
  checkRequestFields,
  keyInBody,
  keyInQuery,
  ProviderErrorReply,
} from './http/request-checks.ts';
import type { Arrival } from './http/requests.ts';
import type { ProviderOperationName } from './operation-names.ts';
import type { AccountState, State } from './state/state.ts';

/** What an operation reads and changes. */
export interface OperationContext {
  operation: ProviderOperationName;
  state: State;
  /** The account of the request's key or token. */
  account: AccountState;
  now: Date;
  /** The provider's address as the client used it, without a trailing slash. */
  origin: string;
}

/** A request that passed every check and has not been executed yet. */
export interface CheckedRequest {
  account: AccountState;
  /** The fields as sent, without the key. */
  given: Record<string, unknown>;
  /** Executes the request. Throws a `ProviderErrorReply` for an error. */
  execute(): FullReply;
}

interface OperationRoute {
  name: ProviderOperationName;
  method: 'GET' | 'POST' | 'DELETE';
  /** The path, with parameters in braces. */
  path: string;
  /** Another path of the operation. */
  alias?: string;
  /** Whether a request is for this operation, when another has the same method and path. */
  takes?(arrival: Arrival): boolean;
}

export interface OperationHandler extends OperationRoute {
  /** Checks a request. Throws a `ProviderErrorReply` for a wrong one. */
  check(arrival: Arrival, parameters: Record<string, string>, state: State, now: Date): CheckedRequest;
}

interface OperationDefinition<Fields> extends OperationRoute {
  /** Where the credentials are. By default the key in the query of a GET, else in the JSON body. */
  credentials?: Credentials;
  /** The fields of the body, or of the query of a GET, without the key and with the path parameters. */
  fields: z.ZodType<Fields>;
  /** Executes the operation. Throws a `ProviderErrorReply` for an error. */
  answer(fields: Fields, context: OperationContext): FullReply;
}

/** Defines an operation. Its fields are checked strictly before it does anything. */
export function operation<Fields>(definition: OperationDefinition<Fields>): OperationHandler {
  const { fields, answer, ...route } = definition;
  const { credentials = route.method === 'GET' ? keyInQuery : keyInBody } = definition;
  return {
    ...route,
    check(arrival, parameters, state, now) {
      const { account, given } = credentials(arrival, state);
      const doubled = Object.keys(parameters).find((name) => name in given);
      if (doubled) {
        throw new ProviderErrorReply(400, `unknown field: ${doubled}`);
      }
      const checked = checkRequestFields(fields, { ...given, ...parameters });
      const origin = `http://${arrival.headers.host}`;
      const context = { operation: route.name, state, account, now, origin };
      return { account, given, execute: () => answer(checked, context) };
    },
  };
}
