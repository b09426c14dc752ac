import type { WebClient } from '@slack/web-api';
import type { Secret } from '../secret.ts';
import type { DroppedFile } from './values.ts';

/** Where a file goes: to a person, in their conversation with the app, or to a channel. */
export type FilePlace = { personId: string } | { channelId: string };

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
  share(place: FilePlace, file: SharedFile): Promise<void>;
  /** Fetches a file that a person dropped in, from Slack's own file host only. Throws where it is not there or larger than `mostBytes`. */
  fetch(file: DroppedFile, mostBytes: number): Promise<Buffer>;
}

/** Slack: files.getUploadURLExternal, files.completeUploadExternal; url_private_download. */
export function createFiles(options: {
  client: WebClient;
  botToken: Secret;
  apiUrl: URL | undefined;
}): Files {
  const { client, botToken } = options;

  async function channelOf(place: FilePlace): Promise<string> {
    if ('channelId' in place) {
      return place.channelId;
    }
    const { channel } = await client.conversations.open({ users: place.personId });
    if (channel?.id === undefined) {
      throw new Error('Slack opened no conversation');
    }
    return channel.id;
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

    async fetch(file, mostBytes) {
      const url = new URL(file.url_private_download);
      if (!isSlackFileHost(url, options.apiUrl)) {
        throw new Error('the file is not on Slack’s file host');
      }
      // The token goes to this one host: a redirect elsewhere is an error, not followed.
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${botToken.reveal()}` },
        redirect: 'error',
        signal: AbortSignal.timeout(30_000),
      });
      if (!response.ok || response.body === null) {
        throw new Error(`Slack’s file host answered ${response.status}`);
      }
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of response.body) {
        size += chunk.length;
        if (size > mostBytes) {
          throw new Error('the file is too large');
        }
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}

/** With another Slack API than Slack's (the sandbox, a test) the files are at its own host. */
function isSlackFileHost(url: URL, apiUrl: URL | undefined): boolean {
  return apiUrl === undefined ? url.origin === 'https://files.slack.com' : url.origin === apiUrl.origin;
}
