import { ApiError } from '../../api-error.ts';
import type { Person, SandboxChannel } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import type { Caller } from '../method.ts';

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
