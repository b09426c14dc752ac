import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, type JsonObject, parseJsonText, stringAt } from '../../lib/json.ts';
import { ApiError } from '../errors.ts';
import { mediaType, readRequestBody } from '../http/messages.ts';
import type { Installation } from '../installations/installations.ts';
import type { SlackRequestLog } from '../request-log.ts';
import { reachOf, type Slack } from '../slack.ts';
import type { FaultResponse, HeldCalls, SlackFaults } from './faults.ts';
import { Arguments, calledIn, isAppMethod, type Method, type Methods, missingScope } from './method.ts';
import { auth, oauth } from './methods/auth.ts';
import { conversations, usergroups, users } from './methods/lookups.ts';
import { chat, files } from './methods/posts.ts';
import { views } from './methods/views.ts';

export type WebApi = (request: IncomingMessage, response: ServerResponse, method: string) => Promise<void>;

export interface WebApiOptions {
  slack: Slack;
  appToken: string | undefined;
  faults: SlackFaults;
  holds: HeldCalls;
  requestLog: SlackRequestLog;
}

/** Creates the handler of `POST /api/<method>`: form or JSON in, JSON out. */
export function webApi(options: WebApiOptions, methods: Methods): WebApi {
  const { slack, appToken, faults, holds, requestLog } = options;
  return async (request, response, method) => {
    const startedAt = performance.now();
    const at = slack.now().toISOString();
    const values = await valuesOf(request);
    const { token: inBody, ...fields } = values;
    const rest = { ...fields, ...clientIn(request) };
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = bearer ?? stringAt({ token: inBody ?? null }, 'token');
    const installation = token === undefined ? undefined : slack.installations.find(token);
    const place = installation?.place.id;
    await holds.pass(method, place);
    const fault = faults.next(method, place);
    const work = () => callMethod(slack, appToken, methods, { method, token, args: new Arguments(rest) });
    if (fault?.delay !== undefined) {
      await pause(fault.delay);
    }
    const answer: FaultResponse =
      fault === undefined || fault.delay !== undefined
        ? { status: 200, headers: {}, body: work() }
        : faults.answer(fault, work);
    const isAnswered = answer !== 'silence' && answer !== 'cut';
    requestLog.record({
      at,
      from: 'app',
      to: 'slack',
      what: method,
      ...(place !== undefined && { place }),
      request: rest,
      status: isAnswered ? answer.status : 'no answer',
      answer: isAnswered ? answer.body : null,
      milliseconds: Math.round(performance.now() - startedAt),
    });
    if (answer === 'cut') {
      response.socket?.destroy();
    }
    if (!isAnswered) {
      return;
    }
    response.writeHead(answer.status, {
      'content-type': 'application/json; charset=utf-8',
      ...(installation && { 'x-oauth-scopes': installation.scopes.join(',') }),
      ...answer.headers,
    });
    response.end(JSON.stringify(answer.body));
  };
}

/** The client's credentials from HTTP Basic authentication. */
function clientIn({ headers }: IncomingMessage): JsonObject {
  const encoded = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) {
    return {};
  }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: id, client_secret: secret };
}

/** Reads the arguments from the query, a form or a JSON body, as Slack does. */
async function valuesOf(request: IncomingMessage): Promise<JsonObject> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const inAddress = Object.fromEntries(searchParams);
  const body = (await readRequestBody(request)).toString('utf8');
  if (mediaType(request) === 'application/json') {
    const parsed = parseJsonText(body);
    return { ...inAddress, ...(isJsonObject(parsed) && parsed) };
  }
  return { ...inAddress, ...Object.fromEntries(new URLSearchParams(body)) };
}

const ownMethods: Methods = {
  ...auth,
  ...chat,
  ...conversations,
  ...files,
  ...oauth,
  ...usergroups,
  ...users,
  ...views,
};

interface Call {
  method: string;
  token: string | undefined;
  args: Arguments;
}

/**
 * Calls a Web API method and returns the body of the answer, which always has `ok`. `more` are the methods of the
 * transport.
 */
function callMethod(slack: Slack, appToken: string | undefined, more: Methods, call: Call): JsonObject {
  try {
    const methods: Methods = { ...ownMethods, ...more };
    const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
    if (!method) {
      throw new ApiError('unknown_method', [], { req_method: call.method });
    }
    return { ok: true, ...run(slack, appToken, method, call) };
  } catch (error) {
    if (error instanceof ApiError) {
      return error.toAnswer();
    }
    throw error;
  }
}

function run(slack: Slack, appToken: string | undefined, method: Method, { token, args }: Call): JsonObject {
  if (isAppMethod(method) && method.token === 'none') {
    return method.run(slack, args);
  }
  if (token === undefined) {
    throw new ApiError('not_authed');
  }
  const installation = token === appToken ? undefined : slack.installations.ofToken(token);
  if (isAppMethod(method)) {
    if (installation) {
      throw new ApiError('not_allowed_token_type');
    }
    return method.run(slack, args);
  }
  if (!installation) {
    throw new ApiError('not_allowed_token_type');
  }
  checkScopes(method.scopes, installation);
  const workspace = calledIn(reachOf(slack, installation), installation, args);
  return method.run({ ...workspace, installation, slack }, args);
}

function checkScopes(needed: string[] | undefined, { scopes: provided }: Installation): void {
  if (needed && !needed.some((scope) => provided.includes(scope))) {
    throw missingScope(needed, provided);
  }
}
