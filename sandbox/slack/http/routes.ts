import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SlackRequestLog } from '../request-log.ts';
import type { SlackState } from '../slack.ts';
import type { AppTransport } from '../transport/transport.ts';
import type { KnownTokens } from '../web-api/call.ts';
import { webApi } from '../web-api/endpoint.ts';
import type { SlackFaults } from '../web-api/faults.ts';
import type { HeldCalls } from '../web-api/holds.ts';
import { receivePersonFile, receiveUpload, sendPrivateFile, sendShownFile } from './file-routes.ts';
import { isCrossOrigin, isForLoopback, respondJson } from './messages.ts';
import type { PageApi } from './page-api.ts';
import { handlePageRequest } from './page-api.ts';
import { handleResponseUrl } from './response-endpoint.ts';

export interface SlackRoutes {
  /** While true, requests of the app are cut off. */
  down: boolean;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Who answers which path of the stand-in. */
export function createRoutes(options: {
  slack: SlackState;
  tokens: KnownTokens;
  faults: SlackFaults;
  holds: HeldCalls;
  requestLog: SlackRequestLog;
  transport: AppTransport;
  controlled: PageApi;
  page: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}): SlackRoutes {
  const { slack, tokens, faults, holds, requestLog, transport, controlled, page } = options;
  const answerApi = webApi({ slack, tokens, faults, holds, requestLog, methods: transport.methods });

  /** False if the request is none of the app's. */
  const answerApp = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [area = '', ...rest] = pathOf(request);
    if (!['api', 'response', 'upload', 'files-pri'].includes(area)) {
      return false;
    }
    if (routes.down) {
      request.socket.destroy();
    } else if (area === 'api') {
      await answerApi(request, response, rest[0] ?? '');
    } else if (area === 'response') {
      await handleResponseUrl(slack, requestLog, rest[1] ?? '', request, response);
    } else if (area === 'upload') {
      await receiveUpload(slack, rest[0] ?? '', request, response);
    } else {
      sendPrivateFile(slack, tokens.botToken, rest[0]?.split('-')[1] ?? '', request, response);
    }
    return true;
  };

  /** False if the request is none of the page's to the stand-in. */
  const answerPage = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [area, part, id] = pathOf(request);
    if (area !== 'sandbox') {
      return false;
    }
    if (part !== 'files') {
      return await handlePageRequest(controlled, request, response);
    }
    if (request.method === 'POST') {
      await receivePersonFile(slack, request, response);
    } else {
      sendShownFile(slack, id ?? '', response);
    }
    return true;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isForLoopback(request) || isCrossOrigin(request)) {
      respondJson(response, 403, { error: 'Only for this machine and its own page.' });
      return;
    }
    if (await answerApp(request, response)) {
      return;
    }
    if (await answerPage(request, response)) {
      return;
    }
    if (page) {
      page(request, response);
    } else {
      respondJson(response, 404, { error: 'There is nothing here.' });
    }
  };

  const routes: SlackRoutes = {
    down: false,
    answer: (request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error(error);
        if (!response.headersSent) {
          respondJson(response, 500, { ok: false, error: 'fatal_error' });
        }
      });
    },
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (routes.down || !isForLoopback(request)) {
        socket.destroy();
      } else {
        transport.accept(request, socket, head);
      }
    },
  };
  return routes;
}

function pathOf(request: IncomingMessage): string[] {
  return new URL(request.url ?? '/', 'http://localhost').pathname.split('/').slice(1);
}
