import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from './api-error.ts';
import type { Controlled } from './control.ts';
import { control } from './control.ts';
import type { Courier } from './delivery/courier.ts';
import { isForLoopback, readBody, sendJson } from './http.ts';
import type { Journal } from './journal.ts';
import { isObject, parseJson } from './json.ts';
import type { Slack } from './slack.ts';
import type { Tokens } from './web-api/call.ts';
import { webApi } from './web-api/endpoint.ts';
import type { Faults } from './web-api/faults.ts';

export interface Routes {
  /** While true, requests of the app are cut off. */
  down: boolean;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Who answers which path of the stand-in. */
export function route(options: {
  slack: Slack;
  tokens: Tokens;
  faults: Faults;
  journal: Journal;
  courier: Courier;
  controlled: Controlled;
  page: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}): Routes {
  const { slack, tokens, faults, journal, courier, controlled, page } = options;
  const answerApi = webApi({ slack, tokens, faults, journal, methods: courier.methods });

  /** False if the request is none of the app's. */
  const answerApp = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [, part = '', ...rest] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/');
    if (part !== 'api' && part !== 'response') return false;
    if (routes.down) request.socket.destroy();
    else if (part === 'api') await answerApi(request, response, rest[0] ?? '');
    else await answerResponse(slack, journal, rest.at(-1) ?? '', request, response);
    return true;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isForLoopback(request)) return sendJson(response, 403, { error: 'Only for this machine.' });
    if (await answerApp(request, response)) return;
    if (await control(controlled, request, response)) return;
    if (page) page(request, response);
    else sendJson(response, 404, { error: 'There is nothing here.' });
  };

  const routes: Routes = {
    down: false,
    answer: (request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error(error);
        if (!response.headersSent) sendJson(response, 500, { ok: false, error: 'fatal_error' });
      });
    },
    upgrade: (request, socket, head) => {
      if (routes.down || !isForLoopback(request)) socket.destroy();
      else courier.accept(request, socket, head);
    },
  };
  return routes;
}

/** Answers a `POST` to a response_url: the text `ok`, or a refusal with its status. */
async function answerResponse(
  { workspace, responseUrls }: Slack,
  journal: Journal,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const began = performance.now();
  const body = parseJson((await readBody(request)).toString('utf8'));
  let status = 200;
  let answer: unknown = 'ok';
  try {
    if (!isObject(body)) throw new ApiError('invalid_payload');
    responseUrls.use(token, body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    status = error.code === 'expired_url' || error.code === 'used_url' ? 404 : 400;
    answer = error.toAnswer();
  }
  journal.record({
    at: workspace.now().toISOString(),
    from: 'app',
    to: 'slack',
    what: 'response_url',
    request: body ?? null,
    status,
    answer,
    milliseconds: Math.round(performance.now() - began),
  });
  if (typeof answer === 'string') response.end(answer);
  else sendJson(response, status, answer);
}
