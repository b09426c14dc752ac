import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { flagAt, numberAt, objectAt, textAt } from '../json.ts';
import { plainWords } from '../text/nodes.ts';
import { readRichText } from '../text/rich-text.ts';
import { type Field, pressEnter, stateOf, takesFocusOnLoad, typeState } from './field.ts';

const inputTypes: Record<string, string> = { email_text_input: 'email', url_text_input: 'url' };

/** `plain_text_input`, `email_text_input`, `url_text_input`, `number_input`. */
export function drawTextInput(field: Field): TemplateResult {
  const { element } = field;
  const kind = stringAt(element, 'type') ?? '';
  const value = stringAt(stateOf(field), 'value') ?? '';
  if (flagAt(element, 'multiline')) {
    return drawTextArea(field, value, (text) => ({ type: kind, value: text || null }));
  }
  const isNumber = kind === 'number_input';
  return html`<div class="counted">
    <input
      class="text-input"
      id=${field.inputId}
      type=${inputTypes[kind] ?? 'text'}
      inputmode=${ifDefined(isNumber ? (flagAt(element, 'is_decimal_allowed') ? 'decimal' : 'numeric') : undefined)}
      autocomplete="off"
      .value=${live(value)}
      placeholder=${textAt(element, 'placeholder')}
      aria-label=${ifDefined(field.name)}
      aria-describedby=${ifDefined(field.describedBy || undefined)}
      aria-invalid=${field.invalid}
      aria-required=${field.required}
      ?data-focus-first=${takesFocusOnLoad(field)}
      @input=${(event: Event) => typeState(field, { type: kind, value: typed(event) || null })}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.isComposing && pressEnter(field)) {
          event.preventDefault();
        }
      }}
    />${drawCount(element, value)}
  </div>`;
}

/** `rich_text_input`: its words, without a toolbar; marks are not taken. */
export function drawRichTextInput(field: Field): TemplateResult {
  const rich = objectAt(stateOf(field), 'rich_text_value');
  const words = rich
    ? readRichText(rich)
        .map((node) => (node.kind === 'paragraph' ? plainWords(node.children) : ''))
        .join('\n')
    : '';
  return drawTextArea(field, words, (text) => ({
    type: 'rich_text_input',
    rich_text_value: asRichText(text),
  }));
}

function asRichText(text: string): JsonObject | null {
  if (text === '') {
    return null;
  }
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [section] };
}

function drawTextArea(field: Field, value: string, toState: (text: string) => JsonObject): TemplateResult {
  return html`<div class="counted">
    <textarea
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
      @input=${(event: Event) => typeState(field, toState(typed(event)))}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && pressEnter(field)) {
          event.preventDefault();
        }
      }}
    ></textarea>${drawCount(field.element, value)}
  </div>`;
}

/** What is left of the length, once the end is near; below zero when it is passed, as Slack shows it. */
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

function typed(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.value : '';
}
