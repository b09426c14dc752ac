import type { Container, Person, SandboxChannel, SandboxMessage, ViewValues } from '../protocol.ts';
import type { SlackState } from '../slack.ts';
import type { InteractionSource } from '../transport/payloads.ts';
import { keptValues } from '../workspace/values.ts';
import { findView } from '../workspace/views.ts';
import type { HeldView, Workspace } from '../workspace/workspace.ts';
import { UserActionError } from './user-action.ts';

export function requirePerson(workspace: Workspace, id: string): Person {
  const person = workspace.person(id);
  if (!person) {
    throw new UserActionError(`There is no person ${id}.`);
  }
  return person;
}

/** Finds a channel that the person is in. */
export function requireChannel(workspace: Workspace, person: Person, id: string): SandboxChannel {
  const channel = workspace.channel(id);
  if (!channel?.members.includes(person.id)) {
    throw new UserActionError(`${person.name} is in no channel ${id}.`);
  }
  return channel;
}

/** Finds a message that the person sees. */
export function requireMessage(
  workspace: Workspace,
  person: Person,
  at: { channel: string; ts: string },
): { message: SandboxMessage; channel: SandboxChannel } {
  const channel = requireChannel(workspace, person, at.channel);
  const message = workspace.message(at.channel, at.ts);
  if (!message || (message.onlyFor !== undefined && message.onlyFor !== person.id)) {
    throw new UserActionError(`${person.name} sees no message ${at.ts} in ${at.channel}.`);
  }
  return { message, channel };
}

/** Finds an open modal or Home of the person. */
export function requireView(workspace: Workspace, person: Person, id: string): HeldView {
  const view = findView(workspace, id);
  if (view?.person !== person.id) {
    throw new UserActionError(`${person.name} has no view ${id} open.`);
  }
  return view;
}

/** Returns the message or view of an element, with the state of its inputs. */
export function sourceOf(slack: SlackState, person: Person, container: Container): InteractionSource {
  const { workspace, responseUrls } = slack;
  if (container.type === 'view') {
    return { view: requireView(workspace, person, container.viewId) };
  }
  const { message, channel } = requireMessage(workspace, person, container);
  const responseUrl = responseUrls.issue('actions', {
    person: person.id,
    channel: channel.id,
    original: message,
    ...(message.threadTs !== undefined && { threadTs: message.threadTs }),
  });
  return { message, channel, responseUrl, values: messageValues(workspace, person, message) };
}

/** Returns the current state of a person's inputs in a message. */
function messageValues(workspace: Workspace, person: Person, message: SandboxMessage): ViewValues {
  const key = `${message.channel}/${message.ts}/${person.id}`;
  const before = workspace.messageValues.get(key) ?? {};
  const values = keptValues({ blocks: message.blocks }, before, message.channel);
  workspace.messageValues.set(key, values);
  return values;
}
