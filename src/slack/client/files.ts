import type { Permission } from '../../domain/access/roles.ts';
import { startTimeout } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { InputFile } from '../block-kit/view-state.ts';
import { openConversation, type SharedFile, uploadFile } from './posting.ts';
import { fileDownload, plainSlackFetch, type SlackFetch } from './web-client.ts';
import type { WorkspaceClients } from './workspace-clients.ts';

/** A user who may receive a file. Files for channels go through the outbox, see `createPosts`. */
export interface FileDestination {
  userId: string;
  needed: Permission;
}

/** How long the file host may be silent while bytes are awaited. */
const idleTimeoutMs = 20_000;

interface FilesContext {
  clients: WorkspaceClients;
  apiUrl: URL | undefined;
  timers: Timers;
  slackFetch?: SlackFetch | undefined;
}

export type Files = ReturnType<typeof createFiles>;

/** Slack: files.getUploadURLExternal, files.completeUploadExternal; url_private_download. */
export function createFiles(context: FilesContext) {
  return {
    /** Sends a file to a user as a direct message, because everybody in a channel could open it. */
    async share(workspaceId: string, { userId }: FileDestination, file: SharedFile): Promise<void> {
      const client = await context.clients.for(workspaceId);
      await uploadFile(client, await openConversation(client, userId), file);
    },

    /**
     * Downloads a file from a form of the workspace in chunks, from Slack's own file host only. Throws if it does not
     * exist, is larger than `maxBytes`, the host is silent for 20 s, or `signal` is aborted. There is no limit on the total
     * time.
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
  const url = new URL(file.url_private_download);
  // With a custom API URL (the sandbox or a test), files are on that host.
  if (url.origin !== (apiUrl?.origin ?? 'https://files.slack.com')) {
    throw new Error('the file is not on Slack’s file host');
  }
  const { token } = await clients.for(workspaceId);
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
  const reader = response.body.getReader();
  try {
    let size = 0;
    for (;;) {
      const { done, value } = await idle.race(reader.read());
      if (done) {
        return;
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
