import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { type Json, stringAt } from '../../lib/json.ts';
import { numberAt } from '../json.ts';
import { localMoment, secondsOfLocal } from '../text/dates.ts';
import { changeState, type Field, stateOf, takesFocusOnLoad } from './field.ts';

/** `datepicker`: `selected_date` as `2025-04-30`. */
export function drawDatePicker(field: Field): TemplateResult {
  return drawPicker(
    field,
    'date',
    stringAt(stateOf(field), 'selected_date') ?? '',
    'selected_date',
    (text) => text,
  );
}

/** `timepicker`: `selected_time` as `21:05`. */
export function drawTimePicker(field: Field): TemplateResult {
  return drawPicker(
    field,
    'time',
    stringAt(stateOf(field), 'selected_time') ?? '',
    'selected_time',
    (text) => text,
  );
}

/** `datetimepicker`: `selected_date_time` in Unix seconds, entered in the person's own zone. */
export function drawDateTimePicker(field: Field): TemplateResult {
  const { zone } = field.surface.directory;
  const seconds = numberAt(stateOf(field), 'selected_date_time');
  const value = seconds === undefined ? '' : localMoment(seconds, zone);
  return drawPicker(field, 'datetime-local', value, 'selected_date_time', (text) =>
    secondsOfLocal(text, zone),
  );
}

function drawPicker(
  field: Field,
  type: string,
  value: string,
  key: string,
  read: (text: string) => Json,
): TemplateResult {
  return html`<input
    class="text-input picker"
    id=${field.inputId}
    type=${type}
    .value=${live(value)}
    aria-label=${ifDefined(field.name)}
    aria-describedby=${ifDefined(field.describedBy || undefined)}
    aria-invalid=${field.invalid}
    aria-required=${field.required}
    ?data-focus-first=${takesFocusOnLoad(field)}
    @change=${(event: Event) => {
      const text = event.target instanceof HTMLInputElement ? event.target.value : '';
      void changeState(field, {
        type: stringAt(field.element, 'type') ?? '',
        [key]: text === '' ? null : read(text),
      });
    }}
  />`;
}
