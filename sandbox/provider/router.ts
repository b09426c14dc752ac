import { answerAuthenticate, planOperations } from './esims/plans.ts';
import { qrOperations } from './esims/qr.ts';
import { simOperations } from './esims/sims.ts';
import { type ProviderFault, replyWithFault } from './faults/faults.ts';
import { magicFault } from './faults/magic-numbers.ts';
import { errorReply, type FullReply, type Reply } from './http/replies.ts';
import { ProviderErrorReply } from './http/request-checks.ts';
import type { Arrival } from './http/requests.ts';
import { insightOperations } from './insight/insight.ts';
import { messageOperations } from './messages/messages.ts';
import type { CheckedRequest, OperationHandler } from './operation.ts';
import { phonebookOperations } from './phonebooks/phonebooks.ts';
import { senderIdOperations } from './sender-ids/sender-ids.ts';
import type { State } from './state/state.ts';
import { tokenOperations } from './tokens/tokens.ts';
import { undocumentedOperations } from './undocumented.ts';

/** Of two operations with the same method and path, the one with `takes` comes first. */
const operations: readonly OperationHandler[] = [
  ...messageOperations,
  ...tokenOperations,
  ...insightOperations,
  ...senderIdOperations,
  ...phonebookOperations,
  answerAuthenticate,
  ...planOperations,
  ...simOperations,
  ...qrOperations,
  ...undocumentedOperations,
];

export interface RouteMatch {
  operation: OperationHandler;
  /** The values of the path parameters. */
  parameters: Record<string, string>;
}

/** Returns every operation of a path, of any method. */
function routesAt(path: string): RouteMatch[] {
  return operations.flatMap((operation) => {
    const parameters = match(operation.path, path) ?? (operation.alias && match(operation.alias, path));
    return parameters ? [{ operation, parameters }] : [];
  });
}

/** Returns the operation of a request whose body has been read. */
export function routeOf(arrival: Arrival): RouteMatch | undefined {
  return routesAt(arrival.path).find(
    ({ operation }) => operation.method === arrival.method && (operation.takes?.(arrival) ?? true),
  );
}

/** Returns the operation of a request before its body is read, or undefined when the body decides. */
export function onlyRouteOf({ method, path }: { method: string; path: string }): RouteMatch | undefined {
  const [first, ...more] = routesAt(path).filter(({ operation }) => operation.method === method);
  return more.length === 0 ? first : undefined;
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const given = path.split('/');
  const expected = pattern.split('/');
  if (given.length !== expected.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const actual = given[index] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== actual : actual === '') {
      return undefined;
    }
    if (name !== undefined) {
      parameters[name] = decode(actual);
    }
  }
  return parameters;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Wrong percent-encoding: no id looks like it, so it is not found.
    return part;
  }
}

interface RequestContext {
  route: RouteMatch | undefined;
  /** The fault ordered for this request. */
  ordered: ProviderFault | undefined;
  state: State;
  now: Date;
}

/**
 * Checks and executes a request. An ordered fault applies to any request, right or wrong, and takes precedence over a
 * magic number, which applies only to a right one.
 */
export function handleRequest(arrival: Arrival, { route, ordered, state, now }: RequestContext): Reply {
  const { path } = arrival;
  const orErrorReply = <R>(work: () => R): R | FullReply => {
    try {
      return work();
    } catch (error) {
      if (error instanceof ProviderErrorReply) {
        return errorReply(error, path);
      }
      throw error;
    }
  };
  const check = (): CheckedRequest => {
    if (!route) {
      throw noSuchOperation(arrival);
    }
    return route.operation.check(arrival, route.parameters, state, now);
  };
  const answeredEmpty = isAnsweredEmpty(arrival, route);
  if (ordered) {
    return replyWithFault(ordered, path, () =>
      answeredEmpty ? emptySuccess : orErrorReply(() => check().execute()),
    );
  }
  return orErrorReply(() => {
    if (answeredEmpty) {
      return emptySuccess;
    }
    const { given, account, execute } = check();
    const fault = magicFault(given, account);
    return fault ? replyWithFault(fault, path, execute) : execute();
  });
}

/** Facts: a GET with a content type can be answered by an empty success. */
function isAnsweredEmpty({ headers }: Arrival, route: RouteMatch | undefined): boolean {
  return route?.operation.method === 'GET' && headers['content-type'] !== undefined;
}

const emptySuccess: FullReply = { kind: 'answer', status: 200, headers: {}, body: '' };

function noSuchOperation({ method, path }: Arrival): ProviderErrorReply {
  const allowed = new Set(routesAt(path).map(({ operation }) => operation.method));
  if (allowed.size === 0) {
    return new ProviderErrorReply(404, `No such path: ${path}`);
  }
  return new ProviderErrorReply(405, `${method} is not allowed here`, { allow: [...allowed].join(', ') });
}
