import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import { askConfirm } from '../shell/confirm-dialog.ts';
import { drawText } from '../text/draw.ts';
import { safeAddress } from '../text/nodes.ts';
import type { MenuItem } from './action-menu.ts';
import './action-menu.ts';
import type { Field } from './field.ts';

/** `button`, `workflow_button`, `icon_button`. One that waits for the app takes no second press. */
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

/** `feedback_buttons`: two buttons of one action. */
export function drawFeedbackButtons(field: Field): TemplateResult {
  const { element, surface, slot } = field;
  const draw = (button: JsonObject | undefined) =>
    html`<button
      type="button"
      class="button"
      aria-label=${ifDefined(stringAt(button, 'accessibility_label'))}
      @click=${() => void surface.act(slot, { type: 'feedback_buttons', value: stringAt(button, 'value') ?? null })}
    >
      ${textAt(button, 'text')}
    </button>`;
  return html`${draw(objectAt(element, 'positive_button'))} ${draw(objectAt(element, 'negative_button'))}`;
}

/** `overflow`: a menu of options, each an action of its own. */
export function drawOverflow(field: Field): TemplateResult {
  const { element, surface, slot } = field;
  const items = objectsAt(element, 'options').map((option): MenuItem => {
    const description = objectAt(option, 'description');
    return {
      label: html`${drawText(objectAt(option, 'text'), surface.directory)}`,
      ...(description ? { description: html`${drawText(description, surface.directory)}` } : {}),
      async choose() {
        const confirm = objectAt(element, 'confirm');
        if (confirm && !(await askConfirm(confirm, surface.directory))) {
          return;
        }
        const address = safeAddress(stringAt(option, 'url') ?? '');
        if (address) {
          window.open(address, '_blank', 'noopener');
        }
        await surface.act(slot, { type: 'overflow', selected_option: option });
      },
    };
  });
  return html`<action-menu
    .name=${'More options'}
    .face=${icon('more')}
    .items=${items}
    .buttonClass=${'button icon-only'}
    .buttonId=${field.inputId}
  ></action-menu>`;
}
