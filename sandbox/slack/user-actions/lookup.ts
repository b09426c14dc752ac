import { isJsonObject, type Json, type JsonObject, objectsIn, stringAt } from '../../lib/json.ts';
import { optionsIn } from '../block-kit/composition.ts';
import { type Input, inputsOf } from '../block-kit/state.ts';
import { UserActionError } from '../errors.ts';
import type {
  Container,
  Person,
  SandboxChannel,
  SandboxMessage,
  UserAction,
  ViewValues,
} from '../protocol.ts';
import type { Slack, SlackState } from '../slack.ts';
import type { InteractionSource } from '../transport/requests.ts';
import { findView, keptValues } from '../workspace/views.ts';
import type { HeldView, Workspace } from '../workspace/workspace.ts';

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

/** Returns the workspace in which an action takes place. Throws UserActionError for an unknown person. */
export function actingIn(slack: Slack, action: UserAction): SlackState {
  const { team, person } = action;
  const ofPerson = workspacesOf(slack, person);
  if (team !== undefined) {
    return firstOf(
      ofPerson.filter(({ workspace }) => workspace.team.id === team),
      `There is no person ${person} in ${team}.`,
    );
  }
  const named = ofPerson.find(({ workspace }) => hasPlaceOf(workspace, action));
  return named ?? firstOf(ofPerson, `There is no person ${person}.`);
}

/** Returns the workspaces of a person, the first one first. */
export function workspacesOf({ workspaces }: Slack, person: string): SlackState[] {
  return workspaces.filter(({ workspace }) => workspace.person(person) !== undefined);
}

function firstOf([first]: SlackState[], problem: string): SlackState {
  if (!first) {
    throw new UserActionError(problem);
  }
  return first;
}

/** Whether a workspace has the channel or the view of an action. */
function hasPlaceOf(workspace: Workspace, action: UserAction): boolean {
  const container = 'container' in action ? action.container : undefined;
  const viewId = 'viewId' in action ? action.viewId : undefined;
  const channel = 'channel' in action ? action.channel : undefined;
  const message = 'message' in action ? action.message : undefined;
  const view = viewId ?? (container?.type === 'view' ? container.viewId : undefined);
  const place =
    channel ?? message?.channel ?? (container?.type === 'message' ? container.channel : undefined);
  return (
    (view !== undefined && findView(workspace, view) !== undefined) ||
    (place !== undefined && workspace.channel(place) !== undefined)
  );
}

/** Finds an interactive element. Throws when there is none with these ids. */
export function findElement(blocks: Json | undefined, blockId: string, actionId: string): JsonObject {
  const block = objectsIn(blocks).find((candidate) => candidate.block_id === blockId);
  const elements = [block?.element, block?.accessory, ...objectsIn(block?.elements)].filter(isJsonObject);
  const element = elements.find((candidate) => candidate.action_id === actionId);
  if (!element) {
    throw new UserActionError(`There is no ${actionId} in a block ${blockId}.`);
  }
  return element;
}

/** Finds an element with a state. */
export function inputOf(surface: JsonObject, ids: { blockId: string; actionId: string }): Input | undefined {
  return inputsOf(surface).find((input) => input.blockId === ids.blockId && input.actionId === ids.actionId);
}

/**
 * Returns the state after a person's choice, with the whole option objects for the chosen values. `before` is the state
 * so far, `offered` the options that a search found. Throws for a state of another type and for an option that is not
 * offered.
 */
export function chosenState(
  element: JsonObject,
  state: JsonObject,
  before: JsonObject | undefined,
  offered: JsonObject[],
): JsonObject {
  if (state.type !== element.type) {
    throw new UserActionError(`A ${element.type} cannot take the state of a ${state.type}.`);
  }
  const options = [...optionsOf(element), ...selectedIn(before), ...offered];
  const whole = (chosen: JsonObject): JsonObject => {
    const value = stringAt(chosen, 'value');
    const option = options.find((candidate) => candidate.value === value);
    if (!option) {
      throw new UserActionError(`The option ${value} is not offered.`);
    }
    return option;
  };
  return {
    ...state,
    ...(isJsonObject(state.selected_option) && { selected_option: whole(state.selected_option) }),
    ...(Array.isArray(state.selected_options) && {
      selected_options: objectsIn(state.selected_options).map(whole),
    }),
  };
}

function selectedIn(state: JsonObject | undefined): JsonObject[] {
  const one = state?.selected_option;
  return [...objectsIn(state?.selected_options), ...(isJsonObject(one) ? [one] : [])];
}

function optionsOf(element: JsonObject): JsonObject[] {
  return [
    ...optionsIn(element),
    ...objectsIn(element.initial_options),
    ...(isJsonObject(element.initial_option) ? [element.initial_option] : []),
  ];
}
