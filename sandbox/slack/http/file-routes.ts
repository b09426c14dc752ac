import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { reachOf, type Slack, type SlackState } from '../slack.ts';
import { workspacesOf } from '../user-actions/lookup.ts';
import { filePayload, storeFile } from '../workspace/files.ts';
import type { StoredFile } from '../workspace/workspace.ts';
import { mediaType, readRequestBody, respondJson } from './messages.ts';

/** Receives the content of an announced file: as the body, or as the first file of a form. */
export async function receiveUpload(
  { workspaces }: Slack,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const content = await contentOf(request);
  const known = workspaces.some(({ uploads }) => uploads.receive(token, content));
  response.writeHead(known ? 200 : 400, { 'content-type': 'text/plain' });
  response.end(known ? `OK - ${content.length}` : 'File upload failed');
}

/** Sends a file to the app. Redirects a request without a token of the file's workspace to sign-in, as Slack does. */
export function sendPrivateFile(
  slack: Slack,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [team = '', id = ''] = name.split('-');
  const reach = reachOfToken(slack, request.headers.authorization?.replace('Bearer ', '') ?? '');
  const state = reach.find(({ workspace }) => workspace.team.id === team);
  if (!state) {
    response.writeHead(302, { location: '/' }).end();
    return;
  }
  sendFile(response, state.workspace.file(id));
}

/** Sends a file to the page. */
export function sendShownFile({ workspaces }: Slack, id: string, response: ServerResponse): void {
  const files = workspaces.flatMap(({ workspace }) => workspace.file(id) ?? []);
  sendFile(response, files[0]);
}

/** Stores the file that a person picked in a file input: `POST /sandbox/files?person=&name=` with the content. */
export async function receivePersonFile(
  slack: Slack,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const person = searchParams.get('person') ?? '';
  const team = searchParams.get('team') || null;
  const ofPerson = workspacesOf(slack, person);
  const state = team === null ? ofPerson[0] : ofPerson.find(({ workspace }) => workspace.team.id === team);
  const name = searchParams.get('name') ?? '';
  if (!state || name === '') {
    respondJson(response, 400, { error: 'Name a person and the file.' });
    return;
  }
  const content = await readRequestBody(request);
  const { workspace, base } = state;
  const file = storeFile(workspace, { id: workspace.id('F'), owner: person, name, content });
  respondJson(response, 200, filePayload(workspace, file, base()));
}

function reachOfToken(slack: Slack, token: string): SlackState[] {
  try {
    return reachOf(slack, slack.installations.ofToken(token));
  } catch (error) {
    if (error instanceof ApiError) {
      return [];
    }
    throw error;
  }
}

function sendFile(response: ServerResponse, file: StoredFile | undefined): void {
  if (!file) {
    respondJson(response, 404, { error: 'file_not_found' });
    return;
  }
  response.writeHead(200, {
    'content-type': file.mimeType,
    // The file shares the page's origin: it may be shown but must not run scripts.
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  });
  response.end(Buffer.from(file.content, 'base64'));
}

async function contentOf(request: IncomingMessage): Promise<Buffer> {
  const body = await readRequestBody(request);
  if (mediaType(request) !== 'multipart/form-data') {
    return body;
  }
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => value instanceof File);
  return file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
}
