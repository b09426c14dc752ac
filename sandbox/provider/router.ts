import { answerAuthenticate } from './esims/authenticate.ts';
import { planOperations } from './esims/plans.ts';
import { qrOperations } from './esims/qr.ts';
import { simOperations } from './esims/sims.ts';
import type { Arrival } from './http/requests.ts';
import { insightOperations } from './insight/insight.ts';
import { messageOperations } from './messages/messages.ts';
import type { OperationHandler } from './operation.ts';
import { phonebookOperations } from './phonebooks/phonebooks.ts';
import { senderIdOperations } from './sender-ids/sender-ids.ts';
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
export function routesAt(path: string): RouteMatch[] {
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
