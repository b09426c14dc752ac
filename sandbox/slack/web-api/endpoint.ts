import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject, parseJsonText, stringAt } from '../../lib/json.ts';
import { mediaType, readRequestBody } from '../http/messages.ts';
import type { SlackRequestLog } from '../request-log.ts';
import type { Slack } from '../slack.ts';
import { Arguments } from './arguments.ts';
import { callMethod } from './call.ts';
import type { FaultResponse, SlackFaults } from './faults.ts';
import type { HeldCalls } from './holds.ts';
import type { Methods } from './method.ts';

export type WebApi = (request: IncomingMessage, response: ServerResponse, method: string) => Promise<void>;

/** Creates the handler of `POST /api/<method>`: form or JSON in, JSON out. */
export function webApi(options: {
  slack: Slack;
  appToken: string | undefined;
  methods: Methods;
  faults: SlackFaults;
  holds: HeldCalls;
  requestLog: SlackRequestLog;
}): WebApi {
  const { slack, appToken, methods, faults, holds, requestLog } = options;
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
