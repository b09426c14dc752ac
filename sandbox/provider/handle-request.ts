import { type ProviderFault, replyWithFault } from './faults/faults.ts';
import { magicFault } from './faults/magic-numbers.ts';
import { ProviderErrorReply } from './http/error-responses.ts';
import { errorReply, type FullReply, type Reply } from './http/replies.ts';
import type { Arrival } from './http/requests.ts';
import type { CheckedRequest } from './operation.ts';
import { type RouteMatch, routesAt } from './router.ts';
import type { State } from './state/state.ts';

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
