import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SlackRequestLog } from '../request-log.ts';
import type { Slack } from '../slack.ts';
import type { AppTransport } from '../transport/transport.ts';
import { type WebApi, webApi } from '../web-api/endpoint.ts';
import type { SlackFaults } from '../web-api/faults.ts';
import type { HeldCalls } from '../web-api/holds.ts';
import { handleAuthorize } from './authorize-route.ts';
import { receivePersonFile, receiveUpload, sendPrivateFile, sendShownFile } from './file-routes.ts';
import { isCrossOrigin, isForLoopback, respondJson } from './messages.ts';
import { openApp } from './open-app.ts';
import type { PageApi } from './page-api.ts';
import { handlePageRequest } from './page-api.ts';
import { handleResponseUrl } from './response-endpoint.ts';

interface SlackRoutesOptions {
  slack: Slack;
  appToken: string | undefined;
  faults: SlackFaults;
  holds: HeldCalls;
  requestLog: SlackRequestLog;
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
    const { slack, appToken, faults, holds, requestLog, transport } = options;
    this.#options = options;
    this.#webApi = webApi({ slack, appToken, faults, holds, requestLog, methods: transport.methods });
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
