import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Journal } from '../request-log.ts';
import type { SlackState } from '../slack.ts';
import type { Courier } from '../transport/transport.ts';
import type { KnownTokens } from '../web-api/call.ts';
import { webApi } from '../web-api/endpoint.ts';
import type { Faults } from '../web-api/faults.ts';
import type { Holds } from '../web-api/holds.ts';
import { receiveFromPerson, receiveUpload, sendPrivateFile, sendShownFile } from './file-routes.ts';
import { answerJson, isForLoopback, isFromElsewhere } from './messages.ts';
import type { Controlled } from './page-api.ts';
import { control } from './page-api.ts';
import { answerResponse } from './response-endpoint.ts';

export interface Routes {
  /** While true, requests of the app are cut off. */
  down: boolean;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Who answers which path of the stand-in. */
export function route(options: {
  slack: SlackState;
  tokens: KnownTokens;
  faults: Faults;
  holds: Holds;
  journal: Journal;
  courier: Courier;
  controlled: Controlled;
  page: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}): Routes {
  const { slack, tokens, faults, holds, journal, courier, controlled, page } = options;
  const answerApi = webApi({ slack, tokens, faults, holds, journal, methods: courier.methods });

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
      await answerResponse(slack, journal, rest[1] ?? '', request, response);
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
      return await control(controlled, request, response);
    }
    if (request.method === 'POST') {
      await receiveFromPerson(slack, request, response);
    } else {
      sendShownFile(slack, id ?? '', response);
    }
    return true;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isForLoopback(request) || isFromElsewhere(request)) {
      answerJson(response, 403, { error: 'Only for this machine and its own page.' });
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
      answerJson(response, 404, { error: 'There is nothing here.' });
    }
  };

  const routes: Routes = {
    down: false,
    answer: (request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error(error);
        if (!response.headersSent) {
          answerJson(response, 500, { ok: false, error: 'fatal_error' });
        }
      });
    },
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (routes.down || !isForLoopback(request)) {
        socket.destroy();
      } else {
        courier.accept(request, socket, head);
      }
    },
  };
  return routes;
}

function pathOf(request: IncomingMessage): string[] {
  return new URL(request.url ?? '/', 'http://localhost').pathname.split('/').slice(1);
}
