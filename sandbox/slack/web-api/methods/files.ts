import { type JsonObject, objectsIn, stringAt } from '../../../lib/json.ts';
import { ApiError } from '../../api-error.ts';
import { filePayload, shownFile, storeFile } from '../../workspace/files.ts';
import type { StoredFile } from '../../workspace/workspace.ts';
import { type Arguments, type Caller, type Methods, missing } from '../method.ts';
import { channelToWriteIn } from './conversations.ts';

/** Slack: files.getUploadURLExternal, files.completeUploadExternal, files.info. */
export const files: Methods = {
  'files.getUploadURLExternal': {
    scopes: ['files:write'],
    run: ({ workspace, uploads, base }, args) => {
      const name = args.required('filename');
      const length = Number(args.required('length'));
      if (!Number.isInteger(length) || length <= 0) {
        throw new ApiError('invalid_arguments', ['[ERROR] must be greater than 0 [json-pointer:/length]']);
      }
      const id = workspace.id('F');
      return { upload_url: `${base()}/upload/${uploads.announce({ id, name, length })}`, file_id: id };
    },
  },
  'files.completeUploadExternal': {
    scopes: ['files:write'],
    run: (slack, args) => {
      const listed = objectsIn(args.json('files'));
      if (listed.length === 0) {
        throw missing('files');
      }
      const channels = channelIdsIn(args).map((id) => channelToWriteIn(slack, id));
      const stored = listed.map((entry) => complete(slack, entry));
      for (const channel of channels) {
        share(slack, args, channel.id, stored);
      }
      return { files: stored.map((file) => filePayload(slack.workspace, file, slack.base())) };
    },
  },
  'files.info': {
    scopes: ['files:read'],
    run: (slack, args) => ({ file: filePayload(slack.workspace, fileIn(slack, args), slack.base()) }),
  },
};

function channelIdsIn(args: Arguments): string[] {
  const listed = args.text('channel_id') ?? args.text('channels') ?? '';
  return listed.split(',').filter((id) => id !== '');
}

function complete({ workspace, uploads }: Caller, entry: JsonObject): StoredFile {
  const id = stringAt(entry, 'id');
  if (id === undefined) {
    throw missing('files');
  }
  const { name, content } = uploads.complete(id);
  const title = stringAt(entry, 'title');
  return storeFile(workspace, { id, owner: 'app', name, content, ...(title !== undefined && { title }) });
}

function share({ workspace }: Caller, args: Arguments, channel: string, stored: StoredFile[]): void {
  const threadTs = args.text('thread_ts');
  for (const file of stored) {
    file.channels.push(channel);
  }
  workspace.post({
    channel,
    from: 'app',
    text: args.text('initial_comment') ?? '',
    blocks: [],
    files: stored.map(shownFile),
    ...(threadTs !== undefined && { threadTs }),
  });
}

function fileIn({ workspace }: Caller, args: Arguments): StoredFile {
  const file = workspace.file(args.required('file'));
  if (!file) {
    throw new ApiError('file_not_found');
  }
  return file;
}
