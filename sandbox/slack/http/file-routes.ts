import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SlackState } from '../slack.ts';
import { filePayload, storeFile } from '../workspace/files.ts';
import type { StoredFile } from '../workspace/workspace.ts';
import { mediaType, readRequestBody, respondJson } from './messages.ts';

/** Receives the content of an announced file: as the body, or as the first file of a form. */
export async function receiveUpload(
  { uploads }: SlackState,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const content = await contentOf(request);
  const known = uploads.receive(token, content);
  response.writeHead(known ? 200 : 400, { 'content-type': 'text/plain' });
  response.end(known ? `OK - ${content.length}` : 'File upload failed');
}

/** Sends a file to the app. Redirects a request without the bot token to sign-in, as Slack does. */
export function sendPrivateFile(
  { workspace }: SlackState,
  botToken: string,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers.authorization !== `Bearer ${botToken}`) {
    response.writeHead(302, { location: '/' }).end();
    return;
  }
  sendFile(response, workspace.file(id));
}

/** Sends a file to the page. */
export function sendShownFile({ workspace }: SlackState, id: string, response: ServerResponse): void {
  sendFile(response, workspace.file(id));
}

/** Stores the file that a person picked in a file input: `POST /sandbox/files?person=&name=` with the content. */
export async function receivePersonFile(
  { workspace, base }: SlackState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const person = workspace.person(searchParams.get('person') ?? '');
  const name = searchParams.get('name') ?? '';
  if (!person || name === '') {
    respondJson(response, 400, { error: 'Name a person and the file.' });
    return;
  }
  const content = await readRequestBody(request);
  const file = storeFile(workspace, { id: workspace.id('F'), owner: person.id, name, content });
  respondJson(response, 200, filePayload(file, base()));
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
