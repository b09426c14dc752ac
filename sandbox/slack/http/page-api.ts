import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonObject, parseJsonText, stringAt } from '../../lib/json.ts';
import type { Snapshot, UserAction, UserActionResult } from '../protocol.ts';
import { readUserAction } from '../user-actions/read.ts';
import { UserActionError } from '../user-actions/user-action.ts';
import { mediaType, readRequestBody, respondJson } from './messages.ts';
import { signedInCookie } from './signed-in.ts';

/** What the page can do with Slack. */
export interface PageApi {
  perform(action: UserAction): Promise<UserActionResult>;
  /** Returns an administrator's for an unknown id, such as one of an old bookmark. */
  snapshot(personId: string, team?: string): Snapshot;
  /** Removes the app from a workspace or an enterprise. Rejects when it is not installed there. */
  uninstall(place: string): Promise<unknown>;
  /** Calls `listener` on each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

/**
 * Handles the page's requests to Slack: `POST /sandbox/actions`, `POST /sandbox/uninstall`,
 * `GET /sandbox/state?person=&team=` and `GET /sandbox/events`. Returns false for any other path.
 */
export async function handlePageRequest(
  pageApi: PageApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  switch (`${request.method} ${pathname}`) {
    case 'POST /sandbox/actions':
      await answerJson(request, response, (body) => pageApi.perform(readUserAction(body)));
      return true;
    case 'POST /sandbox/uninstall':
      await answerJson(request, response, (body) => pageApi.uninstall(readPlace(body)));
      return true;
    case 'GET /sandbox/state':
      sendSnapshot(pageApi, searchParams, response);
      return true;
    case 'GET /sandbox/events':
      streamChanges(pageApi, response);
      return true;
    default:
      return false;
  }
}

/** Remembers who looks, for the authorize page. */
function sendSnapshot(pageApi: PageApi, params: URLSearchParams, response: ServerResponse): void {
  const snapshot = pageApi.snapshot(params.get('person') ?? '', params.get('team') ?? undefined);
  response.setHeader('set-cookie', signedInCookie(snapshot.team.id, snapshot.me.id));
  respondJson(response, 200, snapshot);
}

/** Accepts JSON only, which a form of another site cannot send without a preflight request. */
async function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  perform: (body: string) => Promise<unknown>,
): Promise<void> {
  if (mediaType(request) !== 'application/json') {
    respondJson(response, 415, { error: 'Send an action as application/json.' });
    return;
  }
  const body = (await readRequestBody(request)).toString('utf8');
  try {
    respondJson(response, 200, await perform(body));
  } catch (error) {
    if (!(error instanceof UserActionError)) {
      throw error;
    }
    respondJson(response, 400, { error: error.message });
  }
}

function readPlace(body: string): string {
  const parsed = parseJsonText(body);
  const place = isJsonObject(parsed) ? stringAt(parsed, 'place') : undefined;
  if (place === undefined) {
    throw new UserActionError('Name the place that the app is removed from.');
  }
  return place;
}

function streamChanges(pageApi: PageApi, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const notify = () => response.write('event: change\ndata: {}\n\n');
  const stop = pageApi.onChange(notify);
  response.on('close', stop);
  notify();
}
