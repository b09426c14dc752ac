import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonObject, parseJsonText, stringAt } from '../../lib/json.ts';
import { UserActionError } from '../errors.ts';
import type { Snapshot, UserAction, UserActionResult } from '../protocol.ts';
import type { Slack } from '../slack.ts';
import { readUserAction } from '../user-actions/user-action.ts';
import { shownSnapshot } from '../workspace/snapshot.ts';
import { mediaType, readRequestBody, respondJson } from './messages.ts';

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

/**
 * Handles `/app_redirect?app=&team=`, which an app links to: opens its direct messages on the page. `team` may be missing, or
 * be an enterprise.
 */
export function openApp(slack: Slack, request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const visitor = signedIn(request);
  const named = searchParams.get('team') ?? visitor?.team;
  const team = slack.workspaces.find(
    ({ workspace: { team: each } }) => each.id === named || each.enterprise?.id === named,
  )?.workspace.team.id;
  const { team: shown, me } = shownSnapshot(slack, visitor?.person ?? '', team);
  const place = new URLSearchParams({ as: me.id, team: shown.id, in: 'app', tab: 'messages' });
  response.writeHead(302, { location: `/#${place}` }).end();
}

const NAME = 'sandbox-signed-in';

/** Returns who used the page last in this browser, and in which workspace. */
export function signedIn({ headers }: IncomingMessage): { team: string; person: string } | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
  const [team, person] = (value ?? '').split('.');
  return team && person ? { team, person } : undefined;
}

/** Returns the header that remembers who uses the page. */
function signedInCookie(team: string, person: string): string {
  return `${NAME}=${team}.${person}; Path=/; SameSite=Lax; HttpOnly`;
}
