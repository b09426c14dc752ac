import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../errors.ts';
import type { SandboxMessage } from '../protocol.ts';
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

/** Stores a file, which is visible once it is shared. `owner` is the id of a person, or 'app'. */
export function storeFile(
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

/** Formats a file for a message on the page. */
export function shownFile(file: StoredFile): NonNullable<SandboxMessage['files']>[number] {
  return { id: file.id, name: file.name, mimeType: file.mimeType, url: `/sandbox/files/${file.id}` };
}

/** Formats a file for the app. `base` is Slack's address. */
export function filePayload({ team, bot }: Workspace, file: StoredFile, base: string): JsonObject {
  const url = `${base}/files-pri/${team.id}-${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    created: Math.floor(Date.parse(file.createdAt) / 1000),
    name: file.name,
    title: file.title,
    mimetype: file.mimeType,
    filetype: extensionOf(file.name) || 'binary',
    user: file.owner === 'app' ? bot.userId : file.owner,
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

/** Uploads in three steps: announced, received, completed. Slack: files.getUploadURLExternal. */
export class Uploads {
  readonly #announced = new Map<string, Upload>();

  /** Returns the token of the upload address, which takes `length` bytes. */
  announce(upload: Omit<Upload, 'content'>): string {
    const token = randomBytes(16).toString('hex');
    this.#announced.set(token, { ...upload });
    return token;
  }

  /** Returns false for an unknown token or content of another length than announced. */
  receive(token: string, content: Buffer): boolean {
    const upload = this.#announced.get(token);
    if (!upload || content.length !== upload.length) {
      return false;
    }
    upload.content = content;
    return true;
  }

  /** Returns the received content, once. Throws `file_not_found`. */
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
