import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, stringAt, toJson } from '../../lib/json.ts';
import { inputsOf } from '../block-kit/state.ts';
import { validateView, viewIsTooLarge } from '../block-kit/surfaces.ts';
import { ApiError } from '../errors.ts';
import type { ViewValues } from '../protocol.ts';
import { withIds } from './block-ids.ts';
import { app } from './fixtures.ts';
import type { Trigger } from './triggers.ts';
import type { HeldView, Workspace } from './workspace.ts';

const MAX_STACK = 3;

/**
 * Opens a modal for the person of a trigger and replaces any open ones. A refused view does not use up the trigger.
 * Slack: views.open.
 */
export function openModal(workspace: Workspace, redeem: () => Trigger, view: unknown): HeldView {
  const content = checked(workspace, view, 'modal');
  const { person, channel } = redeem();
  const held = hold(workspace, { person, channel }, content, 'modal');
  workspace.modals.set(person, [held]);
  workspace.changed();
  return held;
}

/** Pushes a modal onto the stack that the trigger came from. Slack: views.push. */
export function pushView(workspace: Workspace, redeem: () => Trigger, view: unknown): HeldView {
  const content = checked(workspace, view, 'modal');
  const { person, viewId } = redeem();
  const stack = workspace.stackOf(person);
  const below = stack.at(-1);
  if (!below || !stack.some((open) => open.id === viewId)) {
    throw new ApiError('invalid_trigger_id');
  }
  if (stack.length >= MAX_STACK) {
    throw new ApiError('push_limit_reached');
  }
  const held = hold(workspace, { person, channel: below.channel }, content, 'modal');
  held.rootId = below.rootId;
  held.previousId = below.id;
  workspace.modals.set(person, [...stack, held]);
  workspace.changed();
  return held;
}

/**
 * Replaces the content of an open view. Inputs with the same block_id and action_id keep their values. Throws
 * `hash_conflict` when the view has changed since `hash`. Slack: views.update.
 */
export function updateView(workspace: Workspace, held: HeldView, view: unknown, hash?: string): HeldView {
  const content = checked(workspace, view, held.type, held);
  if (hash !== undefined && hash !== held.hash) {
    throw new ApiError('hash_conflict');
  }
  held.view = content;
  held.values = keptValues(content, held.values, held.channel);
  held.hash = newHash(workspace);
  held.errors = {};
  delete held.trouble;
  workspace.changed();
  return held;
}

/** Publishes a person's Home. Slack: views.publish. */
export function publishHome(workspace: Workspace, person: string, view: unknown, hash?: string): HeldView {
  const known = workspace.homes.get(person);
  if (known) {
    return updateView(workspace, known, view, hash);
  }
  const held = hold(workspace, { person, channel: undefined }, checked(workspace, view, 'home'), 'home');
  workspace.homes.set(person, held);
  workspace.changed();
  return held;
}

/** Closes a modal and those above it; with `all` the whole stack. */
export function closeView(workspace: Workspace, held: HeldView, all = false): void {
  const stack = workspace.stackOf(held.person);
  const index = stack.indexOf(held);
  if (index < 0) {
    return;
  }
  workspace.modals.set(held.person, all ? [] : stack.slice(0, index));
  workspace.changed();
}

/** Finds an open modal or a Home by its id. */
export function findView(workspace: Workspace, id: string | undefined): HeldView | undefined {
  return allViews(workspace).find((held) => held.id === id);
}

/** Finds an open modal or a Home by its external_id. */
export function findByExternalId(workspace: Workspace, externalId: string): HeldView | undefined {
  return allViews(workspace).find((held) => held.view.external_id === externalId);
}

/** Formats a view for answers and payloads to the app. */
export function viewPayload({ team, bot, installation }: Workspace, held: HeldView): JsonObject {
  const { view } = held;
  return {
    id: held.id,
    team_id: team.id,
    type: held.type,
    blocks: view.blocks ?? [],
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values: toJson(held.values) },
    hash: held.hash,
    ...(held.type === 'modal' && { title: view.title ?? null }),
    clear_on_close: view.clear_on_close === true,
    notify_on_close: view.notify_on_close === true,
    close: view.close ?? null,
    submit: view.submit ?? null,
    previous_view_id: held.previousId ?? null,
    root_view_id: held.rootId,
    app_id: app.id,
    external_id: view.external_id ?? '',
    // The enterprise's id, if the app is installed there.
    app_installed_team_id: installation?.place.id ?? team.id,
    bot_id: bot.botId,
  };
}

function allViews(workspace: Workspace): HeldView[] {
  return [...[...workspace.modals.values()].flat(), ...workspace.homes.values()];
}

function hold(
  workspace: Workspace,
  owner: { person: string; channel: string | undefined },
  view: JsonObject,
  type: HeldView['type'],
): HeldView {
  const id = workspace.id('V');
  return {
    id,
    rootId: id,
    type,
    person: owner.person,
    ...(owner.channel !== undefined && { channel: owner.channel }),
    hash: newHash(workspace),
    view,
    values: initialValues(view, owner.channel),
    errors: {},
  };
}

/** Checks a view and fills in its ids. Throws Slack's error for a wrong one. `own` is the view that it replaces. */
function checked(workspace: Workspace, view: unknown, type: HeldView['type'], own?: HeldView): JsonObject {
  if (viewIsTooLarge(view)) {
    throw new ApiError('view_too_large');
  }
  const messages = validateView(view);
  if (messages.length > 0 || !isJsonObject(view)) {
    throw new ApiError('invalid_arguments', messages);
  }
  if (view.type !== type) {
    throw new ApiError('invalid_arguments', [
      `[ERROR] must be a view of type ${type} [json-pointer:/view/type]`,
    ]);
  }
  const externalId = stringAt(view, 'external_id');
  const namesake = externalId ? findByExternalId(workspace, externalId) : undefined;
  if (namesake && namesake !== own) {
    throw new ApiError('duplicate_external_id');
  }
  return { ...view, blocks: withIds(view.blocks) };
}

function newHash(workspace: Workspace): string {
  return `${Math.floor(workspace.now().getTime() / 1000)}.${randomBytes(6).toString('base64url')}`;
}

/** Returns the initial state of the inputs of a view or message. `channel` is where the view was opened from. */
export function initialValues(surface: JsonObject, channel: string | undefined): ViewValues {
  return keptValues(surface, {}, channel);
}

/**
 * Returns the state of the inputs after an update. An input with the same block_id, action_id and type keeps its value,
 * whatever its new initial value.
 */
export function keptValues(surface: JsonObject, before: ViewValues, channel: string | undefined): ViewValues {
  const values: ViewValues = {};
  for (const { blockId, actionId, type, element, initial } of inputsOf(surface)) {
    const filled = before[blockId]?.[actionId];
    const current = channel !== undefined && startsWithCurrent(element);
    const fresh = current ? withConversation(channel, initial) : initial;
    values[blockId] = { ...values[blockId], [actionId]: filled?.type === type ? filled : fresh };
  }
  return values;
}

/** An initial conversation takes precedence over the current one. */
function startsWithCurrent(element: JsonObject): boolean {
  const { default_to_current_conversation: current, initial_conversation, initial_conversations } = element;
  return current === true && initial_conversation === undefined && initial_conversations === undefined;
}

/** The state of a conversations select that starts with the conversation its view was opened from. */
function withConversation(channel: string, initial: JsonObject): JsonObject {
  if ('selected_conversations' in initial) {
    return { ...initial, selected_conversations: [channel] };
  }
  return { ...initial, selected_conversation: channel };
}
