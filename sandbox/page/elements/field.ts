import { html, nothing, render } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import { flagAt, type JsonObject, objectAt, stringAt, stringsAt } from '../../lib/json.ts';
import { initialState } from '../../slack/block-kit/state.ts';
import type { Directory } from '../state/directory.ts';
import type { PageSurface, Slot } from '../state/surfaces.ts';
import { drawText } from '../text/draw.ts';

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

/** What names and describes the control of an element. */
export type Control = Pick<Field, 'element' | 'inputId' | 'name' | 'describedBy' | 'invalid' | 'required'>;

class ControlDirective extends Directive {
  override render(_field: Control): unknown {
    return nothing;
  }

  override update({ element }: ElementPart, [field]: [Control]): unknown {
    const attributes = {
      id: field.inputId,
      'aria-label': field.name,
      'aria-describedby': field.describedBy || undefined,
      'aria-invalid': String(field.invalid),
      'aria-required': String(field.required),
      autofocus: takesFocusOnLoad(field) ? '' : undefined,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined) {
        element.removeAttribute(name);
      } else {
        element.setAttribute(name, value);
      }
    }
    return nothing;
  }
}

/** Gives an input or a select its id, its name, and what describes it. */
export const control = directive(ControlDirective);

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

export const takesFocusOnLoad = ({ element }: Control): boolean => flagAt(element, 'focus_on_load');

/** Shows a `confirm` object. Resolves with the person's answer; Esc answers no. */
export async function askConfirm(confirm: JsonObject, directory: Directory): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const style = stringAt(confirm, 'style') === 'danger' ? 'danger' : 'primary';
  const draw = (key: string) => drawText(objectAt(confirm, key), directory);
  const dialog = document.createElement('dialog');
  dialog.role = 'alertdialog';
  dialog.setAttribute('aria-labelledby', 'confirm-title');
  dialog.setAttribute('aria-describedby', 'confirm-text');
  dialog.addEventListener('close', () => resolve(false));
  render(
    html`<header class="row"><h2 id="confirm-title">${draw('title')}</h2></header>
      <div class="modal-body rich" id="confirm-text">${draw('text')}</div>
      <footer class="row">
        <button type="button" class="button" @click=${() => resolve(false)}>${draw('deny')}</button>
        <button type="button" class="button ${style}" @click=${() => resolve(true)}>${draw('confirm')}</button>
      </footer>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise.finally(() => dialog.remove());
}
