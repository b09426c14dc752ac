import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggedRequest, Snapshot, UserAction, UserActions } from '../protocol.ts';
import { readDeed } from '../user-actions/read.ts';
import { DeedError } from '../user-actions/user-action.ts';
import { answerJson, mediaType, readRequestBody } from './messages.ts';

/** What the page drives. */
export interface Controlled {
  perform(deed: UserAction): Promise<UserActions>;
  /** Of somebody unknown, as an old bookmark names, the first person's. */
  snapshot(personId: string): Snapshot;
  exchanges: readonly LoggedRequest[];
  /** Calls back whenever anything changed; the function returned ends it. */
  onChange(listener: () => void): () => void;
}

/**
 * Answers the page: `POST /sandbox/do`, `GET /sandbox/state?person=`, `GET /sandbox/events`, `GET /sandbox/exchanges`.
 * False if the path is none of these.
 */
export async function control(
  controlled: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  switch (`${request.method} ${pathname}`) {
    case 'POST /sandbox/do':
      await perform(controlled, request, response);
      return true;
    case 'GET /sandbox/state':
      answerJson(response, 200, controlled.snapshot(searchParams.get('person') ?? ''));
      return true;
    case 'GET /sandbox/exchanges':
      answerJson(response, 200, controlled.exchanges);
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
  controlled: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (mediaType(request) !== 'application/json') {
    answerJson(response, 415, { error: 'Send a deed as application/json.' });
    return;
  }
  const body = (await readRequestBody(request)).toString('utf8');
  try {
    answerJson(response, 200, await controlled.perform(readDeed(body)));
  } catch (error) {
    if (!(error instanceof DeedError)) {
      throw error;
    }
    answerJson(response, 400, { error: error.message });
  }
}

function streamChanges(controlled: Controlled, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const tell = () => response.write('event: change\ndata: {}\n\n');
  const stop = controlled.onChange(tell);
  response.on('close', stop);
  tell();
}
