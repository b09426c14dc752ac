import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { objectAt, objectsAt, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { drawText } from '../text/draw.ts';
import { safeAddress } from '../text/mrkdwn.ts';
import { askConfirm, changeState, type Field } from './field.ts';
import { drawCheckboxes, drawFileInput, drawPicker, drawRadioButtons, drawTextInput } from './inputs.ts';
import { drawMultiSelect, drawSelect } from './select.ts';

/** The elements that the app's views use. Others that Slack accepts are named on the page instead of drawn. */
const drawers: Record<string, (field: Field) => TemplateResult> = {
  button: drawButton,
  overflow: drawOverflow,
  plain_text_input: drawTextInput,
  radio_buttons: drawRadioButtons,
  checkboxes: drawCheckboxes,
  static_select: drawSelect,
  external_select: drawSelect,
  conversations_select: drawSelect,
  users_select: drawSelect,
  channels_select: drawSelect,
  multi_static_select: drawMultiSelect,
  multi_external_select: drawMultiSelect,
  multi_conversations_select: drawMultiSelect,
  multi_channels_select: drawMultiSelect,
  multi_users_select: drawMultiSelect,
  datepicker: drawPicker,
  timepicker: drawPicker,
  file_input: drawFileInput,
};

export function drawElement(field: Field): TemplateResult {
  const type = stringAt(field.element, 'type') ?? '';
  const draw = Object.hasOwn(drawers, type) ? drawers[type] : undefined;
  return draw
    ? draw(field)
    : html`<em class="unknown">The sandbox cannot draw an element of type “${type}”.</em>`;
}

/** Whether a `<label for>` cannot name the element: a group of options refers to the id of its label instead. */
export const isGroup = (type: string): boolean => type === 'radio_buttons' || type === 'checkboxes';

/** `button`. Ignores presses while it waits for the app. */
function drawButton(field: Field): TemplateResult {
  const { element, surface, slot } = field;
  const style = stringAt(element, 'style');
  const busy = surface.isBusy(slot);
  return html`<button
    type="button"
    id=${field.inputId}
    class="button ${style === 'primary' || style === 'danger' ? style : ''}"
    aria-label=${ifDefined(stringAt(element, 'accessibility_label'))}
    aria-busy=${busy}
    aria-disabled=${busy}
    @click=${() => void press(field)}
  >
    ${drawText(objectAt(element, 'text'), surface.directory)}
  </button>`;
}

async function press({ element, surface, slot }: Field): Promise<void> {
  const confirm = objectAt(element, 'confirm');
  if (confirm && !(await askConfirm(confirm, surface.directory))) {
    return;
  }
  const address = safeAddress(stringAt(element, 'url') ?? '');
  if (address) {
    window.open(address, '_blank', 'noopener');
  }
  await surface.act(slot);
}

/** `overflow`: a menu behind three dots, which keeps no choice. */
function drawOverflow(field: Field): TemplateResult {
  return drawMenu({
    id: field.inputId,
    name: 'More actions',
    face: icon('more'),
    buttonClass: 'button',
    items: objectsAt(field.element, 'options').map((option) => ({
      label: html`${drawText(objectAt(option, 'text'), field.surface.directory)}`,
      choose: () => void changeState(field, { type: 'overflow', selected_option: option }),
    })),
  });
}

export interface MenuItem {
  label: TemplateResult | string;
  description?: string;
  /** Whether it is the one that is in effect now. */
  current?: boolean;
  choose(): void;
}

interface Menu {
  /** The id of the button, unique in the document. */
  id: string;
  /** The button's accessible name. */
  name: string;
  face: TemplateResult;
  buttonClass: string;
  items: MenuItem[];
}

/** Draws a button that opens a list of buttons. The browser opens and closes it, and moves the focus in and back. */
export function drawMenu({ id, name, face, buttonClass, items }: Menu): TemplateResult {
  const listId = `${id}-menu`;
  return html`<button type="button" class=${buttonClass} id=${id} aria-label=${name} popovertarget=${listId}>
      ${face}
    </button>
    <div popover id=${listId} role="group" aria-label=${name}>
      ${items.map(
        (item, at) => html`<button
          type="button"
          popovertarget=${listId}
          popovertargetaction="hide"
          ?autofocus=${at === 0}
          aria-current=${ifDefined(item.current ? 'true' : undefined)}
          @click=${() => item.choose()}
        >
          ${item.label} ${item.description ? html`<span class="more">${item.description}</span>` : nothing}
        </button>`,
      )}
    </div>`;
}
