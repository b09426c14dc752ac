import { type ProviderFault, replyWithFault } from './faults/faults.ts';
import { magicFault } from './faults/magic-numbers.ts';
import { ProviderErrorReply } from './http/error-responses.ts';
import { errorReply, type FullReply, type Reply } from './http/replies.ts';
import type { Arrival } from './http/requests.ts';
import type { CheckedRequest } from './operation.ts';
import { type RouteMatch, routesAt } from './router.ts';
import type { State } from './state/state.ts';

interface Circumstances {
  route: RouteMatch | undefined;
  /** The fault that was ordered for this very request. */
  ordered: ProviderFault | undefined;
  state: State;
  now: Date;
}

/**
 * Decides what becomes of a request, and carries it out. An ordered fault befalls whatever came, right or wrong; a
 * magic number only a request that is right, and nothing but that fault where both would.
 */
export function handleRequest(arrival: Arrival, { route, ordered, state, now }: Circumstances): Reply {
  const { path } = arrival;
  const refusable = <R>(work: () => R): R | FullReply => {
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
  const silent = nothingComes(arrival, route);
  if (ordered) {
    return replyWithFault(ordered, path, () => (silent ? emptySuccess : refusable(() => check().execute())));
  }
  return refusable(() => {
    if (silent) {
      return emptySuccess;
    }
    const { given, account, execute: carryOut } = check();
    const fault = magicFault(given, account);
    return fault ? replyWithFault(fault, path, carryOut) : carryOut();
  });
}

/** Facts: a GET that names a content type can come back as an empty success. */
function nothingComes({ headers }: Arrival, route: RouteMatch | undefined): boolean {
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
