import { html, nothing, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { drawElement, isGroup } from '../elements/element.ts';
import type { Field } from '../elements/field.ts';
import { flagAt, objectAt } from '../json.ts';
import type { PageSurface } from '../state/surface.ts';
import { drawText } from '../text/draw.ts';

/** Draws an input block. The label names the element, the hint and the error describe it. */
export function drawInput(block: JsonObject, surface: PageSurface): TemplateResult {
  const element = objectAt(block, 'element') ?? {};
  const type = stringAt(element, 'type') ?? '';
  const slot = { blockId: stringAt(block, 'block_id') ?? '', actionId: stringAt(element, 'action_id') ?? '' };
  const inputId = `${surface.id}-${slot.blockId}-${slot.actionId}`;
  const error = surface.errorOf(slot.blockId);
  const hint = objectAt(block, 'hint');
  const optional = flagAt(block, 'optional');
  const label = html`${drawText(objectAt(block, 'label'), surface.directory)}${
    optional ? html`<span class="optional"> (optional)</span>` : nothing
  }`;
  const field: Field = {
    element,
    surface,
    slot,
    dispatches: flagAt(block, 'dispatch_action'),
    inputId,
    name: undefined,
    describedBy: [error && `${inputId}-error`, hint && `${inputId}-hint`].filter(Boolean).join(' '),
    invalid: error !== undefined,
    required: !optional,
  };
  return html`<div class="block-input ${error === undefined ? '' : 'invalid'}">
    ${
      isGroup(type)
        ? html`<div class="label" id="${inputId}-label">${label}</div>`
        : html`<label class="label" for=${inputId}>${label}</label>`
    }
    ${drawElement(field)}
    ${
      error === undefined
        ? nothing
        : html`<p class="error" id="${inputId}-error" role="alert">${icon('alert')}<span>${error}</span></p>`
    }
    ${hint ? html`<p class="hint" id="${inputId}-hint">${drawText(hint, surface.directory)}</p>` : nothing}
  </div>`;
}
