import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { Snapshot, UserAction, UserActionResult } from '../protocol.ts';
import { readUserAction } from '../user-actions/read.ts';
import { UserActionError } from '../user-actions/user-action.ts';
import { mediaType, readRequestBody, respondJson } from './messages.ts';

/** What the page drives. */
export interface PageApi {
  perform(action: UserAction): Promise<UserActionResult>;
  /** Of somebody unknown, as an old bookmark names, the first person's. */
  snapshot(personId: string): Snapshot;
  exchanges: readonly LoggedRequest[];
  /** Calls back whenever anything changed; the function returned ends it. */
  onChange(listener: () => void): () => void;
}

/**
 * Answers the page: `POST /sandbox/actions`, `GET /sandbox/state?person=`, `GET /sandbox/events`, `GET /sandbox/exchanges`.
 * False if the path is none of these.
 */
export async function handlePageRequest(
  controlled: PageApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  switch (`${request.method} ${pathname}`) {
    case 'POST /sandbox/actions':
      await perform(controlled, request, response);
      return true;
    case 'GET /sandbox/state':
      respondJson(response, 200, controlled.snapshot(searchParams.get('person') ?? ''));
      return true;
    case 'GET /sandbox/exchanges':
      respondJson(response, 200, controlled.exchanges);
      return true;
    case 'GET /sandbox/events':
      streamChanges(controlled, response);
      return true;
    default:
      return false;
  }
}

/** Only JSON is taken: a form of another site's page cannot send it without asking first. */
async function perform(
  controlled: PageApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (mediaType(request) !== 'application/json') {
    respondJson(response, 415, { error: 'Send a action as application/json.' });
    return;
  }
  const body = (await readRequestBody(request)).toString('utf8');
  try {
    respondJson(response, 200, await controlled.perform(readUserAction(body)));
  } catch (error) {
    if (!(error instanceof UserActionError)) {
      throw error;
    }
    respondJson(response, 400, { error: error.message });
  }
}

function streamChanges(controlled: PageApi, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const tell = () => response.write('event: change\ndata: {}\n\n');
  const stop = controlled.onChange(tell);
  response.on('close', stop);
  tell();
}
