import type { Permission } from '../../domain/access/roles.ts';
import { startTimeout } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { type InputFile, inputFileSchema } from '../block-kit/view-state.ts';
import { openConversation, type SharedFile, uploadFile } from './posting.ts';
import { isPermanentError, isSlackError, slackErrorCode } from './slack-errors.ts';
import { fileDownload, plainSlackFetch, type SlackFetch } from './web-client.ts';
import type { WorkspaceClients } from './workspace-clients.ts';

/** A user who may receive a file. Files for channels go through the outbox, see `createPosts`. */
export interface FileDestination {
  userId: string;
  needed: Permission;
}

/** How long the file host may be silent while bytes are awaited. */
const idleTimeoutMs = 20_000;

/** A file that the same request never delivers. `reason` is a sentence to show beside its field. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

interface FilesContext {
  clients: WorkspaceClients;
  apiUrl: URL | undefined;
  timers: Timers;
  slackFetch?: SlackFetch | undefined;
}

export type Files = ReturnType<typeof createFiles>;

/** Slack: files.getUploadURLExternal, files.completeUploadExternal; files.info, url_private_download, url_private. */
export function createFiles(context: FilesContext) {
  return {
    /** Sends a file to a user as a direct message, because everybody in a channel could open it. */
    async share(workspaceId: string, { userId }: FileDestination, file: SharedFile): Promise<void> {
      const client = await context.clients.for(workspaceId);
      await uploadFile(client, await openConversation(client, userId), file);
    },

    /**
     * Downloads a file from a form of the workspace in chunks, from Slack's own file host only. Throws if it does not
     * exist, is larger than `maxBytes`, the host is silent for 20 s, or `signal` is aborted; an `UnreadableFileError` for
     * something that is no file in Slack. There is no limit on the total time.
     */
    stream: (
      workspaceId: string,
      file: InputFile,
      maxBytes: number,
      signal?: AbortSignal,
    ): AsyncGenerator<Uint8Array> => stream(context, workspaceId, file, maxBytes, signal),
  };
}

async function* stream(
  { clients, apiUrl, timers, slackFetch = plainSlackFetch }: FilesContext,
  workspaceId: string,
  file: InputFile,
  maxBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const client = await clients.for(workspaceId);
  const isWhole = file.file_access !== 'check_file_info' && addressOf(file) !== undefined;
  const described = isWhole
    ? file
    : await client.files.info({ file: file.id }).then(
        (answer) => inputFileSchema.parse(answer.file),
        (error: unknown) => {
          // The same file gets the same answer, unless Slack has failed or the app's token isn't valid.
          const isRefused = isPermanentError(error) || isSlackError(error, 'app_unavailable');
          const remedy =
            slackErrorCode(error) === 'file_deleted'
              ? 'This file was deleted in Slack. Upload it again.'
              : 'Slack doesn’t let this app read the file. Download it, and upload that copy.';
          throw isRefused ? new UnreadableFileError(remedy) : error;
        },
      );
  const address = addressOf(described);
  if (described.mode === 'external' || described.is_external === true) {
    throw new UnreadableFileError('This file is stored outside Slack. Download it, and upload that copy.');
  }
  if (address === undefined) {
    throw new UnreadableFileError('Slack didn’t provide this file. Upload it again.');
  }
  const url = new URL(address);
  // With a custom API URL (the sandbox or a test), files are on that host.
  if (url.origin !== (apiUrl?.origin ?? 'https://files.slack.com')) {
    throw new Error('the file is not on Slack’s file host');
  }
  const { token } = client;
  const idle = createIdleTimeout(timers);
  // The token is for this one host: a redirect is an error, and not followed.
  const response = await idle.race(
    slackFetch(fileDownload, url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: signal === undefined ? idle.signal : AbortSignal.any([idle.signal, signal]),
    }),
  );
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`Slack’s file host answered ${response.status}`);
  }
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  const reader = response.body.getReader();
  try {
    let size = 0;
    for (;;) {
      const { done, value } = await idle.race(reader.read());
      if (done) {
        return;
      }
      if (size === 0 && (isPage || beginsPage.test(Buffer.from(value.subarray(0, 100)).toString()))) {
        // Some programs export a table as a page, under the name of a spreadsheet.
        throw new UnreadableFileError(
          described.mimetype === 'text/html' || /\.(?:html?|xls)$/i.test(described.name)
            ? 'This file is a web page. Save the list as CSV, and upload that.'
            : 'Slack sent a sign-in page in place of this file. Upload it again. If that doesn’t help, ask an admin to install the app again.',
        );
      }
      size += value.length;
      if (size > maxBytes) {
        throw new Error('the file is too large');
      }
      yield value;
    }
  } finally {
    // A caller that stops in the middle does not want the rest.
    await reader.cancel().catch(() => {});
  }
}

/** Slack: an editable file alone is sure to have `url_private_download`. */
function addressOf({ url_private_download, url_private }: InputFile): string | undefined {
  return url_private_download ?? url_private;
}

const beginsPage = /^[\s\uFEFF]*<(?:!doctype html|html)\b/i;

/** A signal that is aborted once a single wait takes longer than the idle timeout. */
function createIdleTimeout(timers: Timers) {
  const idle = new AbortController();
  return {
    signal: idle.signal,
    async race<T>(promise: Promise<T>): Promise<T> {
      const late = () => idle.abort(new Error('Slack’s file host fell silent'));
      return promise.finally(startTimeout(idleTimeoutMs, late, timers));
    },
  };
}
