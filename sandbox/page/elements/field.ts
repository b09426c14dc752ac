import { type JsonObject, stringAt } from '../../lib/json.ts';
import { flagAt, objectAt, objectsAt, stringsAt } from '../json.ts';
import { askConfirm } from '../shell/confirm-dialog.ts';
import type { PageSurface, Slot } from '../state/surface.ts';

/** One interactive element with what drawing it needs. */
export interface Field {
  element: JsonObject;
  surface: PageSurface;
  slot: Slot;
  /** Whether a change goes to the app: always, except in an input block without `dispatch_action`. */
  dispatches: boolean;
  /** The id of the control that takes the focus; its label refers to it. */
  inputId: string;
  /** The accessible name, for an element without a label. */
  name: string | undefined;
  /** Ids of the hint and the error; empty without either. */
  describedBy: string;
  invalid: boolean;
  required: boolean;
}

/** Returns the element's state: as entered, else as the app initialised it. */
export function stateOf({ element, surface, slot }: Field): JsonObject {
  return surface.stateOf(slot) ?? initialState(element);
}

/** Applies a new state. Asks for the element's `confirm` first when the change goes to the app. */
export async function changeState(field: Field, state: JsonObject): Promise<void> {
  const { surface, slot, dispatches, element } = field;
  if (!dispatches) {
    return surface.fill(slot, state, false);
  }
  const confirm = objectAt(element, 'confirm');
  if (confirm && !(await askConfirm(confirm, surface.directory))) {
    return surface.redraw();
  }
  await surface.act(slot, state);
}

/** Applies typed text. Each character goes to the app only with `on_character_entered`. */
export function typeState(field: Field, state: JsonObject): void {
  const { surface, slot } = field;
  if (field.dispatches && triggersOf(field).includes('on_character_entered')) {
    void surface.act(slot, state, true);
  } else {
    surface.fill(slot, state, true);
  }
}

/** Sends the state to the app on Enter with `on_enter_pressed`. Returns whether it did. */
export function pressEnter(field: Field): boolean {
  if (!field.dispatches || !triggersOf(field).includes('on_enter_pressed')) {
    return false;
  }
  void field.surface.act(field.slot, stateOf(field));
  return true;
}

function triggersOf({ element }: Field): string[] {
  const config = objectAt(element, 'dispatch_action_config');
  return config ? stringsAt(config, 'trigger_actions_on') : ['on_enter_pressed'];
}

/** The state of an untouched element, in the shape of Slack's `view.state.values`. */
function initialState(element: JsonObject): JsonObject {
  const type = stringAt(element, 'type') ?? '';
  const initial = (key: string) => element[key] ?? null;
  switch (type) {
    case 'plain_text_input':
      return { type, value: initial('initial_value') };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: initial('initial_option') };
    case 'checkboxes':
    case 'multi_static_select':
    case 'multi_external_select':
      return { type, selected_options: objectsAt(element, 'initial_options') };
    case 'multi_conversations_select':
      return { type, selected_conversations: stringsAt(element, 'initial_conversations') };
    case 'multi_channels_select':
      return { type, selected_channels: stringsAt(element, 'initial_channels') };
    case 'multi_users_select':
      return { type, selected_users: stringsAt(element, 'initial_users') };
    case 'channels_select':
      return { type, selected_channel: initial('initial_channel') };
    case 'conversations_select':
      return { type, selected_conversation: initial('initial_conversation') };
    case 'users_select':
      return { type, selected_user: initial('initial_user') };
    case 'datepicker':
      return { type, selected_date: initial('initial_date') };
    case 'timepicker':
      return { type, selected_time: initial('initial_time') };
    case 'file_input':
      return { type, files: [] };
    default:
      return { type };
  }
}

export const takesFocusOnLoad = ({ element }: Field): boolean => flagAt(element, 'focus_on_load');
