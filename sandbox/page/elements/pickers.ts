import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { stringAt } from '../../lib/json.ts';
import { objectAt } from '../json.ts';
import { changeState, type Field, stateOf, takesFocusOnLoad } from './field.ts';

/** `datepicker`: `selected_date` as `2025-04-30`. */
export function drawDatePicker(field: Field): TemplateResult {
  return drawPicker(field, 'date', 'selected_date');
}

/** `timepicker`: `selected_time` as `21:05`. */
export function drawTimePicker(field: Field): TemplateResult {
  return drawPicker(field, 'time', 'selected_time');
}

function drawPicker(field: Field, inputType: 'date' | 'time', key: string): TemplateResult {
  const chosen = stringAt(stateOf(field), key) ?? '';
  const placeholder = stringAt(objectAt(field.element, 'placeholder') ?? {}, 'text');
  return html`<input
    class=${chosen === '' && placeholder !== undefined ? 'text-input picker unset' : 'text-input picker'}
    data-placeholder=${ifDefined(placeholder)}
    id=${field.inputId}
    type=${inputType}
    .value=${live(chosen)}
    aria-label=${ifDefined(field.name ?? placeholder)}
    aria-describedby=${ifDefined(field.describedBy || undefined)}
    aria-invalid=${field.invalid}
    aria-required=${field.required}
    ?data-focus-first=${takesFocusOnLoad(field)}
    @change=${(event: Event) => {
      const text = event.target instanceof HTMLInputElement ? event.target.value : '';
      void changeState(field, { type: stringAt(field.element, 'type') ?? '', [key]: text || null });
    }}
  />`;
}
