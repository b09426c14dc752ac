import { type JsonObject, objectsIn, stringAt } from '../../../lib/json.ts';
import { checkMessage } from '../../block-kit/surfaces.ts';
import { ApiError } from '../../errors.ts';
import type { SandboxMessage } from '../../protocol.ts';
import { messagePayload } from '../../transport/requests.ts';
import { withIds } from '../../workspace/block-ids.ts';
import { filePayload, shownFile, storeFile } from '../../workspace/files.ts';
import type { StoredFile } from '../../workspace/workspace.ts';
import { type Arguments, type Caller, type Methods, missing } from '../method.ts';
import { channelIn, channelToWriteIn, personIn } from './lookups.ts';

/** Slack: chat.postMessage, chat.postEphemeral, chat.update, chat.delete. */
export const chat: Methods = {
  'chat.postMessage': {
    scopes: ['chat:write'],
    run: (slack, args) => {
      const channel = channelToWriteIn(slack, args.required('channel'));
      const message = slack.workspace.post({
        channel: channel.id,
        from: 'app',
        ...contentIn(slack, args),
        ...threadIn(slack, channel.id, args),
      });
      return { channel: channel.id, ts: message.ts, message: messagePayload(slack.workspace, message) };
    },
  },
  'chat.postEphemeral': {
    scopes: ['chat:write'],
    run: (slack, args) => {
      const channel = channelToWriteIn(slack, args.required('channel'));
      const person = personIn(slack, args.required('user'));
      if (!channel.members.includes(person.id)) {
        throw new ApiError('user_not_in_channel');
      }
      const content = contentIn(slack, args);
      const { threadTs } = threadIn(slack, channel.id, args);
      const thread = threadTs === undefined ? {} : { threadTs };
      const draft = { channel: channel.id, from: 'app', onlyFor: person.id, ...content, ...thread };
      return { message_ts: slack.workspace.post(draft).ts };
    },
  },
  'chat.update': {
    scopes: ['chat:write'],
    run: (slack, args) => {
      const message = ownMessage(slack, args, 'cant_update_message');
      const blocks = args.json('blocks', 'invalid_blocks_format') ?? message.blocks;
      const text = args.text('text') ?? message.text;
      checkContent(slack, { text, blocks });
      slack.workspace.rewrite(message, { text, blocks: withIds(blocks) });
      return {
        channel: message.channel,
        ts: message.ts,
        text,
        message: messagePayload(slack.workspace, message),
      };
    },
  },
  'chat.delete': {
    scopes: ['chat:write'],
    run: (slack, args) => {
      const message = ownMessage(slack, args, 'cant_delete_message');
      slack.workspace.remove(message);
      return { channel: message.channel, ts: message.ts };
    },
  },
};

function contentIn(slack: Caller, args: Arguments): { text: string; blocks: JsonObject[] } {
  const text = args.text('text') ?? '';
  const blocks = args.json('blocks', 'invalid_blocks_format');
  checkContent(slack, { text, blocks });
  return { text, blocks: withIds(blocks) };
}

function checkContent({ workspace }: Caller, message: { text: unknown; blocks: unknown }): void {
  const refused = checkMessage(message, workspace.unknownBlocks);
  if (refused) {
    throw new ApiError(refused.error, refused.messages);
  }
}

/** Slack posts in the channel what is for a thread whose first message is gone. */
function threadIn(
  { workspace }: Caller,
  channel: string,
  args: Arguments,
): { threadTs?: string; isBroadcast?: boolean } {
  const threadTs = args.text('thread_ts');
  if (threadTs === undefined || workspace.message(channel, threadTs) === undefined) {
    return {};
  }
  return { threadTs, ...(args.flag('reply_broadcast') ? { isBroadcast: true } : {}) };
}

/** Finds a message of the app. An ephemeral message can only be changed through its response_url. */
function ownMessage(slack: Caller, args: Arguments, refusal: string): SandboxMessage {
  const channel = channelIn(slack, args.required('channel'));
  const message = slack.workspace.message(channel.id, args.required('ts'));
  if (!message || message.onlyFor !== undefined) {
    throw new ApiError('message_not_found');
  }
  if (message.from !== 'app') {
    throw new ApiError(refusal);
  }
  return message;
}

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
