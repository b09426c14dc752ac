import type { WebClient } from '@slack/web-api';
import type { Secret } from '../../lib/secret.ts';
import type { InputFile } from '../block-kit/view-state.ts';

/** Where a file goes: to a person, in their conversation with the app, or to a channel. */
export type FileDestination = { userId: string } | { channelId: string };

export interface SharedFile {
  name: string;
  content: Buffer;
  /** What screen readers get of an image. */
  altText?: string;
  /** Markup that stands over the file. */
  comment?: string;
}

export interface Files {
  /** Shares a file. A file cannot be for one person in a channel, so to a person it goes by message. */
  share(place: FileDestination, file: SharedFile): Promise<void>;
  /** Fetches a file that a person dropped in, from Slack's own file host only. Throws where it is not there or larger than `mostBytes`. */
  download(file: InputFile, mostBytes: number): Promise<Buffer>;
  /**
   * The same piece by piece, for a file of any length. It may take as long as it comes at all: only a silence of
   * `idleTimeout` ends it, and the signal.
   */
  stream(file: InputFile, mostBytes: number, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
}

const wholeTimeout = 30_000;
/** How long the file host may keep silent while bytes are waited for, in milliseconds. */
const defaultIdleTimeout = 20_000;

/** Slack: files.getUploadURLExternal, files.completeUploadExternal; url_private_download. */
export function createFiles(options: {
  client: WebClient;
  botToken: Secret;
  apiUrl: URL | undefined;
  idleTimeout?: number;
}): Files {
  const { client, botToken, idleTimeout = defaultIdleTimeout } = options;

  async function channelOf(place: FileDestination): Promise<string> {
    if ('channelId' in place) {
      return place.channelId;
    }
    const { channel } = await client.conversations.open({ users: place.userId });
    if (channel?.id === undefined) {
      throw new Error('Slack opened no conversation');
    }
    return channel.id;
  }

  async function* stream(file: InputFile, mostBytes: number, signal?: AbortSignal) {
    const url = new URL(file.url_private_download);
    if (!isSlackFileHost(url, options.apiUrl)) {
      throw new Error('the file is not on Slack’s file host');
    }
    const patience = createPatience(idleTimeout);
    // The token goes to this one host: a redirect elsewhere is an error, not followed.
    const response = await patience.await(
      fetch(url, {
        headers: { authorization: `Bearer ${botToken.reveal()}` },
        redirect: 'error',
        signal: signal === undefined ? patience.over : AbortSignal.any([patience.over, signal]),
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
        const { done, value } = await patience.await(reader.read());
        if (done) {
          return;
        }
        size += value.length;
        if (size > mostBytes) {
          throw new Error('the file is too large');
        }
        yield value;
      }
    } finally {
      // Whoever stops in the middle does not want the rest.
      await reader.cancel().catch(() => {});
    }
  }

  return {
    async share(place, { name, content, altText, comment }) {
      await client.files.uploadV2({
        channel_id: await channelOf(place),
        filename: name,
        file: content,
        ...(altText === undefined ? {} : { alt_text: altText }),
        ...(comment === undefined ? {} : { initial_comment: comment }),
      });
    },

    stream,

    async download(file, mostBytes) {
      return Buffer.concat(await Array.fromAsync(stream(file, mostBytes, AbortSignal.timeout(wholeTimeout))));
    },
  };
}

/** A signal that fires once something waited for takes longer than `idle` milliseconds. */
function createPatience(idle: number) {
  const over = new AbortController();
  return {
    over: over.signal,
    async await<T>(promise: Promise<T>): Promise<T> {
      const timer = setTimeout(() => over.abort(new Error('Slack’s file host fell silent')), idle);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

/** With another Slack API than Slack's (the sandbox, a test) the files are at its own host. */
function isSlackFileHost(url: URL, apiUrl: URL | undefined): boolean {
  return apiUrl === undefined ? url.origin === 'https://files.slack.com' : url.origin === apiUrl.origin;
}
