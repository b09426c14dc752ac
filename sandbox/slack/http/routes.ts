import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isJsonObject, type Json, parseJsonText } from '../../lib/json.ts';
import { ApiError } from '../errors.ts';
import type { SlackRequestLog } from '../request-log.ts';
import type { Slack } from '../slack.ts';
import type { AppTransport } from '../transport/transport.ts';
import { type WebApi, type WebApiOptions, webApi } from '../web-api/endpoint.ts';
import { handleAuthorize } from './authorize-route.ts';
import { receivePersonFile, receiveUpload, sendPrivateFile, sendShownFile } from './file-routes.ts';
import { isCrossOrigin, isForLoopback, readRequestBody, respondJson } from './messages.ts';
import { handlePageRequest, openApp, type PageApi } from './page-api.ts';

interface SlackRoutesOptions extends WebApiOptions {
  transport: AppTransport;
  pageApi: PageApi;
  page: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

/** Dispatches requests by path: to the Web API, the response_urls, the files, the page's API, or the page. */
export class SlackRoutes {
  /** While true, requests of the app are cut. */
  down = false;
  readonly #options: SlackRoutesOptions;
  readonly #webApi: WebApi;

  constructor(options: SlackRoutesOptions) {
    this.#options = options;
    this.#webApi = webApi(options, options.transport.methods);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#dispatch(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) {
        respondJson(response, 500, { ok: false, error: 'fatal_error' });
      }
    });
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (this.down || !isForLoopback(request)) {
      socket.destroy();
    } else {
      this.#options.transport.accept(request, socket, head);
    }
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isForLoopback(request) || isCrossOrigin(request)) {
      respondJson(response, 403, { error: 'Only for this machine and its own page.' });
      return;
    }
    if ((await this.#handleApp(request, response)) || (await this.#handlePage(request, response))) {
      return;
    }
    const { page } = this.#options;
    if (page) {
      page(request, response);
    } else {
      respondJson(response, 404, { error: 'There is nothing here.' });
    }
  }

  /** Handles a request of the app. Returns false for any other. */
  async #handleApp(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { slack, holds, requestLog } = this.#options;
    const [area = '', ...rest] = pathOf(request);
    if (!['api', 'response', 'upload', 'files-pri'].includes(area)) {
      return false;
    }
    if (this.down) {
      request.socket.destroy();
    } else if (area === 'api') {
      await this.#webApi(request, response, rest[0] ?? '');
    } else if (area === 'response') {
      await handleResponseUrl(
        slack,
        requestLog,
        { team: rest[1] ?? '', token: rest[2] ?? '' },
        request,
        response,
      );
    } else if (area === 'upload') {
      await receiveUpload(slack, rest[0] ?? '', request, response);
    } else {
      await holds.pass('files-pri', undefined);
      sendPrivateFile(slack, rest[0] ?? '', request, response);
    }
    return true;
  }

  /** Handles a request of the page to Slack. Returns false for any other. */
  async #handlePage(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { slack, pageApi } = this.#options;
    const [area, part, id] = pathOf(request);
    if (area === 'oauth') {
      await handleAuthorize(slack, request, response);
      return true;
    }
    if (area === 'app_redirect') {
      openApp(slack, request, response);
      return true;
    }
    if (area !== 'sandbox') {
      return false;
    }
    if (part !== 'files') {
      return await handlePageRequest(pageApi, request, response);
    }
    if (request.method === 'POST') {
      await receivePersonFile(slack, request, response);
    } else {
      sendShownFile(slack, id ?? '', response);
    }
    return true;
  }
}

function pathOf(request: IncomingMessage): string[] {
  return new URL(request.url ?? '/', 'http://localhost').pathname.split('/').slice(1);
}

/** Handles a `POST` to a response_url. Answers `ok`, or an error with its status. */
async function handleResponseUrl(
  slack: Slack,
  requestLog: SlackRequestLog,
  { team, token }: { team: string; token: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const body = parseJsonText((await readRequestBody(request)).toString('utf8')) ?? null;
  const { status, answer } = use(slack, team, token, body);
  requestLog.record({
    at: slack.now().toISOString(),
    from: 'app',
    to: 'slack',
    what: 'response_url',
    place: team,
    request: body,
    status,
    answer,
    milliseconds: Math.round(performance.now() - startedAt),
  });
  if (typeof answer === 'string') {
    response.end(answer);
  } else {
    respondJson(response, status, answer);
  }
}

function use(slack: Slack, team: string, token: string, body: Json): { status: number; answer: Json } {
  try {
    if (!isJsonObject(body)) {
      throw new ApiError('invalid_payload');
    }
    const state = slack.workspaces.find(({ workspace }) => workspace.team.id === team);
    if (!state) {
      throw new ApiError('expired_url');
    }
    state.responseUrls.use(token, body);
    return { status: 200, answer: 'ok' };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const expired = error.code === 'expired_url' || error.code === 'used_url';
    return { status: expired ? 404 : 400, answer: error.toAnswer() };
  }
}
