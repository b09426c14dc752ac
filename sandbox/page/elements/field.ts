import { type JsonObject, stringAt } from '../../lib/json.ts';
import { flagAt, objectAt, objectsAt, stringsAt } from '../json.ts';
import { askConfirm } from '../shell/confirm-dialog.ts';
import type { PageSurface, Slot } from '../state/surface.ts';

/** One interactive element in its place, with all that drawing it needs. */
export interface Field {
  element: JsonObject;
  surface: PageSurface;
  slot: Slot;
  /** Whether a change is told to the app: everywhere but in an input block without `dispatch_action`. */
  dispatches: boolean;
  /** The id of what takes the focus; a label points to it. */
  inputId: string;
  /** The accessible name where no label stands beside it. */
  name: string | undefined;
  /** Ids of the hint and the error, or empty. */
  describedBy: string;
  invalid: boolean;
  required: boolean;
}

/** The element's state: as entered, or else as the app set it at first. */
export function stateOf({ element, surface, slot }: Field): JsonObject {
  return surface.stateOf(slot) ?? initialState(element);
}

/** Takes a new state, after the element's own confirmation if it has one and the app is to be told. */
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

/** Takes what is typed: the app hears of each letter only where it asked for that. */
export function typeState(field: Field, state: JsonObject): void {
  const { surface, slot } = field;
  if (field.dispatches && triggersOf(field).includes('on_character_entered')) {
    void surface.act(slot, state, true);
  } else {
    surface.fill(slot, state, true);
  }
}

/** Tells the app of Enter where it asked for that. Says whether it did. */
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

/** Slack's shape of the state of an element that nobody has touched. */
function initialState(element: JsonObject): JsonObject {
  const type = stringAt(element, 'type') ?? '';
  const first = (key: string) => element[key] ?? null;
  switch (type) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { type, value: first('initial_value') };
    case 'rich_text_input':
      return { type, rich_text_value: first('initial_value') };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: first('initial_option') };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { type, selected_options: objectsAt(element, 'initial_options') };
    case 'users_select':
      return { type, selected_user: first('initial_user') };
    case 'conversations_select':
      return { type, selected_conversation: first('initial_conversation') };
    case 'channels_select':
      return { type, selected_channel: first('initial_channel') };
    case 'multi_users_select':
      return { type, selected_users: stringsAt(element, 'initial_users') };
    case 'multi_conversations_select':
      return { type, selected_conversations: stringsAt(element, 'initial_conversations') };
    case 'multi_channels_select':
      return { type, selected_channels: stringsAt(element, 'initial_channels') };
    case 'datepicker':
      return { type, selected_date: first('initial_date') };
    case 'timepicker':
      return { type, selected_time: first('initial_time') };
    case 'datetimepicker':
      return { type, selected_date_time: first('initial_date_time') };
    case 'file_input':
      return { type, files: [] };
    default:
      return { type };
  }
}

export const takesFocusOnLoad = ({ element }: Field): boolean => flagAt(element, 'focus_on_load');
