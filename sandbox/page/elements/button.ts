import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { objectAt, objectsAt } from '../json.ts';
import { askConfirm } from '../shell/confirm-dialog.ts';
import { drawText } from '../text/draw.ts';
import { safeAddress } from '../text/nodes.ts';
import './action-menu.ts';
import { changeState, type Field } from './field.ts';

/** `button`. Ignores presses while it waits for the app. */
export function drawButton(field: Field): TemplateResult {
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
export function drawOverflow(field: Field): TemplateResult {
  const items = objectsAt(field.element, 'options').map((option) => ({
    label: drawText(objectAt(option, 'text'), field.surface.directory),
    choose: () => void changeState(field, { type: 'overflow', selected_option: option }),
  }));
  return html`<action-menu
    .name=${'More actions'}
    .face=${icon('more')}
    .buttonClass=${'button'}
    .buttonId=${field.inputId}
    .items=${items}
  ></action-menu>`;
}
