import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { SandboxMessage } from '../protocol.ts';
import { app, team } from './fixtures.ts';
import type { StoredFile, Workspace } from './workspace.ts';

const MEDIA_TYPES = new Map([
  ['csv', 'text/csv'],
  ['gif', 'image/gif'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['json', 'application/json'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain'],
]);

/** Keeps a file; nobody sees it before it is shared. `owner`: a person's id, or 'app'. */
export function keepFile(
  workspace: Workspace,
  file: { id: string; owner: string; name: string; title?: string; content: Buffer },
): StoredFile {
  const stored: StoredFile = {
    id: file.id,
    owner: file.owner,
    name: file.name,
    title: file.title ?? file.name,
    mimeType: MEDIA_TYPES.get(extensionOf(file.name)) ?? 'application/octet-stream',
    content: file.content.toString('base64'),
    createdAt: workspace.now().toISOString(),
    channels: [],
  };
  workspace.files.push(stored);
  workspace.changed();
  return stored;
}

/** A file as a message shows it to people. */
export function shownFile(file: StoredFile): NonNullable<SandboxMessage['files']>[number] {
  return { id: file.id, name: file.name, mimeType: file.mimeType, url: `/sandbox/files/${file.id}` };
}

/** A file as Slack describes it to the app. `base` is the stand-in's address. */
export function filePayload(file: StoredFile, base: string): JsonObject {
  const url = `${base}/files-pri/${team.id}-${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    created: Math.floor(Date.parse(file.createdAt) / 1000),
    name: file.name,
    title: file.title,
    mimetype: file.mimeType,
    filetype: extensionOf(file.name) || 'binary',
    user: file.owner === 'app' ? app.userId : file.owner,
    user_team: team.id,
    size: Buffer.byteLength(file.content, 'base64'),
    mode: 'hosted',
    is_external: false,
    is_public: false,
    url_private: url,
    url_private_download: url,
    channels: file.channels,
  };
}

interface Upload {
  id: string;
  name: string;
  length: number;
  content?: Buffer;
}

/** Files on their way in three steps: announced, uploaded, completed. Slack: files.getUploadURLExternal. */
export class Uploads {
  readonly #announced = new Map<string, Upload>();

  /** The token of the address that takes the content of `length` bytes. */
  announce(upload: Omit<Upload, 'content'>): string {
    const token = randomBytes(16).toString('hex');
    this.#announced.set(token, { ...upload });
    return token;
  }

  /** False if nothing, or something of another length, was announced under the token. */
  receive(token: string, content: Buffer): boolean {
    const upload = this.#announced.get(token);
    if (!upload || content.length !== upload.length) {
      return false;
    }
    upload.content = content;
    return true;
  }

  /** Hands out what was uploaded, once. Throws `file_not_found`. */
  complete(id: string): { name: string; content: Buffer } {
    const [token, upload] = [...this.#announced].find(([, candidate]) => candidate.id === id) ?? [];
    if (token === undefined || !upload?.content) {
      throw new ApiError('file_not_found');
    }
    this.#announced.delete(token);
    return { name: upload.name, content: upload.content };
  }
}

function extensionOf(name: string): string {
  return name.includes('.') ? (name.split('.').at(-1)?.toLowerCase() ?? '') : '';
}
