import type { JsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../api-error.ts';
import type { Person, SandboxChannel } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import { type Caller, type Methods, missingScope } from '../method.ts';

/** Slack: conversations.open, conversations.info, conversations.join. */
export const conversations: Methods = {
  'conversations.open': {
    scopes: ['im:write'],
    run: (slack, args) => {
      if (args.text('channel') !== undefined) {
        return opened(slack, channelIn(slack, args.required('channel')), true);
      }
      const users = args.required('users').split(',');
      if (users.length > 1) {
        throw new ApiError('not_enough_users', ['[ERROR] the sandbox has no group messages']);
      }
      const known = slack.workspace.channels.length;
      const channel = slack.workspace.directMessagesOf(personIn(slack, args.required('users')).id);
      return opened(slack, channel, slack.workspace.channels.length === known, args.flag('return_im'));
    },
  },
  'conversations.info': {
    scopes: ['channels:read', 'groups:read', 'im:read'],
    run: (slack, args) => {
      const channel = channelIn(slack, args.required('channel'));
      const needed = { public: 'channels:read', private: 'groups:read', dm: 'im:read' }[channel.kind];
      const { scopes } = slack.installation;
      if (!scopes.includes(needed)) {
        throw missingScope([needed], scopes);
      }
      return { channel: channelPayload(slack, channel) };
    },
  },
  'conversations.join': {
    scopes: ['channels:join'],
    run: (slack, args) => {
      const channel = channelIn(slack, args.required('channel'));
      if (channel.kind !== 'public') {
        throw new ApiError('method_not_supported_for_channel_type');
      }
      if (channel.archived) {
        throw new ApiError('is_archived');
      }
      const already = channel.botIsMember;
      channel.botIsMember = true;
      slack.workspace.changed();
      return {
        channel: channelPayload(slack, channel),
        ...(already && {
          warning: 'already_in_channel',
          response_metadata: { warnings: ['already_in_channel'] },
        }),
      };
    },
  },
};

function opened(slack: Caller, channel: SandboxChannel, already: boolean, whole = false): JsonObject {
  return {
    ...(already && { no_op: true, already_open: true }),
    channel: whole ? channelPayload(slack, channel) : { id: channel.id },
  };
}

function channelPayload({ workspace }: Caller, channel: SandboxChannel): JsonObject {
  const shared = channel.members.some((id) => workspace.person(id)?.role === 'stranger');
  const direct = channel.kind === 'dm';
  return {
    id: channel.id,
    is_im: direct,
    is_channel: !direct,
    is_group: false,
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_ext_shared: shared,
    is_shared: shared,
    is_org_shared: false,
    context_team_id: workspace.team.id,
    ...(direct
      ? { user: channel.members[0] ?? '' }
      : {
          name: channel.name,
          name_normalized: channel.name,
          is_member: channel.botIsMember,
          is_general: false,
        }),
  };
}

/**
 * Finds a channel by id or name, or the direct messages by a person's id. Throws `channel_not_found`, also for a private
 * channel without the app.
 */
export function channelIn({ workspace }: SlackState, id: string): SandboxChannel {
  const person = workspace.person(id);
  if (person) {
    return workspace.directMessagesOf(person.id);
  }
  const channel =
    workspace.channel(id) ??
    workspace.channels.find(({ name }) => name !== '' && name === id.replace(/^#/, ''));
  if (!channel || (channel.kind === 'private' && !channel.botIsMember)) {
    throw new ApiError('channel_not_found');
  }
  return channel;
}

/** Finds a channel that the app may write in. Throws `not_in_channel`, `is_archived`. */
export function channelToWriteIn(slack: Caller, id: string): SandboxChannel {
  const channel = channelIn(slack, id);
  if (channel.archived) {
    throw new ApiError('is_archived');
  }
  const open = channel.kind === 'public' && slack.installation.scopes.includes('chat:write.public');
  if (!channel.botIsMember && !open) {
    throw new ApiError('not_in_channel');
  }
  return channel;
}

/** Throws `user_not_found`. */
export function personIn({ workspace }: SlackState, id: string): Person {
  const person = workspace.person(id);
  if (!person) {
    throw new ApiError('user_not_found');
  }
  return person;
}
