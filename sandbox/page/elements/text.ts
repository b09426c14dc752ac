import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { flagAt, numberAt, textAt } from '../json.ts';
import { type Field, pressEnter, stateOf, takesFocusOnLoad, typeState } from './field.ts';

/** `plain_text_input`, of one line or several. */
export function drawTextInput(field: Field): TemplateResult {
  const { element } = field;
  const value = stringAt(stateOf(field), 'value') ?? '';
  return html`<div class="counted">
    ${flagAt(element, 'multiline') ? drawTextArea(field, value) : drawLine(field, value)}${drawCount(element, value)}
  </div>`;
}

function drawLine(field: Field, value: string): TemplateResult {
  return html`<input
    class="text-input"
    id=${field.inputId}
    type="text"
    autocomplete="off"
    .value=${live(value)}
    placeholder=${textAt(field.element, 'placeholder')}
    aria-label=${ifDefined(field.name)}
    aria-describedby=${ifDefined(field.describedBy || undefined)}
    aria-invalid=${field.invalid}
    aria-required=${field.required}
    ?data-focus-first=${takesFocusOnLoad(field)}
    @input=${(event: Event) => type(field, event)}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Enter' && !event.isComposing && pressEnter(field)) {
        event.preventDefault();
      }
    }}
  />`;
}

function drawTextArea(field: Field, value: string): TemplateResult {
  return html`<textarea
    class="text-input"
    id=${field.inputId}
    rows="3"
    .value=${live(value)}
    placeholder=${textAt(field.element, 'placeholder')}
    aria-label=${ifDefined(field.name)}
    aria-describedby=${ifDefined(field.describedBy || undefined)}
    aria-invalid=${field.invalid}
    aria-required=${field.required}
    ?data-focus-first=${takesFocusOnLoad(field)}
    @input=${(event: Event) => type(field, event)}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && pressEnter(field)) {
        event.preventDefault();
      }
    }}
  ></textarea>`;
}

/** The characters left, shown near the limit. Negative beyond it, as in Slack. */
function drawCount(element: JsonObject, value: string): TemplateResult | typeof nothing {
  const max = numberAt(element, 'max_length');
  if (max === undefined || value.length < max * 0.8) {
    return nothing;
  }
  const left = max - value.length;
  return html`<span class="count ${left < 0 ? 'over' : ''}" aria-live="polite">
    ${left}<span class="unseen"> characters left</span>
  </span>`;
}

function type(field: Field, { target }: Event): void {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
    typeState(field, { type: 'plain_text_input', value: target.value || null });
  }
}
